/**
 * The database restarts and the storage is gone, while people act: whoever was told that something is done finds it done,
 * once; whoever was not is told to say it again, in the words of the specification.
 */
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
import { openFileChecks } from '../../documents/check/check.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { StorageError, type Storage } from '../../documents/storage/storage.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp, type View } from '../core/testing-requests.ts'

const { database, connection } = await testDatabase()
/** The folder of the tests, which a test can take away. */
const folder = await folderStorage(temporaryFolder())
let isStorageAway = false
const unlessAway =
  <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
  async (...given: A): Promise<R> => {
    if (isStorageAway) throw new StorageError('away')
    return work(...given)
  }
const storage: Storage = {
  ...folder,
  keep: unlessAway(folder.keep),
  borrow: unlessAway(folder.borrow),
  exists: unlessAway(folder.exists),
}
const testApp = await startRequestsApp({ database, archive: { storage, checks: openFileChecks() } })
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

type Said = { status: number; body: View & ErrorBody; retryAfter: unknown }

/** Says it until somebody answers with a yes or with a no of ours; what was answered meanwhile is kept. */
async function insist(who: string, path: string, body: object, answers: Said[]): Promise<Said> {
  for (;;) {
    const answer = await app.inject({
      method: 'POST',
      url: path,
      payload: body,
      headers: { cookie: `session=${await tokenOf(who)}`, origin: publicUrl.origin },
    })
    const said = {
      status: answer.statusCode,
      body: answer.json<View & ErrorBody>(),
      retryAfter: answer.headers['retry-after'],
    }
    answers.push(said)
    if (said.status < 500) return said
  }
}

test('connections end in the middle of acts: nothing acknowledged is lost, nothing is doubled', async () => {
  const answers: Said[] = []
  const done: string[] = []
  const outage = { isOver: false }
  const signature = await signatureOf(company.stamp)

  async function live(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      const id = newId()
      const send = { signingRequestId: id, documentId, routeId: route, name: 'Договор' }
      const sent = fillPath(createRequest.path, { organizationId })
      const { status } = await insist(employee.id, sent.path, send, answers)
      expect(status).toBe(200)
      const acting = { signingRequestId: id, comment: '' }
      const approve = { ...acting, pointId: approval, key: newId() }
      await insist(
        colleague.id,
        `/api/SigningRequests/${organizationId}/InternalApprove/approve`,
        approve,
        answers,
      )
      const sign = { ...acting, pointId: signing, key: newId(), signature }
      await insist(
        employee.id,
        `/api/SigningRequests/${organizationId}/CompanyInternalSign/sign`,
        sign,
        answers,
      )
      done.push(id)
    }
  }

  async function endConnections(): Promise<number> {
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    let ended = 0
    while (!outage.isOver) {
      const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      ended += rowCount ?? 0
      await client.query('select pg_sleep(0.2)')
    }
    await client.end()
    return ended
  }

  // Whoever acts has come before: it is not the coming that is tried here.
  for (const { id } of [employee, colleague]) await tokenOf(id)
  const ending = endConnections()
  await Promise.all([live(), live(), live()])
  outage.isOver = true
  expect(await ending).toBeGreaterThan(5)

  const failures = answers.filter(({ status }) => status !== 200)
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

test('a server that restarts is waited for by nobody: the next call finds it again', async () => {
  await onServer(
    connection,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push((await company.send(route)).status)
  expect(statuses.at(-1)).toBe(200)
})

test('with the storage gone for a minute what needs it is refused and can be said again; the rest goes on', async () => {
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
  // What needs no bytes is done; a signature is kept and judged later.
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
