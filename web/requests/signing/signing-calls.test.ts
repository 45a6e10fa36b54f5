// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectionLost, timedOut } from '../../api/api.ts'
import { sendBody } from '../../api/transfer.ts'
import { point, request } from '../shared/testing-requests.ts'
import { sendSignature } from './signing-calls.ts'

vi.mock(import('../../api/transfer.ts'), async (original) => ({ ...(await original()), sendBody: vi.fn() }))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.mocked(sendBody).mockReset()
})

test.each([
  ['lost', connectionLost],
  ['too late', timedOut],
])('a signature whose answer is %s is sent again with the same key', async (_, failure) => {
  const signed = point('p', 'CompanyInternalSign', 'Signed')
  vi.mocked(sendBody)
    .mockRejectedValueOnce(failure())
    .mockResolvedValueOnce(request([signed]))
  const sent = sendSignature({
    organizationId: 'o',
    task: { request: request([signed]), point: signed },
    comment: '',
    key: 'k',
    signed: { signature: 'c2ln' },
    onBytes: () => {},
  })
  await vi.runAllTimersAsync()
  expect((await sent).kind).not.toBe('error')
  const keys = vi
    .mocked(sendBody)
    .mock.calls.map(([, , body]) => (JSON.parse(body as string) as { key: string }).key)
  expect(keys).toEqual(['k', 'k'])
})
