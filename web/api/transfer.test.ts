// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '@kelisim/domain/endpoint.ts'
import { sendFile } from './file-api.ts'
import { readBytes } from './transfer.ts'

const upload = endpoint({
  method: 'POST',
  path: '/api/upload',
  access: 'anyone',
  summary: 'Takes a file',
  input: z.object({ name: z.string() }),
  result: z.object({ id: z.string() }),
  refusals: [],
})

/** An XMLHttpRequest that the test itself answers. */
class FakeRequest extends EventTarget {
  static last: FakeRequest
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  isAborted = false
  constructor() {
    super()
    FakeRequest.last = this
  }
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  getResponseHeader(): null {
    return null
  }
  abort(): void {
    this.isAborted = true
    this.dispatchEvent(new Event('abort'))
    this.dispatchEvent(new Event('loadend'))
  }
  answer(status: number, text: string): void {
    this.status = status
    this.responseText = text
    this.dispatchEvent(new Event('load'))
    this.dispatchEvent(new Event('loadend'))
  }
  sent(loaded: number): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total: 100 }))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Records the result or the failure of a transfer. */
function watch(transfer: Promise<unknown>) {
  const state: { result?: unknown; failure?: unknown } = {}
  transfer.then(
    (result) => (state.result = result),
    (failure: unknown) => (state.failure = failure),
  )
  return state
}

function send(onProgress = (_: number) => {}) {
  const person = new AbortController()
  const state = watch(sendFile(upload, { name: 'a' }, new Blob(['x']), { signal: person.signal, onProgress }))
  return { state, person, request: FakeRequest.last }
}

const almost = 99_000

test('an upload may last as long as bytes move, and fails when none move for 100 seconds', async () => {
  const onProgress = vi.fn()
  const { state, request } = send(onProgress)
  for (const sent of [10, 20, 30]) {
    await vi.advanceTimersByTimeAsync(almost)
    request.sent(sent)
  }
  expect(onProgress.mock.calls).toEqual([[10], [20], [30]])
  await vi.advanceTimersByTimeAsync(almost)
  expect(state).toEqual({})
  await vi.advanceTimersByTimeAsync(1000)
  expect(state.failure).toMatchObject({ alias: 'request-timeout', className: 'HttpException' })
  expect(request.isAborted).toBe(true)
})

test('an upload that got its response is not aborted later', async () => {
  const { state, request } = send()
  request.answer(200, '{"id":"1"}')
  await vi.advanceTimersByTimeAsync(200_000)
  expect(state).toEqual({ result: { id: '1' } })
  expect(request.isAborted).toBe(false)
})

test('a response to an upload that is not ours is reported as a lost connection', async () => {
  const { state, request } = send()
  request.answer(200, '<html>Wi-Fi</html>')
  await vi.advanceTimersByTimeAsync(0)
  expect(state.failure).toMatchObject({ alias: 'connection-lost' })
})

test('an upload that the person cancels ends with their reason', async () => {
  const { state, person } = send()
  person.abort('not wanted')
  await vi.advanceTimersByTimeAsync(0)
  expect(state.failure).toBe('not wanted')
})

/** A server that sends a file piece by piece. */
function sending() {
  let body!: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) })
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    signal?.addEventListener('abort', () => body.error(signal.reason))
    return { ok: true, status: 200, headers: new Headers(), body: stream } as unknown as Response
  })
  return {
    send: (...bytes: number[]) => body.enqueue(new Uint8Array(bytes)),
    end: () => body.close(),
    fail: () => body.error(new TypeError('network error')),
  }
}

test('a download may last as long as bytes move', async () => {
  const server = sending()
  const state = watch(readBytes('/file', {}))
  for (const byte of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(almost)
    server.send(byte)
  }
  server.end()
  vi.useRealTimers()
  await vi.waitFor(() => expect(state.result).toBeDefined(), 30_000)
  expect([...new Uint8Array(state.result as ArrayBuffer)]).toEqual([1, 2, 3])
})

test('a download fails when no bytes move for 100 seconds', async () => {
  const server = sending()
  const state = watch(readBytes('/file', {}))
  server.send(1)
  await vi.advanceTimersByTimeAsync(almost)
  expect(state).toEqual({})
  await vi.advanceTimersByTimeAsync(1000)
  expect(state.failure).toMatchObject({ alias: 'request-timeout' })
})

test('a download without any response fails after 100 seconds', async () => {
  vi.stubGlobal(
    'fetch',
    (_: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  const state = watch(readBytes('/file', {}))
  await vi.advanceTimersByTimeAsync(100_000)
  expect(state.failure).toMatchObject({ alias: 'request-timeout' })
})

test('a download that breaks off is reported as a lost connection', async () => {
  const server = sending()
  const state = watch(readBytes('/file', {}))
  server.send(1)
  server.fail()
  await vi.advanceTimersByTimeAsync(0)
  expect(state.failure).toMatchObject({ alias: 'connection-lost' })
})
