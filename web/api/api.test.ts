// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '@kelisim/domain/endpoint.ts'
import { ApiError, call } from './api.ts'
import { isConnectionLost, noteConnection } from './connection.ts'

const getCount = endpoint({
  method: 'GET',
  path: '/api/count',
  access: 'anyone',
  summary: 'A number',
  input: z.object({}),
  result: z.object({ count: z.number() }),
  refusals: [],
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  noteConnection(true)
})

/** A response that begins to arrive and whose body then fails with the given error. */
function breakingOff(status: number, why: () => Promise<never>): Response {
  return Object.assign(new Response(null, { status }), { json: why, text: why })
}

const answer = (response: Response) => vi.stubGlobal('fetch', async () => response)
const lost = () => Promise.reject(new TypeError('network error'))

test('the result of a call is what the server answers', async () => {
  answer(new Response('{"count":3}'))
  expect(await call(getCount, {})).toEqual({ count: 3 })
})

test.each([
  ['an answer', 200],
  ['a refusal', 400],
])('a connection that breaks while %s is read is reported as lost', async (_, status) => {
  answer(breakingOff(status, lost))
  await expect(call(getCount, {})).rejects.toMatchObject({
    name: 'ApiError',
    alias: 'connection-lost',
    className: 'TemporaryUnavailableException',
  })
  expect(isConnectionLost()).toBe(true)
})

test('a response that is not ours, as of a network that asks to sign in, is reported as a lost connection', async () => {
  answer(new Response('<html>Wi-Fi</html>'))
  await expect(call(getCount, {})).rejects.toMatchObject({ name: 'ApiError', alias: 'connection-lost' })
})

test('the limit of 100 seconds also applies to reading a response', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  answer(
    breakingOff(200, () => {
      limit.abort()
      return Promise.reject(new DOMException('', 'TimeoutError'))
    }),
  )
  await expect(call(getCount, {})).rejects.toMatchObject({
    name: 'ApiError',
    alias: 'request-timeout',
    className: 'HttpException',
  })
  expect(timeout).toHaveBeenCalledWith(100_000)
  expect(isConnectionLost()).toBe(false)
})

test('a call that its page cancelled is not reported as a lost connection', async () => {
  const page = new AbortController()
  const reason = new DOMException('', 'AbortError')
  answer(
    breakingOff(200, () => {
      page.abort(reason)
      return Promise.reject(reason)
    }),
  )
  await expect(call(getCount, {}, page.signal)).rejects.toBe(reason)
  expect(isConnectionLost()).toBe(false)
})

test('an error response without our error body is taken for one of a newer version', async () => {
  answer(new Response('<html>oops</html>', { status: 400 }))
  await expect(call(getCount, {})).rejects.toMatchObject({ className: 'OldVersionException' })
})

test('a refusal has the alias and the parameters of its body', async () => {
  const body = {
    ClassName: 'ConcurrencyException',
    Type: 'Test',
    ExceptionData: { Alias: 'request-changed', Parameters: { version: 2 } },
    Message: 'changed',
  }
  answer(new Response(JSON.stringify(body), { status: 409 }))
  const error = await call(getCount, {}).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 409, alias: 'request-changed', parameters: { version: 2 } })
})
