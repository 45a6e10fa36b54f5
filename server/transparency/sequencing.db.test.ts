/** Acts do not wait for the log: their events do, and sequencers neither lose nor duplicate any. */
import { createPublicKey } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { openDatabase } from '@kelisim/db/db.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { isConsistent } from '@kelisim/signature/transparency/merkle.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { auditLog } from './audit.ts'
import { signHead } from './heads.ts'
import type { SignedHead } from './queries.ts'
import { openSequencer, sequence } from './sequencing.ts'
import { appendLeaves, consistencyProof } from './tree.ts'

const { database, connection } = await testDatabase()
const testApp = await startRequestsApp({ database })
const { time, logKey } = testApp
const { act } = actingIn(testApp)

const audit = async () => (await auditLog(database.db, createPublicKey(logKey))).faults

const entriesOf = (requestId: string) =>
  database.db
    .selectFrom('logEntries')
    .select(['index', 'number'])
    .where('requestId', '=', requestId)
    .orderBy('index')
    .execute()

const waiting = async () =>
  (await database.db.selectFrom('logWaiting').select('id').execute()).map(({ id }) => id)

/** An organisation with a route that has one approval; `run` sends along it and approves. */
async function sender() {
  const house = await testApp.company()
  const employee = { id: house.employee, organizationId: house.organizationId }
  const routeId = await house.route(await house.point('InternalApprove'))
  return {
    async run() {
      const { status, result } = await house.send(routeId)
      expect(status).toBe(200)
      expect((await act(employee, result, 'InternalApprove', 'approve')).status).toBe(200)
      return result.id
    },
  }
}

test('acts are acknowledged while the log is locked, and enter it afterwards in their order', async () => {
  const house = await sender()
  const holder = new pg.Client(connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select size from log_size for update')
  const id = await house.run()
  expect(await entriesOf(id)).toEqual([])
  await holder.end()
  await sequence(database)
  const numbers = (await entriesOf(id)).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  expect(numbers.length).toBeGreaterThan(2)
  expect(await waiting()).toEqual([])
  expect(await audit()).toEqual([])
})

test('the auditor reports as lost only events that are neither waiting nor in the log', async () => {
  const id = await (await sender()).run()
  expect(await waiting()).not.toEqual([])
  expect(await audit()).toEqual([])
  await database.write((tx) => tx.deleteFrom('logWaiting').where('requestId', '=', id).execute())
  expect(new Set((await audit()).map(({ fault }) => fault))).toEqual(new Set(['event-not-logged']))
  // The events are put back in their order.
  await sql`insert into log_waiting (request_id, number)
    select request_id, number from request_events where request_id = ${id} order by number`.execute(
    database.db,
  )
  await sequence(database)
  expect(await audit()).toEqual([])
})

test('an event that an earlier version of the product has already appended is not appended again', async () => {
  const id = await (await sender()).run()
  const of = await database.db.selectFrom('logWaiting').selectAll().where('requestId', '=', id).execute()
  expect(of.length).toBeGreaterThan(2)
  const size = async () =>
    (await sql<{ size: number }>`select size from log_size`.execute(database.db)).rows[0]!.size
  await sequence(database)
  const before = await size()
  await sql`insert into log_waiting (request_id, number)
    select request_id, number from request_events where request_id = ${id} order by number`.execute(
    database.db,
  )
  await sequence(database)
  expect(await size()).toBe(before)
  expect(await waiting()).toEqual([])
  expect(await audit()).toEqual([])
})

test('no event enters the log before an earlier one of its request', async () => {
  const id = await (await sender()).run()
  const early = database.write((tx) =>
    appendLeaves(tx, [{ requestId: id, number: 2, hash: Buffer.alloc(32) }]),
  )
  await expect(early).rejects.toThrow('an earlier event of the request waits')
  await sequence(database)
  expect(await audit()).toEqual([])
})

test('simultaneous acts are appended together', async () => {
  const house = await sender()
  const append = vi.spyOn(database, 'append')
  const sequencer = openSequencer(database, { gatherMs: 600_000, onError: () => {} })
  await house.run()
  await expect.poll(() => append.mock.calls.length, { timeout: 30_000 }).toBe(1)
  for (let i = 0; i < 3; i++) await house.run()
  expect(append).toHaveBeenCalledTimes(1)
  await sequencer.stop()
  await sequence(database)
  expect(append).toHaveBeenCalledTimes(2)
  append.mockRestore()
  expect(await audit()).toEqual([])
})

test('with simultaneous acts, several sequencers and killed connections every act is in the log once', async () => {
  const senders = await Promise.all(Array.from({ length: 6 }, sender))
  // Acts as several processes, each with the connection of its own sequencer.
  const others = Array.from({ length: 3 }, () => openDatabase({ ...connection, max: 2 }, () => {}))
  afterAll(() => Promise.all(others.map((other) => other.close())))
  const sequencers = others.map((other) =>
    openSequencer(other, { everyMs: 5, gatherMs: 1, onError: () => {} }),
  )
  const heads: SignedHead[] = [await signHead(database, logKey, time.now)]
  const lives = Promise.all(
    senders.map(async (one) => {
      const ids: string[] = []
      for (let i = 0; i < 6; i++) ids.push(await one.run())
      return ids
    }),
  )
  const over = { isOver: false }
  const killing = (async () => {
    let killed = 0
    while (!over.isOver || killed < 10) {
      const { rows } = await sql<{ count: number }>`
        select count(pg_terminate_backend(l.pid))::int as count from pg_locks l
        where l.database = (select oid from pg_database where datname = current_database())
          and l.relation = 'log_size'::regclass and l.mode = 'RowShareLock' and l.granted
          and l.pid <> pg_backend_pid()`.execute(database.db)
      killed += rows[0]!.count
      if (over.isOver && (await waiting()).length === 0) break
      // Signing a head may also meet a killed connection.
      const head = await signHead(database, logKey, time.now).catch(() => undefined)
      if (head) heads.push(head)
    }
    return killed
  })()
  const ids = (await lives).flat()
  over.isOver = true
  expect(await killing).toBeGreaterThan(0)
  await Promise.all(sequencers.map((one) => one.stop()))
  const last = await signHead(database, logKey, time.now)
  for (const id of ids) {
    const events = await database.db
      .selectFrom('requestEvents')
      .select('number')
      .where('requestId', '=', id)
      .orderBy('number')
      .execute()
    const entries = await entriesOf(id)
    expect(entries.map(({ number }) => number)).toEqual(events.map(({ number }) => number))
  }
  for (const head of heads) {
    const proof = await consistencyProof(database.db, head.size, last.size)
    expect(isConsistent(head, last, proof)).toBe(true)
  }
  expect(await audit()).toEqual([])
})
