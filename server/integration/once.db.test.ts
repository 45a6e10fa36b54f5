/** A call of a program acts once, however often it is repeated (docs/decisions/032-repeated-calls-of-programs.md). */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import { day } from '@kelisim/domain/durations.ts'
import { callsKeptFor, sweepProgramCalls } from '../http/programs/queries.ts'
import { programsIn } from '../http/programs/programs.ts'
import { limitsIn } from '../http/limits/calls.ts'
import { openTransactions } from '../http/limits/transactions.ts'
import { serveOn } from '../http/serve.ts'
import { sessionsIn } from '../http/session.ts'
import { castIn, publicUrl, startTestApp } from '../testing.ts'
import { programsOf } from './testing-programs.ts'

const main = await startTestApp()
const { database, time } = main
const { makeToken, ask } = programsOf(main)

const writing = endpoint({
  method: 'POST',
  path: '/api/v1/test/:name',
  access: 'program',
  scope: 'documents.write',
  summary: '',
  input: z.object({
    name: z.string(),
    text: z.string(),
    mood: z._default(z.enum(['well', 'refused', 'broken']), 'well'),
  }),
  result: z.object({ number: z.int(), text: z.string() }),
  refusals: ['document-is-busy'],
})

/** The ids of the calls that reached the handler. */
const reached: string[] = []
let pause: Promise<void> = Promise.resolve()
let mood: 'well' | 'broken' = 'well'

function serveWriting(app: typeof main.app): void {
  const serve = serveOn(app, {
    database,
    sessions: sessionsIn(database, publicUrl),
    programs: programsIn(database, { reserve: async () => {}, limit: 1200 }, () => time.now),
    limits: limitsIn(database, { callsPerMinute: 100_000 }, () => time.now),
    transactions: openTransactions(database),
    clock: () => time.now,
    served: [],
    handlers: new Map(),
  })
  serve(writing, async ({ input, who }) => {
    reached.push(who.program.callId)
    const number = reached.length
    await pause
    if (input.mood === 'refused') refuse('document-is-busy')
    if (mood === 'broken') throw new Error('the process ends here')
    return { number, text: input.text }
  })
}
serveWriting(main.app)

const { people, organizationId } = await castIn(main)
const { secret } = await makeToken(people.owner, organizationId)

