/**
 * A process that is frozen (a paused machine, a debugger, exhausted memory) in the middle of a transaction: that of
 * an act, or that of the sequencer, which holds the lock of the transparency log.
 */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { getDocuments } from '@kelisim/domain/documents/contract.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import { testWorkers } from './testing-workers.ts'
import { folderStorage } from './documents/storage/folder.ts'
import { startRequestsApp } from './requests/core/testing-requests.ts'
import { publicUrl } from './testing.ts'
import { auditLog } from './transparency/audit.ts'
import { readLogKey } from './transparency/key.ts'
import { measureWaiting } from './transparency/queries.ts'
import { needSite, startCentre, startMain, type Main, type MainSettings } from './testing-main.ts'

const { database, connection } = await testDatabase()
const dataDir = temporaryFolder()
const storage = await folderStorage(join(dataDir, 'files'))
const since = Date.now()
const { nation, time, tokenOf, company } = await startRequestsApp({
  database,
  archive: { storage, checks: testWorkers.checks },
})

/** An organisation with what it needs for sending: a route and a document. */
async function sender() {
  const here = await company()
  const routeId = await here.route(await here.point('InternalApprove'))
  const { status, result } = await here.upload(here.employee, here.organizationId)
  expect(status).toBe(200)
  const form = { organizationId: here.organizationId, documentId: result.id, routeId, name: 'Договор' }
  return { employee: here.employee, organizationId: here.organizationId, form }
}

const [first, second] = [await sender(), await sender()]
let frozen: Main
let healthy: Main

beforeAll(async () => {
  needSite()
  const clockOffset = time.now.getTime() - since
  const centre = await startCentre(nation, () => new Date(Date.now() + clockOffset), dataDir)
  const settings: MainSettings = {
    connection: connection as MainSettings['connection'],
    dataDir,
    clockOffset,
    centre,
  }
  frozen = await startMain(settings)
  healthy = await startMain(settings)
}, 120_000)
afterAll(() => [frozen, healthy].forEach(({ child }) => child.kill('SIGKILL')))

async function callAt(
  { address }: Main,
  personId: string,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  input: Record<string, unknown>,
) {
  const { path: filled, rest } = fillPath(path, input)
  const query = method === 'GET' ? `?${new URLSearchParams(rest as Record<string, string>)}` : ''
  const response = await fetch(address + filled + query, {
    method,
    headers: {
      cookie: `session=${await tokenOf(personId)}`,
      origin: publicUrl.origin,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(rest) }),
  })
  const body = (await response.json()) as { ExceptionData?: { Alias: string } }
  return { status: response.status, alias: body.ExceptionData?.Alias }
}

/** Long enough to start two processes and to wait until one of them is given up. */
const slow = { timeout: 120_000 }

const patient = { timeout: 60_000, interval: 10 }

/** The process state as the kernel names it; T: stopped. */
const stateOfFrozen = () => /\) (\w)/.exec(readFileSync(`/proc/${frozen.child.pid}/stat`, 'utf8'))?.[1]

/** Counts the database connections that wait for a lock on the table. */
const countWaitingFor = async (table: string) => {
  const { rows } = await sql<{ pid: number }>`
    select distinct l.pid from pg_locks l
    where not l.granted and l.relation = ${table}::regclass`.execute(database.db)
  return rows.length
}

const countSilent = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(database.db)
  return rows[0]!.count
}

const countWaitingEvents = async () => (await measureWaiting(database.db)).count

/** Freezes the process in a transaction while it waits to write into the table, then lets that statement finish. */
async function freezeAt(table: string, send: () => unknown): Promise<void> {
  const gate = new pg.Client(connection)
  await gate.connect()
  await gate.query('begin')
  await gate.query(`lock table ${table} in exclusive mode`)
  send()
  await expect.poll(() => countWaitingFor(table), patient).toBe(1)
  frozen.child.kill('SIGSTOP')
  await expect.poll(stateOfFrozen, patient).toBe('T')
  await gate.query('commit')
  await gate.end()
}

const othersGoOn = async () => {
  const { employee, organizationId, form } = second
  const list = { organizationId, skip: 0, take: 10, path: 'my' }
  const others = await Promise.all([
    callAt(healthy, employee, createRequest, form),
    callAt(healthy, employee, createRequest, form),
    callAt(healthy, employee, getDocuments, list),
  ])
  expect(others).toEqual(others.map(() => ({ status: 200, alias: undefined })))
}

const sentCount = async (requestId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from request_events
    where request_id = ${requestId} and type = 'sent'`.execute(database.db)
  return rows[0]!.count
}

test(
  'a process frozen in the middle of an act blocks nobody, and does nothing twice when it goes on',
  slow,
  async () => {
    const input = { ...first.form, signingRequestId: newId() }
    let sending: ReturnType<typeof callAt> | undefined
    await freezeAt('request_events', () => (sending = callAt(frozen, first.employee, createRequest, input)))
    await othersGoOn()
    // The database ends the transaction of the frozen process by its timeout.
    await expect.poll(countSilent, patient).toBe(0)
    frozen.child.kill('SIGCONT')
    expect(await sending).toEqual({ status: 503, alias: 'service-unavailable' })
    expect(await sentCount(input.signingRequestId)).toBe(0)
    expect(await callAt(frozen, first.employee, createRequest, input)).toMatchObject({ status: 200 })
    expect(await sentCount(input.signingRequestId)).toBe(1)
  },
)

test(
  'a process frozen while it is the sequencer of the log blocks nobody: another one takes over',
  slow,
  async () => {
    await expect.poll(countWaitingEvents, patient).toBe(0)
    const input = { ...first.form, signingRequestId: newId() }
    let sending: ReturnType<typeof callAt> | undefined
    // Only the sequencer of the process to be frozen is active: the other one has nothing to do yet.
    await freezeAt('log_entries', () => (sending = callAt(frozen, first.employee, createRequest, input)))
    await othersGoOn()
    await expect.poll(countWaitingEvents, patient).toBe(0)
    const key = createPublicKey(readLogKey(join(dataDir, 'log-key.pem'))!)
    expect((await auditLog(database.db, key)).faults).toEqual([])
    frozen.child.kill('SIGCONT')
    // The call succeeds, because its act was committed before the sequencer touched the log.
    expect(await sending).toMatchObject({ status: 200 })
    expect(await sentCount(input.signingRequestId)).toBe(1)
  },
)
