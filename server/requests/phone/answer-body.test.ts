import { request, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, expect, test, vi } from 'vitest'
import { Refusal } from '@kelisim/domain/errors.ts'
import { bodyLimit, fewLargeAtOnce, takeAnswers } from './answer-body.ts'
import { PhoneRefusal } from './phone-refusal.ts'

const app = Fastify()
afterAll(() => app.close())
let beingRead = 0
app.addHook('preParsing', async () => void beingRead++)
app.setErrorHandler((error, _, reply) => {
  if (error instanceof PhoneRefusal) return reply.status(error.status).send(error.why)
  return reply.status(503).send(error instanceof Refusal ? error.alias : String(error))
})
takeAnswers(app, (scope) => {
  scope.put('/answer', { bodyLimit, onRequest: fewLargeAtOnce() }, async ({ body }) => JSON.stringify(body))
})
await app.listen({ port: 0, host: '127.0.0.1' })

const put = (payload: string) =>
  app.inject({ method: 'PUT', url: '/answer', payload, headers: { 'content-type': 'application/json' } })

test('an answer with the documents is read', async () => {
  const answer = JSON.stringify({
    status: 'CANCELED',
    documentsToSign: [{ id: 1, data: 'A'.repeat(2_000_000) }],
  })
  expect((await put(answer)).body).toBe(answer)
})

test.each([
  ['of a million empty objects', `[${'{},'.repeat(1_000_000)}{}]`],
  ['of lists inside lists', '['.repeat(1_000_000)],
  ['of a million numbers', `[${'1,'.repeat(1_000_000)}1]`],
])('an answer %s is refused before it is parsed', async (_, answer) => {
  const { statusCode, body } = await put(answer)
  expect([statusCode, body]).toEqual([400, 'malformed'])
})

/** Begins to send a body of this many bytes. */
function begun(bytes: number): { call: ClientRequest; status: Promise<number> } {
  const { port } = app.server.address() as AddressInfo
  const headers = { 'content-type': 'application/json', 'content-length': bytes }
  const call = request({ port, host: '127.0.0.1', method: 'PUT', path: '/answer', headers })
  const status = new Promise<number>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
  })
  call.write('"')
  return { call, status }
}

test('three large bodies are read at once, a fourth is refused until one of them has ended', async () => {
  const text = 'A'.repeat(2_000_000)
  const before = beingRead
  const three = [1, 2, 3].map(() => begun(text.length + 2))
  await vi.waitUntil(() => beingRead === before + 3, { timeout: 30_000 })
  const refused = await put(`"${text}"`)
  expect([refused.statusCode, refused.body]).toEqual([503, 'service-unavailable'])
  expect((await put('"small"')).statusCode).toBe(200)
  three[0]!.call.end(`${text}"`)
  expect(await three[0]!.status).toBe(200)
  await vi.waitFor(async () => expect((await put(`"${text}"`)).statusCode).toBe(200), { timeout: 30_000 })
  for (const { call, status } of three.slice(1)) {
    call.destroy()
    await expect(status).rejects.toThrow()
  }
})
