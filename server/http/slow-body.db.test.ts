/** A body that comes too slowly does not hold its connection. */
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { readdirSync } from 'node:fs'
import { publicUrl, startTestApp } from '../testing.ts'
import { goodPdf } from '../documents/testing-corpus.ts'

const context = await startTestApp()
const { app, make, tokenOf, archive } = context
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const ownerId = await make.person()
const organizationId = await make.organization(ownerId)
const cookie = `session=${await tokenOf(ownerId)}`

/** Sends the first half of the body and waits until it is being received. */
async function halfSent(half: Buffer) {
  const { port } = app.server.address() as AddressInfo
  const call = request({
    port,
    method: 'POST',
    path: `/api/Documents/${organizationId}?name=a.pdf&visibilityScope=1`,
    headers: {
      origin: publicUrl.origin,
      cookie,
      'content-type': 'application/octet-stream',
      'content-length': goodPdf.length,
    },
  })
  const response = new Promise<{ status: number; body: string; isClosed: boolean }>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (incoming) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (body += piece))
      incoming.once('close', () =>
        resolve({ status: incoming.statusCode!, body, isClosed: incoming.headers.connection === 'close' }),
      )
    })
  })
  call.write(half)
  await vi.waitUntil(() => readdirSync(archive.storage.incoming).length > 0, { timeout: 30_000 })
  return { call, response }
}

test('an upload below 1 KB/s over half a minute is ended with an error body', async () => {
  const { response } = await halfSent(goodPdf.subarray(0, 100))
  vi.advanceTimersByTime(60_000)
  const { status, body, isClosed } = await response
  expect([status, isClosed]).toEqual([408, true])
  expect((JSON.parse(body) as ErrorBody).ExceptionData.Alias).toBe('upload-too-slow')
  await vi.waitUntil(() => readdirSync(archive.storage.incoming).length === 0, { timeout: 30_000 })
})

test('a complete body may be checked for as long as it takes', async () => {
  const { call, response } = await halfSent(goodPdf.subarray(0, 100))
  call.end(goodPdf.subarray(100))
  const { status } = await response
  vi.advanceTimersByTime(60_000)
  expect(status).toBe(200)
})
