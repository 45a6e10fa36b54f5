import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { getProfile } from '@kelisim/domain/identity/contract.ts'
import {
  dropDeadLetters,
  getDeadLetters,
  getHealth,
  getOperatorActs,
  getOverview,
  retryDeadLetters,
  runChore,
} from '@kelisim/domain/operator/contract.ts'
import { startQueue } from '../jobs/queue.ts'
import { startTestApp } from '../testing.ts'
import { giveSubscription } from './acts.ts'
import { operatorFor } from './testing-operator.ts'

const { database, connection } = await testDatabase()
const operators = ['900101300999']
const queue = await startQueue(connection, () => {}, {
  retryDelay: 0,
  retryBackoff: false,
  retryLimit: 0,
  lookEverySeconds: 0.5,
})
afterAll(() => queue.stop())
const { call, make, time } = await startTestApp({
  database,
  operator: await operatorFor(connection, operators),
})
const operator = await make.person('Оператор')
operators.push(`${operator}@example.kz`)

const all = { skip: 0, take: 10 }
const lettersNow = async () => (await call(operator, getDeadLetters, all)).result
let isBroken = true
const done: string[] = []
await queue.run('settle-requests', async ({ groupId }) => {
  if (isBroken) throw new Error('the road is closed')
  done.push(groupId)
})

/** Adds jobs that have failed for good. */
async function died(...groupIds: string[]): Promise<void> {
  isBroken = true
  const { totalCount } = await lettersNow()
  await database.write(async (tx) => {
    for (const groupId of groupIds) await queue.add(tx, 'settle-requests', { groupId })
  })
  await vi.waitFor(
    async () => expect((await lettersNow()).totalCount).toBe(totalCount + groupIds.length),
    20_000,
  )
  isBroken = false
}

test('an operator is named in the configuration by a confirmed e-mail or an IIN, and so marked in the profile', async () => {
  const other = await make.person()
  expect((await call(other, getProfile, {})).result).not.toHaveProperty('IsOperator')
  expect((await call(operator, getProfile, {})).result.IsOperator).toBe(true)
  expect((await call(other, getOverview, {})).status).toBe(404)
  const set = (values: object) =>
    database.write((tx) => tx.updateTable('users').set(values).where('id', '=', other).execute())
  await set({ email: `${operator}@EXAMPLE.kz`.toLowerCase(), isEmailConfirmed: false })
  expect((await call(other, getOverview, {})).status).toBe(404)
  await set({ email: '', iin: operators[0] })
  expect((await call(other, getOverview, {})).status).toBe(200)
})

test('dead letters are shown with their reason, and can be retried', async () => {
  await died('a', 'b', 'c')
  const { items } = await lettersNow()
  expect(items).toHaveLength(3)
  expect(items[0]).toMatchObject({ name: 'settle-requests', reason: 'the road is closed', tries: 1 })
  const { queues } = (await call(operator, getOverview, {})).result
  expect(queues.find(({ name }) => name === 'settle-requests')).toMatchObject({ dead: 3, ready: 0 })
  const ofA = items.find(({ data }) => data === '{"groupId":"a"}')!
  expect((await call(operator, retryDeadLetters, { ids: [ofA.id] })).result).toEqual({ count: 1 })
  await vi.waitFor(() => expect(done).toEqual(['a']), 20_000)
  // When two operators click at once, each dead letter is retried by one of them.
  const answers = await Promise.all([
    call(operator, retryDeadLetters, { name: 'settle-requests' }),
    call(operator, retryDeadLetters, { name: 'settle-requests' }),
  ])
  expect(answers.reduce((sum, { result }) => sum + result.count, 0)).toBe(2)
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['a', 'b', 'c']), 20_000)
  expect((await lettersNow()).totalCount).toBe(0)
})

test('deleting a dead letter is kept in the log of operators, which cannot be changed', async () => {
  await died('forget me')
  const [letter] = (await lettersNow()).items
  expect((await call(operator, dropDeadLetters, { ids: [letter!.id] })).result).toEqual({ count: 1 })
  expect((await call(operator, dropDeadLetters, { ids: [letter!.id] })).result).toEqual({ count: 0 })
  expect((await lettersNow()).totalCount).toBe(0)
  const { items } = (await call(operator, getOperatorActs, all)).result
  expect(items[0]).toMatchObject({ by: 'Оператор', type: 'dropped' })
  expect(items[0]!.details).toContain('forget me')
  await expect(database.pool.query('delete from operator_acts')).rejects.toThrow('append-only')
  await expect(database.pool.query("update operator_acts set type = 'x'")).rejects.toThrow('append-only')
})

