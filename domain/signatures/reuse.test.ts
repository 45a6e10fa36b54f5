import { expect, test } from 'vitest'
import { reuseFault, twinsWithin, type SignatureUse } from './reuse.ts'

const at = new Date('2026-11-16T09:00:00Z')
const later = (milliseconds: number) => new Date(at.getTime() + milliseconds)
const here = { requestId: 'here', actorId: 'aigerim', hasAccount: true, receivedAt: at }
const twin = { requestId: 'there', actorId: 'aigerim', receivedAt: at }

test.each<[string, SignatureUse[], Partial<typeof here>, ReturnType<typeof reuseFault>]>([
  ['nowhere else', [], {}, null],
  ['nowhere else, without an account', [], { hasAccount: false }, null],
  ['in another request, by the same person', [twin], {}, null],
  ['in many other requests, by the same person', [twin, { ...twin, requestId: 'third' }], {}, null],
  ['in another request, at the last moment', [twin], { receivedAt: later(twinsWithin) }, null],
  ['in another request, a moment too late', [twin], { receivedAt: later(twinsWithin + 1) }, 'used-before'],
  ['in another request that came later', [twin], { receivedAt: later(-twinsWithin - 1) }, 'used-before'],
  ['in another request, without an account', [twin], { hasAccount: false }, 'used-before'],
  ['at another point of this request', [{ ...twin, requestId: 'here' }], {}, 'used-before'],
  ['there and at another point of this request', [twin, { ...twin, requestId: 'here' }], {}, 'used-before'],
  ['in another request, by somebody else', [{ ...twin, actorId: 'berik' }], {}, 'given-by-another'],
  ['by the same person and by somebody else', [twin, { ...twin, actorId: 'berik' }], {}, 'given-by-another'],
])('a signature that was accepted %s', (_, accepted, change, expected) =>
  expect(reuseFault({ ...here, ...change }, accepted)).toBe(expected),
)
