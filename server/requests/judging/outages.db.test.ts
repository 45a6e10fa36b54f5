/**
 * The database restarts and the storage is unavailable while people act: acknowledged acts are done once; other calls are
 * refused as temporarily unavailable, as the specification says.
 */
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { onServer, testDatabase } from '@kelisim/db/testing.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import { downloadRequestFile } from '@kelisim/domain/requests/files-contract.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { testWorkers } from '../../testing-workers.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { StorageError, type Storage } from '../../documents/storage/storage.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp, type View } from '../core/testing-requests.ts'

const { database, connection } = await testDatabase()
/** The storage of the tests, which a test can make unavailable. */
const folder = await folderStorage(temporaryFolder())
let isStorageAway = false
const unlessAway =
  <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    if (isStorageAway) throw new StorageError('away')
    return work(...args)
  }
const storage: Storage = {
  ...folder,
  keep: unlessAway(folder.keep),
  borrow: unlessAway(folder.borrow),
  exists: unlessAway(folder.exists),
}
const testApp = await startRequestsApp({ database, archive: { storage, checks: testWorkers.checks } })
const { app, call, tokenOf } = testApp
const { act, signAt, signatureOf } = actingIn(testApp)
const company = await testApp.company()
const { organizationId } = company
const employee = { id: company.employee, organizationId }
const colleague = { id: company.colleague, organizationId }
const approval = await company.point('InternalApprove')
const signing = await company.point('CompanyInternalSign')
const route = await company.route(approval, signing)
const documentId = (await company.upload(employee.id, organizationId)).result.id

type CallResult = { status: number; body: View & ErrorBody; retryAfter: unknown }

/** Repeats the call until its status is below 500; adds every response to `responses`. */
async function callUntilAnswered(
  who: string,
  path: string,
  body: object,
  responses: CallResult[],
): Promise<CallResult> {
  for (;;) {
    const response = await app.inject({
      method: 'POST',
      url: path,
      payload: body,
      headers: { cookie: `session=${await tokenOf(who)}`, origin: publicUrl.origin },
    })
    const result = {
      status: response.statusCode,
      body: response.json<View & ErrorBody>(),
      retryAfter: response.headers['retry-after'],
    }
    responses.push(result)
    if (result.status < 500) return result
  }
}

test('broken database connections lose no acknowledged act and repeat none', async () => {
  const responses: CallResult[] = []
  const done: string[] = []
  const outage = { isOver: false }
  // One signature for each request, made before the outage begins.
  const signatures: string[] = []
  for (let i = 0; i < 24; i++) signatures.push(await signatureOf(company.stamp))

  async function live(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      const id = newId()
      const send = { signingRequestId: id, documentId, routeId: route, name: 'Договор' }
      const sent = fillPath(createRequest.path, { organizationId })
      const { status } = await callUntilAnswered(employee.id, sent.path, send, responses)
      expect(status).toBe(200)
      const acting = { signingRequestId: id, comment: '' }
      const approve = { ...acting, pointId: approval, key: newId() }
      await callUntilAnswered(
        colleague.id,
        `/api/SigningRequests/${organizationId}/InternalApprove/approve`,
        approve,
        responses,
      )
      const signature = signatures.pop()
      const sign = { ...acting, pointId: signing, key: newId(), signature }
      await callUntilAnswered(
        employee.id,
        `/api/SigningRequests/${organizationId}/CompanyInternalSign/sign`,
        sign,
        responses,
      )
      done.push(id)
    }
  }

  async function endConnections(): Promise<number> {
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    let ended = 0
    const answered = () => responses.filter(({ status }) => status < 500).length
    while (!outage.isOver) {
      const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      ended += rowCount ?? 0
      // Waits for a number of answers and not for a time, so that a slow machine makes progress too.
      const next = answered() + 2
      while (answered() < next && !outage.isOver) await setTimeout(5)
    }
    await client.end()
    return ended
  }

  // Both have signed in before: signing in is not what is tested here.
  for (const { id } of [employee, colleague]) await tokenOf(id)
  const ending = endConnections()
  await Promise.all([live(), live(), live()])
  outage.isOver = true
  expect(await ending).toBeGreaterThan(5)

  const failures = responses.filter(({ status }) => status !== 200)
  expect(failures.length).toBeGreaterThan(0)
  for (const { status, body, retryAfter } of failures) {
    expect([status, body.ClassName, body.Type, body.ExceptionData]).toEqual([
      503,
      'TemporaryUnavailableException',
      'Unavailable',
      { Alias: 'service-unavailable', Parameters: {} },
    ])
    expect(retryAfter).toBeDefined()
  }
  const events = await database.db
    .selectFrom('requestEvents')
    .select(({ fn }) => ['requestId', 'type', fn.countAll<number>().as('count')])
    .where('requestId', 'in', done)
    .where('actor', 'is not', null)
    .groupBy(['requestId', 'type'])
    .execute()
  expect(events).toHaveLength(done.length * 3)
  expect(events.filter(({ count }) => count !== 1)).toEqual([])
})

test('calls succeed again after the database restarts', async () => {
  await onServer(
    connection,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push((await company.send(route)).status)
  expect(statuses.at(-1)).toBe(200)
})

test('during a storage outage calls that need it are refused and can be repeated; others work', async () => {
  const { result: sent } = await company.send(route)
  const { result: other } = await company.send(route)
  await act(colleague, other, 'InternalApprove', 'approve')
  await signAt(employee, other, 'CompanyInternalSign', company.stamp)
  const download = async () => {
    const { path } = fillPath(downloadRequestFile.path, {
      organizationId,
      signingRequestId: sent.id,
      file: 'original',
    })
    const headers = { cookie: `session=${await tokenOf(employee.id)}`, origin: publicUrl.origin }
    return app.inject({ url: path, headers })
  }
  const terminate = { organizationId, signingRequestId: other.id, comment: 'Не надо', key: newId() }
  const send = { organizationId, documentId, routeId: route, name: 'Договор', signingRequestId: newId() }

  isStorageAway = true
  const refusals = [
    (await download()).json<ErrorBody>(),
    (await call(employee.id, terminateRequest, terminate)).error,
    (await call(employee.id, createRequest, send)).error,
  ]
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      ClassName: 'TemporaryUnavailableException',
      Type: 'Unavailable',
      ExceptionData: { Alias: 'file-storage-error' },
    })
  }
  // Acts that need no file succeed; a signature is stored and judged later.
  expect((await act(colleague, sent, 'InternalApprove', 'approve')).status).toBe(200)
  const { result: signed } = await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  expect(signed.points[1]!.signatures).toMatchObject([{ state: 'checking' }])

  isStorageAway = false
  expect((await download()).statusCode).toBe(200)
  expect((await call(employee.id, terminateRequest, terminate)).status).toBe(200)
  expect((await call(employee.id, createRequest, send)).status).toBe(200)
  expect(aliasOf(await call(employee.id, terminateRequest, { ...terminate, key: newId() }))).toBe(
    'wrong-request-status',
  )
})
