import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { newId } from '@kelisim/db/id.ts'
import { getCard } from '@kelisim/domain/portal/contract.ts'
import { startQueue } from '../jobs/queue.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { startTestApp } from '../testing.ts'
import { noteKeyOf } from '../transparency/checkpoints.ts'
import { noWitnesses } from '../transparency/witnesses.ts'

const token = 'a-token-for-prometheus'
const scrape = (app: Awaited<ReturnType<typeof startTestApp>>['app'], authorization?: string) =>
  app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })

test('metrics are by routes, kinds and states, and contain no personal data', async () => {
  const { database, connection } = await testDatabase()
  const queue = await startQueue(connection, () => {})
  await queue.stop()
  const testApp = await startRequestsApp({ database, metricsToken: token })
  const company = await testApp.company()
  const route = await company.route(await company.point('CompanyInternalSign'))
  const sent = (await company.send(route)).result
  const { signAt } = actingIn(testApp)
  const employee = { id: company.employee, organizationId: company.organizationId }
  await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  await testApp.call(company.owner, getCard, { organizationId: company.organizationId })
  await testApp.app.inject(`/api/no-such-thing/${newId()}`)
  await database.write((tx) =>
    tx
      .insertInto('backups')
      .values({
        id: newId(),
        endedAt: testApp.time.now,
        place: '/',
        failure: null,
        isVerified: true,
        beganAt: new Date(testApp.time.now.getTime() - 90_000),
        rows: 0,
        files: 0,
        bytes: 0,
      })
      .execute(),
  )
  const { statusCode, payload, headers } = await scrape(testApp.app, `Bearer ${token}`)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toContain('text/plain')
  expect(payload).toMatch(
    /kelisim_http_request_duration_seconds_count\{method="GET",route="[^"]*:organizationId/,
  )
  expect(payload).toContain(
    'kelisim_signature_check_duration_seconds_count{verdict="TOTAL-PASSED",sub_indication=""} 1',
  )
  expect(payload).toContain('kelisim_jobs{queue="')
  expect(payload).toContain('kelisim_backup_age_seconds 90')
  expect(payload).toMatch(/kelisim_storage_free_bytes \d+/)
  for (const name of [
    'nodejs_eventloop_lag_seconds',
    'process_cpu',
    'kelisim_database_connections',
    'kelisim_mails',
  ])
    expect(payload).toContain(name)
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
  expect(payload).not.toMatch(uuid)
  expect(payload).not.toContain(company.bin)
})

test('a check whose process died counts as a failure, not as a response of the certification centre', async () => {
  const testApp = await startRequestsApp({ metricsToken: token }, async () => ({
    faults: ['check-overdue'],
    signers: [],
  }))
  const company = await testApp.company()
  const sent = (await company.send(await company.route(await company.point('CompanyInternalSign')))).result
  const employee = { id: company.employee, organizationId: company.organizationId }
  await actingIn(testApp).signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  const { payload } = await scrape(testApp.app, `Bearer ${token}`)
  expect(payload).toContain('kelisim_signature_check_failures_total 1')
  expect(payload).not.toContain('kelisim_signature_check_duration_seconds_count{')
})

test('metrics show the configured witnesses, not former ones', async () => {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const witness = (origin: string) => ({ key: noteKeyOf({ key, origin }), url: new URL('http://w.example') })
  const { app, database, time } = await startTestApp({
    metricsToken: token,
    witnessing: { ...noWitnesses, witnesses: [witness('w.example/silent'), witness('w.example/asked')] },
  })
  const failure = 'contradicts'
  for (const name of ['w.example/asked', 'w.example/gone'])
    await database.write((tx) =>
      tx.insertInto('logWitnesses').values({ name, askedAt: time.now, failure }).execute(),
    )
  const { payload } = await scrape(app, `Bearer ${token}`)
  expect(payload).toContain('kelisim_log_witness_alarm{witness="w.example/asked"} 1')
  expect(payload).toContain('kelisim_log_witness_alarm{witness="w.example/silent"} 0')
  // The witness has never co-signed anything, so its silence is counted from when it was first asked.
  expect(payload).toMatch(/kelisim_log_witness_seconds\{witness="w\.example\/silent"\} [1-9]/)
  expect(payload).not.toContain('w.example/gone')
  // A state without e-mails is reported as 0, so that the first e-mail shows as a change.
  expect(payload).toContain('kelisim_mails{state="failed"} 0')
})

test('metrics are not found without the token, or if no token is configured', async () => {
  const { app } = await startTestApp({ metricsToken: token })
  for (const wrong of [undefined, '', 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token]) {
    expect((await scrape(app, wrong)).statusCode, wrong).toBe(404)
  }
  const { app: without } = await startTestApp()
  expect((await scrape(without, `Bearer ${token}`)).statusCode).toBe(404)
})
