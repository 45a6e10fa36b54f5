import { expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { isTemporarilyRefused, type Database } from '@kelisim/db/db.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import {
  deadLetters,
  startQueue,
  type Jobs,
  type RetrySettings,
  type Queue,
  type RunOptions,
} from './queue.ts'

const fast: RetrySettings = {
  retryDelay: 0,
  retryBackoff: false,
  retryLimit: 2,
  lookEverySeconds: 0.5,
  cronEverySeconds: 1,
}
const slow: RetrySettings = { ...fast, lookEverySeconds: 300 }

async function startQueues(count: number, pace = fast) {
  const { database, connection } = await testDatabase()
  const errors: string[] = []
  const queues: Queue[] = []
  for (let i = 0; i < count; i++) {
    queues.push(await startQueue(connection, (error) => void errors.push(error.message), pace))
  }
  const stop = () => Promise.all(queues.map((queue) => queue.stop()))
  const add = (...groupIds: string[]) =>
    database.write(async (tx) => {
      for (const groupId of groupIds) await queues[0]!.add(tx, 'settle-requests', { groupId })
    })
  const dead = async () => {
    const { rows } = await sql<{ id: string; name: string; data: object; output: { message: string } }>`
      select id, source_name as name, data, source_output as output from pgboss.job
      where name = ${deadLetters}`.execute(database.db)
    return rows
  }
  return { database, queues, errors, stop, add, dead }
}

/** Makes the database refuse changes of this table for now; returns what lets them pass again. */
async function refuseChanges({ pool }: Database, table: string): Promise<() => Promise<unknown>> {
  await pool.query(`create function refuse_for_now() returns trigger language plpgsql as
    $$ begin raise exception 'not now' using errcode = 'lock_not_available'; end $$`)
  await pool.query(
    `create trigger refuse_for_now before insert or update on ${table} execute function refuse_for_now()`,
  )
  return () => pool.query(`drop trigger refuse_for_now on ${table}`)
}

test('a start that the database refuses closes its connections, and can be repeated', async () => {
  const { database, connection } = await testDatabase()
  await (await startQueue(connection, () => {}, fast)).stop()
  const letPass = await refuseChanges(database, 'pgboss.queue')
  const refused: unknown = await startQueue(connection, () => {}, fast).catch((error: unknown) => error)
  expect(isTemporarilyRefused(refused)).toBe(true)
  const connected = async () => {
    const { rowCount } = await database.pool.query(
      "select from pg_stat_activity where application_name = 'kelisim-jobs' and datname = current_database()",
    )
    return rowCount
  }
  await expect.poll(connected, { timeout: 30_000 }).toBe(0)
  await letPass()
  await (await startQueue(connection, () => {}, fast)).stop()
})

test('a chore is set up when the database no longer refuses', async () => {
  const { database, connection } = await testDatabase()
  const errors: string[] = []
  const queue = await startQueue(connection, (error) => void errors.push(error.message), fast)
  const letPass = await refuseChanges(database, 'pgboss.schedule')
  const isSetUp = queue.every('sweep', '0 0 1 1 *', async () => {})
  await expect.poll(() => errors.join(), { timeout: 30_000 }).toContain('a chore is set up later')
  await letPass()
  await isSetUp
  await queue.stop()
})

const run = (
  queue: Queue,
  handle: (data: Jobs['settle-requests'], attempt: { number: number; isLast: boolean }) => Promise<void>,
  options?: RunOptions,
) => queue.run('settle-requests', handle, options)

