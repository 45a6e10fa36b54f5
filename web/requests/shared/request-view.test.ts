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

test('the status of a waiting point names the awaited act, that of a notice whether it was confirmed', () => {
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

test('nobody is awaited in a finished request', () => {
  const said = (status: PointStatus) => pointStatusWord(point('p', 'ExternalSign', status), true)
  expect(said('InQueue')).toBe('notReached')
  expect(said('Waiting')).toBe('notNeeded')
  expect(said('Signed')).toBe('Signed')
})

test('points of the same order form a step, which is done when all of them are', () => {
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

test('the main action is to sign, approve or confirm; actions that end the request come last', () => {
  const seen = request(
    [point('p', 'CompanyInternalSign', 'Waiting')],
    may(['withdraw', null], ['reject', 'p'], ['sign', 'p']),
  )
  const { main, others } = sortedActions(seen)
  expect(main?.act).toBe('sign')
  expect(others.map(({ act }) => act)).toEqual(['reject', 'withdraw'])
  expect(sortedActions(request([], may(['terminate', null]))).main).toBeNull()
})

test('a request shows what it waits for from the person, otherwise its status', () => {
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
      title: '',
      fileName: '',
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

test('the changed points between two versions are found', () => {
  const before = request([point('a', 'InternalApprove', 'Waiting'), point('b', 'ExternalSign', 'InQueue')])
  const after = request([point('a', 'InternalApprove', 'Approved'), point('b', 'ExternalSign', 'InQueue')])
  expect(changedPoints(before, after)).toEqual({ signing: ['a'], terminating: [] })
})

test('a termination that begins changes nothing in the route that was signed', () => {
  const signed = [point('a', 'CompanyInternalSign', 'Signed'), point('b', 'ExternalSign', 'Signed')]
  const attempt = (number: number, ...points: PointView[]) =>
    request(signed, {
      termination: {
        attempt: number,
        title: 'Соглашение о расторжении — Договор',
        fileName: 'Соглашение о расторжении — Договор.pdf',
        begunBy: { fullName: '' },
        begunAt: '2026-11-15T10:00:00Z',
        comment: 'Конец',
        points,
      },
    })
  const [first, second] = [
    point('a', 'CompanyInternalSign', 'Waiting'),
    point('b', 'ExternalSign', 'InQueue'),
  ]
  const begun = attempt(1, first, second)
  expect(changedPoints(request(signed), begun)).toEqual({ signing: [], terminating: ['a'] })
  const rejected = attempt(1, point('a', 'CompanyInternalSign', 'Rejected'), second)
  expect(changedPoints(begun, rejected)).toEqual({ signing: [], terminating: ['a'] })
  expect(changedPoints(rejected, attempt(2, first, second))).toEqual({ signing: [], terminating: ['a'] })
})
