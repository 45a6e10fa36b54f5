import { describe, expect, test } from 'vitest'
import { newRequest, type RequestPoint, type SigningRequest } from '../requests/life-cycle/request.ts'
import type { Viewer } from '../requests/life-cycle/permissions.ts'
import { requestStatuses, signingStatuses } from '../requests/status.ts'
import { hasCounterparty, seesThread, whyNotComment } from './thread.ts'

const counterparty = {
  pointId: 'p',
  type: 'ExternalSign',
  order: 1,
  condition: 'any',
  isEdsRequired: false,
  participants: [],
  bin: '123456789012',
} as const

function running(change: Partial<SigningRequest> = {}, point: Partial<RequestPoint> = {}): SigningRequest {
  const request = newRequest('author', [counterparty])
  const points = request.points.map((one) => ({ ...one, status: 'Waiting' as const, ...point }))
  return { ...request, status: 'InProgress', points, ...change }
}

const member: Viewer = { id: 'm', numbers: [], organizationId: 'o', isOwner: false }
const outsider: Viewer = { id: 'x', numbers: ['123456789012'], organizationId: null, isOwner: false }

describe('writing a comment', () => {
  test.each(requestStatuses.names)('while the request is %s', (status) => {
    const alias = signingStatuses.includes(status) ? null : 'wrong-request-status'
    expect(whyNotComment(running({ status }), member, true)).toBe(alias)
  })

  test('somebody without an organisation may write to all sides once their turn has come', () => {
    expect(whyNotComment(running(), outsider, true)).toBeNull()
    expect(whyNotComment(running(), outsider, false)).toBe('not-enough-permissions')
    expect(whyNotComment(running({}, { status: 'InQueue' }), outsider, true)).toBe('not-enough-permissions')
  })

  test('somebody whose key the step does not accept may only read', () => {
    const keyRule = { keyHolder: 'head', keyHolderIin: null } as const
    const key = { iin: '900101300123', given: 'employee', powers: [] } as const
    expect(whyNotComment(running({}, { keyRule }), { ...outsider, key }, true)).toBe('not-enough-permissions')
  })

  test('nobody may comment at a personal point', () => {
    const personal = running({}, { isPersonal: true })
    expect(whyNotComment(personal, member, false)).toBe('wrong-request-configuration')
  })
})

test.each([
  ['InternalApprove', null, false],
  ['InternalApprove', '123456789012', true],
  ['ExternalSign', null, true],
  ['ExternalInformation', null, true],
] as const)('%s with the number %s has a counterparty: %s', (type, bin, expected) => {
  expect(hasCounterparty(running({}, { type, bin }))).toBe(expected)
})

describe('reading a thread', () => {
  const internal = { organizationId: 'o', isShared: false, revision: 1 }
  const shared = { organizationId: 'o', isShared: true, revision: 1 }

  test('an internal thread is visible only to its own organisation', () => {
    expect(seesThread(internal, member, [1])).toBe(true)
    expect(seesThread(internal, { organizationId: 'other' }, [1])).toBe(false)
    expect(seesThread(internal, { organizationId: null }, [1])).toBe(false)
  })

  test('a shared thread is visible to everybody who may open the document it is about', () => {
    expect(seesThread(shared, { organizationId: 'other' }, [1, 2])).toBe(true)
    expect(seesThread(shared, outsider, [2])).toBe(false)
  })
})