test('a job that fails at every attempt is kept with its reason; retried, it has all its attempts again', async () => {
  const { database, queues, errors, stop, add, dead } = await startQueues(1)
  const tries: [number, boolean][] = []
  let isBroken = true
  let isDone = false
  await run(queues[0]!, async (_, { number, isLast }) => {
    tries.push([number, isLast])
    if (isBroken) throw new Error('the road is closed')
    isDone = true
  })
  await add('g1')
  await vi.waitFor(async () => expect(await dead()).toHaveLength(1), 20_000)
  expect(tries).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ])
  const deadLetters = await dead()
  expect(deadLetters).toMatchObject([
    { name: 'settle-requests', data: { groupId: 'g1' }, output: { message: 'the road is closed' } },
  ])
  expect(errors).toEqual(['settle-requests was given up: the road is closed'])
  isBroken = false
  await database.write((tx) => queues[0]!.revive(tx, deadLetters))
  await vi.waitFor(() => expect(isDone).toBe(true), 20_000)
  expect(await dead()).toEqual([])
  await stop()
})

test('a failed job of a batch does not fail the others; a deleted dead letter is gone', async () => {
  const { database, queues, stop, add, dead } = await startQueues(1)
  const done = new Set<string>()
  await run(
    queues[0]!,
    async ({ groupId }) => {
      if (groupId === 'bad') throw new Error('no')
      done.add(groupId)
    },
    { batch: 4, concurrency: 2 },
  )
  await add('a', 'bad', 'c')
  await vi.waitFor(async () => expect(await dead()).toHaveLength(1), 20_000)
  expect([...done].toSorted()).toEqual(['a', 'c'])
  const deadLetters = await dead()
  await database.write((tx) =>
    queues[0]!.drop(
      tx,
      deadLetters.map(({ id }) => id),
    ),
  )
  expect(await dead()).toEqual([])
  await stop()
})

test('a backlog is worked off without waiting between batches', async () => {
  const { queues, stop, add } = await startQueues(1, slow)
  let done = 0
  await run(queues[0]!, async () => void done++, { batch: 5, concurrency: 5 })
  await add(...Array.from({ length: 23 }, (_, n) => `g${n}`))
  await vi.waitFor(() => expect(done).toBe(23), 20_000)
  await stop()
})

test('jobs with a lower place run first, whenever they were added', async () => {
  const { database, queues, stop } = await startQueues(1, slow)
  const [queue] = queues as [Queue]
  await database.write(async (tx) => {
    for (const [groupId, place] of [
      ['third', 2],
      ['second', 1],
      ['first', 0],
      ['fourth', 2],
    ] as const)
      await queue.add(tx, 'settle-requests', { groupId }, place)
  })
  const order: string[] = []
  await run(queue, async ({ groupId }) => void order.push(groupId), { batch: 1 })
  await vi.waitFor(() => expect(order).toEqual(['first', 'second', 'third', 'fourth']), 20_000)
  await stop()
})

test('a chore of two processes is done by one of them at a time', async () => {
  const { database, queues, stop } = await startQueues(2)
  let running = 0
  let most = 0
  let runs = 0
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  for (const queue of queues) {
    await queue.every('test-chore', '* * * * *', async () => {
      runs++
      most = Math.max(most, ++running)
      await held
      running--
    })
  }
  await vi.waitFor(() => expect(runs).toBe(1), 20_000)
  // While it runs it is not started a second time, not even on request.
  expect(await database.write((tx) => queues[1]!.runNow(tx, 'test-chore'))).toBe(false)
  letGo()
  await vi.waitFor(async () => {
    await database.write((tx) => queues[0]!.runNow(tx, 'test-chore'))
    expect(runs).toBeGreaterThanOrEqual(3)
  }, 20_000)
  expect(most).toBe(1)
  await stop()
})

test('a job of a transaction that was rolled back is not queued', async () => {
  const { database, queues, stop, add } = await startQueues(1)
  const seen: string[] = []
  await run(queues[0]!, async ({ groupId }) => void seen.push(groupId))
  await expect(
    database.write(async (tx) => {
      await queues[0]!.add(tx, 'settle-requests', { groupId: 'never' })
      throw new Error('changed our mind')
    }),
  ).rejects.toThrow('changed our mind')
  await add('real')
  await vi.waitFor(() => expect(seen).toEqual(['real']), 20_000)
  await stop()
})
