import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { openDatabase } from '@kelisim/db/db.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { newId } from '@kelisim/db/id.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { invite } from '@kelisim/domain/portal/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { startQueue } from '../jobs/queue.ts'
import { createOutboundCaller } from '../signatures/outbound/call.ts'
import { publicUrl, startTestApp } from '../testing.ts'
import { startExport } from './export.ts'
import { collectSpansIn, currentRequestId, noteStatement } from './tracing.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, string> }[]
  status: { code?: number }
}
type Export = { resourceSpans: { resource: object; scopeSpans: { spans: Span[] }[] }[] }

const closing: (() => unknown)[] = []
afterAll(async () => {
  collectSpansIn(undefined)
  for (const close of closing.toReversed()) await close()
})

/** A collector, or any other service, that records the bodies and headers it was called with. */
async function service<T>(take: (body: unknown, headers: Record<string, unknown>) => T) {
  const taken: T[] = []
  const server = createServer((request, response) => {
    const body = request.method === 'POST' ? json(request) : Promise.resolve(undefined)
    void body.then((read) => {
      taken.push(take(read, request.headers))
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return { taken, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const proxySpan = '00f067aa0ba902b7'
const requestId = 'proxy-0193b3a2-8f0e'

test('a call, its SQL statements, its job and the outbound calls of the job have one trace and one request id', async () => {
  const collector = await service((body) => body as Export)
  const outside = await service((_, headers) => headers)
  const exporting = startExport(
    { url: new URL(`http://${collector.host}/v1/traces`), headers: {}, serviceName: 'kelisim', share: 1 },
    '1.0.0',
    ({ reason }) => expect.fail(reason),
  )
  collectSpansIn(exporting)
  const { connection } = await testDatabase()
  const database = openDatabase(connection, () => {}, {}, noteStatement)
  closing.push(() => database.close())
  const queue = await startQueue(connection, () => {})
  closing.push(() => queue.stop())
  const { app, make, tokenOf } = await startTestApp({
    database,
    http: { trustProxy: 1 },
    queues: { queueMail: (tx) => queue.add(tx, 'deliver-mail', { mailId: newId() }) },
  })
  const caller = createOutboundCaller({
    known: { configured: new Set([outside.host]), private: new Set([outside.host]) },
  })
  const worked: { data: object; requestId: string | undefined }[] = []
  await queue.run('deliver-mail', async (data) => {
    await caller.call({ address: `http://${outside.host}/ocsp`, method: 'GET', maxBytes: 100 })
    worked.push({ data, requestId: currentRequestId() })
  })
  const owner = await make.person()
  const organizationId = await make.organization(owner)
  const headers = {
    origin: publicUrl.origin,
    cookie: `session=${await tokenOf(owner)}`,
    'x-request-id': requestId,
    traceparent: `00-${traceId}-${proxySpan}-01`,
  }

  const uploaded = await app.inject({
    method: 'POST',
    url: `/api/Documents/${organizationId}`,
    query: { name: 'Тайный договор.pdf', visibilityScope: '1' },
    payload: goodPdf,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
  })
  expect(uploaded.statusCode).toBe(200)
  expect(uploaded.headers['x-request-id']).toBe(requestId)
  const invited = await app.inject({
    method: 'POST',
    url: fillPath(invite.path, { organizationId }).path,
    payload: { email: 'guest@example.kz', roles: roles.of('PointsAdministrator'), language: 'ru' },
    headers,
  })
  expect(invited.statusCode, invited.body).toBe(200)
  await vi.waitFor(() => expect(worked).toHaveLength(1), 20_000)
  expect(worked[0]).toEqual({ data: { mailId: expect.any(String) as string }, requestId })
  await exporting.stop()

  const spans = collector.taken.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
  const named = (name: string) => spans.find((span) => span.name === name)!
  const upload = named('POST /api/Documents/:organizationId')
  const inviting = named(`POST ${invite.path}`)
  const job = named('deliver-mail')
  expect([upload, inviting]).toMatchObject([
    { traceId, parentSpanId: proxySpan, kind: 2, status: {} },
    { traceId, parentSpanId: proxySpan },
  ])
  expect(named('with files')).toMatchObject({ traceId, parentSpanId: upload.spanId, kind: 3 })
  expect(job).toMatchObject({ traceId, parentSpanId: inviting.spanId, kind: 5 })
  const asked = named(`GET ${outside.host}`)
  expect(asked).toMatchObject({ traceId, parentSpanId: job.spanId })
  expect(outside.taken[0]).toMatchObject({
    'x-request-id': requestId,
    traceparent: `00-${traceId}-${asked.spanId}-01`,
  })
  for (const span of spans) {
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  }
  const everything = JSON.stringify(spans)
  for (const secret of [organizationId, owner, 'guest@example.kz', 'договор'])
    expect(everything).not.toContain(secret)
})

test('request ids of callers are ignored without a trusted proxy', async () => {
  const { app } = await startTestApp()
  const { headers } = await app.inject({ url: '/health/live', headers: { 'x-request-id': requestId } })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-/)
})
