import { describe, expect, test } from 'vitest'
import type { RequestPoint, SigningRequest } from './request.ts'
import { maySee, seenOf, seesPoint, type Viewer } from './permissions.ts'
import type { PointStatus, RequestStatus } from '../status.ts'

const row = { organizationId: 'ours', authorId: 'author' }

function point(pointId: string, status: PointStatus, change: Partial<RequestPoint> = {}): RequestPoint {
  return {
    pointId,
    type: 'InternalApprove',
    order: 1,
    condition: 'any',
    isEdsRequired: false,
    status,
    participants: ['absent'],
    organizationId: 'ours',
    bin: null,
    acted: [],
    pending: null,
    ...change,
  }
}

const request = (status: RequestStatus, ...points: RequestPoint[]): SigningRequest => ({
  authorId: 'author',
  status,
  revision: 1,
  points,
  termination: null,
  lock: null,
})

const substitute: Viewer = {
  id: 'substitute',
  numbers: [],
  organizationId: 'ours',
  isOwner: false,
  standsInFor: { organizationId: 'ours', people: ['absent'] },
}

describe('a substitute sees a request', () => {
  const sees = (one: SigningRequest, viewer = substitute) => maySee(seenOf(row, one), viewer)

  test.each([
    ['Waiting', 'InProgress', true],
    ['Validation', 'InProgress', true],
    ['ValidationError', 'ValidationFail', true],
    ['InQueue', 'InProgress', false],
    ['Approved', 'InProgress', false],
    ['Approved', 'Completed', false],
    ['Waiting', 'Revoked', false],
    ['Waiting', 'Rejected', false],
  ] as const)('while it waits for the absent colleague: %s of %s', (pointStatus, status, isSeen) => {
    expect(sees(request(status, point('p', pointStatus)))).toBe(isSeen)
  })

  test('but not if the colleague is only informed of it', () => {
    expect(sees(request('InProgress', point('p', 'Waiting', { type: 'InternalInformation' })))).toBe(false)
  })

  test('permanently if they acted in it, in that organisation', () => {
    const done = request('Completed', point('p', 'Approved', { stoodIn: ['substitute'] }))
    expect(sees(done)).toBe(true)
    expect(sees(done, { ...substitute, standsInFor: { organizationId: 'ours', people: [] } })).toBe(true)
    expect(sees(done, { ...substitute, organizationId: 'theirs' })).toBe(false)
  })

  test('whose termination waits for the colleague', () => {
    const signed = point('p', 'Signed', { type: 'CompanyInternalSign' })
    const terminating = (status: PointStatus): SigningRequest => ({
      ...request('Terminating', signed),
      termination: { from: 'Completed', points: [{ ...signed, status }] },
    })
    expect(sees(terminating('Waiting'))).toBe(true)
    expect(sees(terminating('Signed'))).toBe(false)
  })

  test('with all its points, as everybody in the sending organisation does', () => {
    const both = request(
      'InProgress',
      point('a', 'Waiting'),
      point('b', 'InQueue', { participants: ['other'] }),
    )
    expect(seesPoint(seenOf(row, both), point('b', 'InQueue'), substitute)).toBe(true)
  })
})
