import { expect, test } from 'vitest'
import type { PointType } from '@kelisim/domain/points/point-types.ts'
import { requestStatuses, type PointStatus } from '@kelisim/domain/requests/status.ts'
import { pointStatusWord } from '@kelisim/domain/requests/point-status-word.ts'
import {
  awaitedOf,
  awaitedSides,
  consequenceOf,
  changedPoints,
  processOfRequest,
  signedCount,
  sortedActions,
  stepsOf,
  type ActName,
  type PointView,
} from './request-view.ts'
import { point, request } from './testing-requests.ts'

const may = (...acts: [ActName, string | null][]) => ({
  acts: acts.map(([act, pointId]) => ({ act, pointId })),
})

test('the status of a waiting point names the awaited act; that of an information point says if it was confirmed', () => {
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

test('an approval by a signature is not among the signatures of the document', () => {
  const acts: PointView['acts'] = [
    { act: 'signed', fullName: 'Айгерим', at: '2026-11-15T10:00:00Z', comment: '', signatureId: 's' },
  ]
  const approval = point('a', 'InternalApprove', 'Approved', { acts, isEdsPresentationRequired: true })
  expect(signedCount([approval, point('b', 'ExternalSign', 'Waiting')])).toBe(0)
  expect(signedCount([approval, point('b', 'ExternalSign', 'Signed', { acts })])).toBe(1)
  expect(signedCount([point('c', 'InternalInformationConfirm', 'Notified', { acts })])).toBe(1)
})

test('a request with a status that this page does not know counts as being signed', () => {
  expect(processOfRequest(request([], { status: 1 << 20 }))).toBe('signing')
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

test('the main action is to sign, approve or confirm; withdrawing and terminating are separate', () => {
  const seen = request(
    [point('p', 'CompanyInternalSign', 'Waiting')],
    may(['withdraw', null], ['reject', 'p'], ['sign', 'p']),
  )
  const { main, others, endings } = sortedActions(seen)
  expect(main?.act).toBe('sign')
  expect(others.map(({ act }) => act)).toEqual(['reject'])
  expect(endings.map(({ act }) => act)).toEqual(['withdraw'])
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
  expect(awaitedSides(terminating).map(({ name }) => name)).toEqual(['p'])
})

const person = (fullName: string) => ({ id: fullName, fullName })
const approval = (fullName: string, insteadOf?: string) => ({
  act: 'approved' as const,
  fullName,
  at: '2026-11-15T11:00:00Z',
  comment: '',
  signatureId: null,
  ...(insteadOf !== undefined && { insteadOf }),
})

test('those who have not answered are named, with the time since which they are awaited', () => {
  const all = point('Комиссия', 'InternalApprove', 'Waiting', {
    agreementCondition: 'all',
    participants: [person('Ерлан'), person('Гүлнар'), person('Данияр')],
    acts: [approval('Ерлан'), approval('Мария', 'Данияр')],
    turnCameAt: '2026-11-15T10:00:00Z',
  })
  const any = point('Юристы', 'InternalApprove', 'Waiting', {
    participants: [person('Ерлан'), person('Гүлнар')],
  })
  expect(awaitedSides(request([all, any, point('Потом', 'ExternalSign', 'InQueue')]))).toEqual([
    {
      pointId: 'Комиссия',
      name: 'Комиссия',
      people: ['Гүлнар'],
      needed: 1,
      since: '2026-11-15T10:00:00Z',
    },
    { pointId: 'Юристы', name: 'Юристы', people: ['Ерлан', 'Гүлнар'], needed: 1, since: null },
  ])
  expect(awaitedSides(request([point('p', 'CompanyInternalSign', 'Validation')]))).toEqual([])
})

test('a quorum awaits as many answers as are missing, and may not be reached by the next answer', () => {
  const people = ['Ерлан', 'Гүлнар', 'Данияр', 'Мария']
  const board = point('Комиссия', 'InternalApprove', 'Waiting', {
    quorum: 3,
    participants: people.map(person),
    acts: [approval('Ерлан')],
  })
  expect(awaitedSides(request([board]))).toMatchObject([{ people: ['Гүлнар', 'Данияр', 'Мария'], needed: 2 }])
  expect(consequenceOf({ act: 'approve', point: board }, request([board]))).toEqual({
    leadsTo: 'others',
    others: [{ name: 'Комиссия', more: 1 }],
  })
})

test('a document goes on after an answer only if nobody else has to answer', () => {
  const mine = point('Комиссия', 'InternalApprove', 'Waiting', {
    agreementCondition: 'all',
    participants: [person('Ерлан'), person('Гүлнар')],
  })
  const lawyers = point('Юристы', 'InternalApprove', 'Waiting')
  const later = point('Руководство', 'CompanyInternalSign', 'InQueue', { order: 2 })
  const after = (asked: PointView, ...others: PointView[]) =>
    consequenceOf({ act: 'approve', point: asked }, request([asked, ...others]))
  expect(after(mine, lawyers, later)).toEqual({
    leadsTo: 'others',
    others: [
      { name: 'Комиссия', more: 1 },
      { name: 'Юристы', more: 0 },
    ],
  })
  expect(after(lawyers, later)).toEqual({ leadsTo: 'next' })
  expect(after({ ...mine, acts: [approval('Ерлан')] })).toEqual({ leadsTo: 'end' })
  // Points of the sender, which another side does not see, may follow.
  const elsewhere = request([lawyers], { route: null })
  expect(consequenceOf({ act: 'approve', point: lawyers }, elsewhere)).toEqual({ leadsTo: 'unknown' })
})

test('the changed points between two versions are found', () => {
  const before = request([point('a', 'InternalApprove', 'Waiting'), point('b', 'ExternalSign', 'InQueue')])
  const after = request([point('a', 'InternalApprove', 'Approved'), point('b', 'ExternalSign', 'InQueue')])
  expect(changedPoints(before, after)).toEqual({ signing: ['a'], terminating: [] })
})

test('a termination that begins changes only its own points, not those that were signed', () => {
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
