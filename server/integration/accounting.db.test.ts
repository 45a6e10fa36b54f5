/**
 * The accounting program of a company, over plain HTTP and nothing else: it uploads a contract, sends it, gets
 * webhook calls when something happens, and downloads what both sides have signed, byte for byte.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { isUnavailable } from '@kelisim/db/db.ts'
import { addWebhook } from '@kelisim/domain/integration/webhook-contract.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { unpacked } from '../requests/reading/testing-archive.ts'
import { publicUrl } from '../testing.ts'
import { programsOf } from './testing-programs.ts'
import { openWebhookCaller } from './webhooks/caller.ts'
import { startWebhooks } from './webhooks/delivery.ts'

type Message = { type: string; data: { requestId: string; status: string } }
const received: Message[] = []
let webhookSecret = ''
/** A receiver that accepts only messages signed by the secret. */
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
    const key = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64')
    const right = `v1,${createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${body}`)
      .digest('base64')}`
    if (signature === right) received.push(JSON.parse(body) as Message)
    response.writeHead(signature === right ? 204 : 401).end()
  })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const hook = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
const caller = openWebhookCaller({ privateHosts: [hook] })

const app = await startRequestsApp({ webhookCaller: caller })
const server = await app.app.listen({ port: 0, host: '127.0.0.1' })
const faults: unknown[] = []
const webhooks = startWebhooks(
  { database: app.database, caller, queueMail: async () => {}, publicUrl, clock: () => app.time.now },
  {
    everyMs: 20,
    // A database that is too busy is retried, as in production; any other error is a fault.
    onError: (error) => {
      if (!isUnavailable(error)) faults.push(error)
    },
  },
)
afterAll(async () => {
  await webhooks.stop()
  // The program may hold an idle connection, for which the server would wait a minute.
  app.app.server.closeAllConnections()
  await app.app.close()
  receiver.close()
})

async function http(secret: string, method: string, path: string, body?: Buffer | object, headers = {}) {
  const isFile = Buffer.isBuffer(body)
  const response = await fetch(server + path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...(body && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(body && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.status, `${method} ${path}: ${bytes.toString().slice(0, 300)}`).toBe(200)
  return bytes
}

const json = async <T>(...call: Parameters<typeof http>): Promise<T> =>
  JSON.parse((await http(...call)).toString()) as T

type Request = { id: string; status: string; awaitsSignatureAt: string[] }

test('a program uploads, sends, gets webhooks, has both sides sign, and downloads the archive byte for byte', async () => {
  const { signatureOf } = actingIn(app)
  const { makeToken } = programsOf(app)
  const seller = await app.company()
  const buyer = await app.company()
  const director = await seller.group('Директор', seller.owner)
  const route = await seller.route(
    await seller.point('CompanyInternalSign', { groupId: director }),
    await seller.point('ExternalSign', { bin: buyer.bin, emails: ['buyer@example.kz'] }),
  )
  const ours = (await makeToken(seller.owner, seller.organizationId, { name: '1С продавца' })).secret
  const theirs = (await makeToken(buyer.owner, buyer.organizationId, { name: '1С покупателя' })).secret
  const { organizationId } = seller
  const url = `http://${hook}/kelisim`
  const made = await app.call(seller.owner, addWebhook, { organizationId, url, actsAs: seller.owner })
  webhookSecret = made.result.secret

  const connection = await json<{ organization: { isConfirmed: boolean } }>(ours, 'GET', '/api/v1/connection')
  expect(connection.organization.isConfirmed).toBe(true)
  const contract = Buffer.from(goodPdf)
  const text = Buffer.from(`\ufeff${contract.toString('base64').replaceAll(/.{76}/g, '$&\r\n')}`)
  const name = encodeURIComponent('Договор № 15.pdf')
  const upload = await json<{ id: string; sha256: string }>(
    ours,
    'POST',
    `/api/v1/documents?name=${name}&encoding=base64`,
    text,
  )
  expect(upload.sha256).toBe(createHash('sha256').update(contract).digest('hex'))
  const sending = { documentId: upload.id, routeId: route, name: 'Договор № 15' }
  const key = { 'idempotency-key': `15/${randomUUID()}` }
  const sent = await json<Request>(ours, 'POST', '/api/v1/requests', sending, key)
  const again = await json<Request>(ours, 'POST', '/api/v1/requests', sending, key)
  expect(again).toEqual(sent)
  const isTold = (type: string) => () =>
    received.some((one) => one.type === type && one.data.requestId === sent.id)
  await expect.poll(isTold('request.sent'), { timeout: 20_000 }).toBe(true)

  const original = await http(ours, 'GET', `/api/v1/requests/${sent.id}/files/original`)
  expect(original.equals(contract)).toBe(true)
  const path = `/api/v1/requests/${sent.id}`
  const first = await signatureOf(seller.stamp, original)
  const half = await json<Request>(ours, 'POST', `${path}/signatures`, {
    pointId: sent.awaitsSignatureAt[0],
    signature: first,
  })
  expect(half.status).toBe('InProgress')
  const seen = await json<Request>(theirs, 'GET', path)
  const theirCopy = await http(theirs, 'GET', `${path}/files/original`)
  const second = await signatureOf(buyer.stamp, theirCopy)
  await json(theirs, 'POST', `${path}/signatures`, { pointId: seen.awaitsSignatureAt[0], signature: second })

  await expect.poll(isTold('request.completed'), { timeout: 20_000 }).toBe(true)
  const { items } = await json<{ items: Request[] }>(ours, 'GET', `/api/v1/requests/statuses?ids=${sent.id}`)
  expect(items.map(({ status }) => status)).toEqual(['Completed'])
  const archive = await unpacked(await http(ours, 'GET', `${path}/files/signed`))
  const files = [...archive.values()].map((bytes) => bytes.toString('base64'))
  expect(files).toContain(contract.toString('base64'))
  expect(files).toEqual(expect.arrayContaining([first, second]))
  expect((await http(theirs, 'GET', `${path}/files/signed`)).length).toBeGreaterThan(contract.length)
  expect(faults).toEqual([])
}, 120_000)