describe('an idempotency key', () => {
  test('with the same body gives the identical response, and nothing is done again', async () => {
    const first = await ask(secret, writing, { name: 'a', text: 'ұ' }, { key: 'one' })
    const count = reached.length
    const again = await ask(secret, writing, { name: 'a', text: 'ұ' }, { key: 'one' })
    expect(again.text).toBe(first.text)
    expect(reached).toHaveLength(count)
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ])
  })

  test('does not depend on the order of fields in the body', async () => {
    const first = await ask(secret, writing, { name: 'a', text: 'x', mood: 'well' }, { key: 'order' })
    const again = await ask(secret, writing, { mood: 'well', text: 'x', name: 'a' }, { key: 'order' })
    expect(again.text).toBe(first.text)
  })

  test('with another body, another address or another call is refused', async () => {
    await ask(secret, writing, { name: 'a', text: 'x' }, { key: 'two' })
    const count = reached.length
    for (const other of [
      { name: 'a', text: 'y' },
      { name: 'b', text: 'x' },
    ]) {
      const refused = await ask(secret, writing, other, { key: 'two' })
      expect([refused.status, refused.alias]).toEqual([409, 'idempotency-key-reused'])
    }
    expect(reached).toHaveLength(count)
  })

  test('is separate for each token', async () => {
    const other = await makeToken(people.owner, organizationId)
    const first = await ask(secret, writing, { name: 'a', text: 'x' }, { key: 'three' })
    const ofOther = await ask(other.secret, writing, { name: 'a', text: 'y' }, { key: 'three' })
    expect([first.result.text, ofOther.result.text]).toEqual(['x', 'y'])
  })

  test.each([null, '', 'with space', 'ключ', 'x'.repeat(201)])('%j is refused', async (key) => {
    const refused = await ask(
      secret,
      writing,
      { name: 'a', text: 'x' },
      {
        key: null,
        headers: key === null ? {} : { 'idempotency-key': Buffer.from(key).toString('latin1') },
      },
    )
    expect([refused.status, refused.alias]).toEqual([400, 'idempotency-key-needed'])
  })

  test('is not used up by invalid input', async () => {
    const wrong = await ask(secret, writing, { name: 'a', text: 5 as never }, { key: 'four' })
    expect(wrong.alias).toBe('validation-failure')
    expect((await ask(secret, writing, { name: 'a', text: '5' }, { key: 'four' })).status).toBe(200)
  })

  test('of a refused call is bound to its input, and the call is tried anew', async () => {
    const input = { name: 'a', text: 'x', mood: 'refused' } as const
    expect((await ask(secret, writing, input, { key: 'five' })).alias).toBe('document-is-busy')
    const count = reached.length
    expect((await ask(secret, writing, input, { key: 'five' })).alias).toBe('document-is-busy')
    expect(reached).toHaveLength(count + 1)
    expect((await ask(secret, writing, { ...input, mood: 'well' }, { key: 'five' })).alias).toBe(
      'idempotency-key-reused',
    )
  })

  test('is not needed by calls that only read', async () => {
    expect((await ask(secret, getConnection, {}, { key: null })).status).toBe(200)
  })

  test('is forgotten after a month', async () => {
    await ask(secret, writing, { name: 'a', text: 'x' }, { key: 'old' })
    const count = reached.length
    await database.write((tx) => sweepProgramCalls(tx, new Date(time.now.getTime() + callsKeptFor)))
    await ask(secret, writing, { name: 'a', text: 'x' }, { key: 'old' })
    expect(reached).toHaveLength(count)
    await database.write((tx) => sweepProgramCalls(tx, new Date(time.now.getTime() + callsKeptFor + day)))
    await ask(secret, writing, { name: 'a', text: 'x' }, { key: 'old' })
    expect(reached).toHaveLength(count + 1)
  })
})

test('a call that broke off after it had begun is repeated with the same id', async () => {
  mood = 'broken'
  expect((await ask(secret, writing, { name: 'a', text: 'x' }, { key: 'broken' })).status).toBe(500)
  const id = reached.at(-1)
  mood = 'well'
  expect((await ask(secret, writing, { name: 'a', text: 'x' }, { key: 'broken' })).status).toBe(200)
  expect(reached.at(-1)).toBe(id)
})

test('two processes that get the same call at once use the same id and give the same response', async () => {
  const second = await startTestApp({ database })
  serveWriting(second.app)
  let go = () => {}
  pause = new Promise((resolve) => (go = resolve))
  const count = reached.length
  const calls = [
    ask(secret, writing, { name: 'a', text: 'x' }, { key: 'at-once' }),
    programsOf(second).ask(secret, writing, { name: 'a', text: 'x' }, { key: 'at-once' }),
  ]
  await expect.poll(() => reached.length).toBe(count + 2)
  go()
  const [one, two] = await Promise.all(calls)
  expect(two!.text).toBe(one!.text)
  expect(new Set(reached.slice(count)).size).toBe(1)
})

test('a token without the right is refused before anything is saved', async () => {
  const reading = await makeToken(people.owner, organizationId, { scopes: ['requests.read'] })
  const refused = await ask(reading.secret, writing, { name: 'a', text: 'x' }, { key: 'scope' })
  expect([refused.status, refused.alias, refused.parameters]).toEqual([
    403,
    'token-scope-missing',
    { scope: 'documents.write' },
  ])
  const { rows } = await database.pool.query(`select from program_calls where key = 'scope'`)
  expect(rows).toEqual([])
})
