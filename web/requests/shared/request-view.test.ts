import { expect, test } from 'vitest'
import type { PointType } from '@kelisim/domain/points/point-types.ts'
import { requestStatuses, type PointStatus } from '@kelisim/domain/requests/status.ts'
import { pointStatusWord } from '@kelisim/domain/requests/point-status-word.ts'
import {
  awaitedOf,
  changedPoints,
  sortedActions,
  stepsOf,
  awaitedParticipants,
  type ActName,
} from './request-view.ts'
import { point, request } from './testing-requests.ts'

const may = (...acts: [ActName, string | null][]) => ({
  acts: acts.map(([act, pointId]) => ({ act, pointId })),
})

test('waiting is said by what is waited for, a notice by whether it was confirmed', () => {
  const said = (type: PointType, status: PointStatus) => pointStatusWord(point('p', type, status))
  expect(said('InternalApprove', 'Waiting')).toBe('onApproving')
  expect(said('ExternalSign', 'Waiting')).toBe('onSigning')
  expect(said('CounterParty', 'Waiting')).toBe('onSigning')
  expect(said('InternalInformationConfirm', 'Waiting')).toBe('onNotified')
  expect(said('InternalInformationConfirm', 'Notified')).toBe('Confirmed')
  expect(said('ExternalInformation', 'Notified')).toBe('Notified')
  expect(said('CompanyInternalSign', 'ValidationError')).toBe('ValidationError')
  expect(pointStatusWord({ ...point('p', 'ExternalSign', 'Waiting'), status: 0 })).toBe('unknown')
})

test('of a request that is over nobody is said to be waited for', () => {
  const said = (status: PointStatus) => pointStatusWord(point('p', 'ExternalSign', status), true)
  expect(said('InQueue')).toBe('notReached')
  expect(said('Waiting')).toBe('notNeeded')
  expect(said('Signed')).toBe('Signed')
})

test('points of one order are one step, which is done when all of them are', () => {
  const steps = stepsOf([
    point('c', 'ExternalSign', 'InQueue', { order: 5 }),
    point('a', 'InternalApprove', 'Approved'),
    point('b', 'InternalApprove', 'Waiting'),
  ])
  expect(steps.map(({ state, points }) => [state, points.map(({ pointId }) => pointId)])).toEqual([
    ['now', ['a', 'b']],
    ['queue', ['c']],
  ])
  expect(
    stepsOf([point('a', 'InternalApprove', 'Approved'), point('b', 'InternalApprove', 'Rejected')])[0]?.state,
  ).toBe('bad')
})

test('the one primary act is to sign, approve or confirm; what ends it stands behind', () => {
  const seen = request(
    [point('p', 'CompanyInternalSign', 'Waiting')],
    may(['withdraw', null], ['reject', 'p'], ['sign', 'p']),
  )
  const { main, others } = sortedActions(seen)
  expect(main?.act).toBe('sign')
  expect(others.map(({ act }) => act)).toEqual(['reject', 'withdraw'])
  expect(sortedActions(request([], may(['terminate', null]))).main).toBeNull()
})

test('it is said what it waits for from the person before it, else its status says it all', () => {
  const mine = { isMine: true }
  const approving = point('p', 'InternalApprove', 'Waiting', mine)
  expect(awaitedOf(request([approving], may(['approve', 'p'])))).toBe('approve')
  expect(awaitedOf(request([approving], may(['sign', 'p'])))).toBe('eds')
  expect(awaitedOf(request([point('p', 'CompanyInternalSign', 'Validation', mine)]))).toBe('checking')
  expect(awaitedOf(request([point('p', 'CompanyInternalSign', 'Validation')]))).toBeNull()
  const terminating = request([], {
    status: requestStatuses.of('Terminating'),
    termination: {
      attempt: 1,
      begunBy: { fullName: '' },
      begunAt: '2026-11-15T10:00:00Z',
      comment: 'Конец',
      points: [point('p', 'CompanyInternalSign', 'Waiting', mine)],
    },
    ...may(['sign', 'p'], ['reject', 'p']),
  })
  expect(awaitedOf(terminating)).toBe('signTermination')
  expect(awaitedParticipants(terminating)).toEqual(['p'])
})

test('what changed between two versions is known by its points', () => {
  const before = request([point('a', 'InternalApprove', 'Waiting'), point('b', 'ExternalSign', 'InQueue')])
  const after = request([point('a', 'InternalApprove', 'Approved'), point('b', 'ExternalSign', 'InQueue')])
  expect(changedPoints(before, after)).toEqual(['a'])
})