test('chores are shown with their last and next run, and can be run now', async () => {
  let runs = 0
  await queue.every('sweep-test', '15 3 * * *', async () => {
    if (runs++ === 0) throw new Error('not today')
  })
  const chore = async () =>
    (await call(operator, getOverview, {})).result.chores.find(({ name }) => name === 'sweep-test')!
  expect(await chore()).toMatchObject({
    cron: '15 3 * * *',
    timeZone: 'Asia/Almaty',
    lastAt: null,
    lastOutcome: null,
    // 06:00 in Greenwich is 11:00 in Almaty
    nextAt: '2026-11-15T22:15:00.000Z',
  })
  expect((await call(operator, runChore, { name: 'sweep-test' })).result).toEqual({ isQueued: true })
  await vi.waitFor(async () => expect(await chore()).toMatchObject({ lastReason: 'not today' }), 20_000)
  await vi.waitFor(async () => expect(await chore()).toMatchObject({ lastOutcome: 'done' }), 20_000)
  expect((await call(operator, runChore, { name: 'no-such' })).status).toBe(404)
  expect((await call(operator, runChore, { name: 'settle-requests' })).status).toBe(404)
})

test('the overview shows mail, storage, backups and subscriptions without contents', async () => {
  const organizationId = await make.organization(await make.person(), 'ТОО «Алтын Дала»')
  const { bin } = await database.write((tx) =>
    tx
      .updateTable('organizations')
      .set({ confirmedAt: time.now })
      .where('id', '=', organizationId)
      .returning('bin')
      .executeTakeFirstOrThrow(),
  )
  const give = (startDate: string, endDate: string, to = bin) => {
    const given = { bin: to, tariff: 'standard', startDate, endDate, maximum: 50 } as const
    return giveSubscription(database, given, { by: null, at: time.now })
  }
  expect(await give('2026-11-01', '2026-11-30')).toBe(true)
  expect(await give('2026-12-01', '2027-11-30')).toBe(true)
  expect(await give('2026-12-01', '2027-11-30', '240540017348')).toBe(false)
  await database.write(async (tx) => {
    const times = { createdAt: time.now, sentAt: null, lastError: null }
    const letter = { recipient: 'secret@example.kz', subject: 'Тайна', text: '', html: '' }
    await tx
      .insertInto('mails')
      .values({ id: newId(), language: 'ru', ...letter, ...times, state: 'failed' })
      .execute()
    await tx
      .insertInto('backups')
      .values({
        id: newId(),
        beganAt: time.now,
        endedAt: time.now,
        place: '/backups',
        failure: null,
        isVerified: true,
        rows: 10,
        files: 2,
        bytes: 3000,
      })
      .execute()
  })
  const { result } = await call(operator, getOverview, {})
  expect(result.subscriptions).toEqual({
    ending: [expect.objectContaining({ organization: 'ТОО «Алтын Дала»', endDate: '2026-11-30' })],
    pending: [expect.objectContaining({ startDate: '2026-12-01' })],
  })
  expect(result.mail).toEqual([
    { state: 'sent', count: 0 },
    { state: 'failed', count: 1 },
  ])
  expect(result.backups).toMatchObject([{ isVerified: true, files: 2, bytes: 3000 }])
  expect(result.storage).toMatchObject({ files: 0, bytes: 0, freeBytes: expect.any(Number) })
  expect(JSON.stringify(result)).not.toMatch(/secret|Тайна/)
  const acts = (await call(operator, getOperatorActs, all)).result.items
  expect(acts[0]).toMatchObject({ by: null, type: 'gave-subscription' })
})

test('health says which services respond and which are not configured', async () => {
  const { result } = await call(operator, getHealth, {})
  expect(result.services).toMatchObject([
    { name: 'database', state: 'good' },
    { name: 'storage', state: 'good' },
    { name: 'mail', state: 'off' },
    { name: 'ocsp', state: 'off' },
    { name: 'timestamps', state: 'off' },
    { name: 'revocation-lists', state: 'off' },
  ])
})
