// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, call, connectionLost, failureOf, timedOut } from '../../api/api.ts'
import { sendBody } from '../../api/transfer.ts'
import { point, request } from '../shared/testing-requests.ts'
import { sendSignature, sendTogether } from './signing-calls.ts'

vi.mock(import('../../api/api.ts'), async (original) => ({ ...(await original()), call: vi.fn() }))
vi.mock(import('../../api/transfer.ts'), async (original) => ({ ...(await original()), sendBody: vi.fn() }))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.mocked(sendBody).mockReset()
  vi.mocked(call).mockReset()
})

/** A proxy answers in place of the server. */
const proxyTimedOut = () => failureOf(504, '<html>504 Gateway Time-out</html>')
const signed = point('p', 'CompanyInternalSign', 'Signed')
const task = { request: request([signed]), point: signed }

function send() {
  return sendSignature({
    organizationId: 'o',
    task,
    comment: '',
    key: 'k',
    signed: { signature: 'c2ln' },
    onBytes: () => {},
  })
}

test.each([
  ['lost', connectionLost],
  ['too late', timedOut],
  ['too late for a proxy', proxyTimedOut],
])('a signature whose response is %s is sent again with the same idempotency key', async (_, failure) => {
  vi.mocked(sendBody)
    .mockRejectedValueOnce(failure())
    .mockResolvedValueOnce(request([signed]))
  const sent = send()
  await vi.runAllTimersAsync()
  expect((await sent).kind).not.toBe('error')
  const keys = vi
    .mocked(sendBody)
    .mock.calls.map(([, , body]) => (JSON.parse(body as string) as { key: string }).key)
  expect(keys).toEqual(['k', 'k'])
})

/** The most calls for each failure: fewer after a timeout, which takes long, than after a lost connection. */
const mostCalls = [
  ['lost', connectionLost, 6],
  ['too late', timedOut, 3],
  ['too late for a proxy', proxyTimedOut, 3],
] as const

test.each(mostCalls)(
  'a signature whose response stays %s is reported as an error',
  async (_, failure, calls) => {
    vi.mocked(sendBody).mockImplementation(() => Promise.reject(failure()))
    const sent = send()
    await vi.runAllTimersAsync()
    expect(await sent).toMatchObject({ kind: 'error', error: { alias: failure().alias } })
    expect(sendBody).toHaveBeenCalledTimes(calls)
  },
)

test.each(mostCalls)(
  'a package of signatures whose response stays %s is reported as an error',
  async (_, failure, calls) => {
    vi.mocked(call).mockImplementation(() => Promise.reject(failure()))
    const ofPackage = { request: { ...request([signed]), package: { id: 'q' } as never }, point: signed }
    const sent = sendTogether({
      organizationId: 'o',
      signed: [{ task: ofPackage, signed: { signature: 'c2ln' } }],
      comment: '',
      keyOf: () => 'k',
    })
    await vi.runAllTimersAsync()
    expect(await sent).toMatchObject([{ kind: 'error', error: { alias: failure().alias } }])
    expect(call).toHaveBeenCalledTimes(calls)
  },
)

test('a signature that meets a newer version of the request, which cannot be read, fails for this document alone', async () => {
  vi.mocked(sendBody).mockRejectedValueOnce(
    new ApiError(400, 'ConcurrencyException', 'request-changed', {}, ''),
  )
  vi.mocked(call).mockImplementation(() => Promise.reject(connectionLost()))
  expect(await send()).toMatchObject({ kind: 'error', error: { alias: 'connection-lost' } })
})
