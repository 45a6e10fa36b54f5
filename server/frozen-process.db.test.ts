/**
 * A process that stands still (a paused machine, a debugger, exhausted memory) in the middle of a transaction, while it
 * holds the lock of the transparency log that every act of everybody needs.
 */
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
import { openFileChecks } from './documents/check/check.ts'
import { folderStorage } from './documents/storage/folder.ts'
import { startRequestsApp } from './requests/core/testing-requests.ts'
import { publicUrl } from './testing.ts'
import { needSite, startCentre, startMain, type Main, type MainSettings } from './testing-main.ts'

const { database, connection } = await testDatabase()
const dataDir = temporaryFolder()
const storage = await folderStorage(join(dataDir, 'files'))
const since = Date.now()
const { nation, time, tokenOf, company } = await startRequestsApp({
  database,
  archive: { storage, checks: openFileChecks() },
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

/** Two processes are started, and one of them is waited for. */
const slow = { timeout: 120_000 }

const patient = { timeout: 60_000, interval: 10 }

/** As the kernel names it; T: stopped. */
const stateOfFrozen = () => /\) (\w)/.exec(readFileSync(`/proc/${frozen.child.pid}/stat`, 'utf8'))?.[1]

const countBackendsOnLog = async () => {
  const { rows } = await sql<{ pid: number }>`
    select distinct a.pid from pg_stat_activity a join pg_locks l using (pid)
    where a.datname = current_database() and a.state = 'active' and a.pid <> pg_backend_pid()
      and l.relation = 'log_size'::regclass`.execute(database.db)
  return rows.length
}

/** Stops the process between two statements of a send, after it has taken the lock of the log. */
async function freezeWhile(send: () => unknown): Promise<void> {
  const gate = new pg.Client(connection)
  await gate.connect()
  await gate.query('begin')
  await gate.query('lock table log_entries in exclusive mode')
  send()
  await expect.poll(countBackendsOnLog, patient).toBe(1)
  frozen.child.kill('SIGSTOP')
  await expect.poll(stateOfFrozen, patient).toBe('T')
  await gate.query('commit')
  await gate.end()
}

const sentCount = async (requestId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from request_events
    where request_id = ${requestId} and type = 'sent'`.execute(database.db)
  return rows[0]!.count
}

test('a frozen process that holds the log stops nobody, and does nothing twice later', slow, async () => {
  const input = { ...first.form, signingRequestId: newId() }
  let sending: ReturnType<typeof callAt> | undefined
  await freezeWhile(() => (sending = callAt(frozen, first.employee, createRequest, input)))

  const { employee, organizationId, form } = second
  const list = { organizationId, skip: 0, take: 10, path: 'my' }
  const others = await Promise.all([
    callAt(healthy, employee, createRequest, form),
    callAt(healthy, employee, createRequest, form),
    callAt(healthy, employee, getDocuments, list),
  ])
  expect(others).toEqual(others.map(() => ({ status: 200, alias: undefined })))

  frozen.child.kill('SIGCONT')
  expect(await sending).toEqual({ status: 503, alias: 'service-unavailable' })
  expect(await sentCount(input.signingRequestId)).toBe(0)
  expect(await callAt(frozen, first.employee, createRequest, input)).toMatchObject({ status: 200 })
  expect(await sentCount(input.signingRequestId)).toBe(1)
})
