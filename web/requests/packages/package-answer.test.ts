import { expect, test } from 'vitest'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { point, request } from '../shared/testing-requests.ts'
import { answerOf, answersOf } from './package-answer.ts'

type Acts = ('sign' | 'approve' | 'reject' | 'withdraw')[]

const at = point('p', 'InternalApprove', 'Waiting')

/** A package whose documents wait for these answers at the same point. */
const sent = (...each: Acts[]) =>
  request([at], {
    package: {
      id: 'package',
      name: 'Сделка',
      isTogether: true,
      requests: each.map((acts, i) => ({
        id: `r${i}`,
        name: `Документ ${i}`,
        status: requestStatuses.of('InProgress'),
        revision: 1,
        acts: acts.map((act) => ({ act, pointId: act === 'withdraw' ? null : 'p' })),
      })),
    },
  })

test('an answer goes with all documents that wait for it', () => {
  const view = sent(['approve', 'reject'], [], ['approve', 'reject'])
  const answer = answerOf(view, { act: 'approve', point: at })
  expect(answer?.requests.map(({ id }) => id)).toEqual(['r0', 'r2'])
})

test('what is no answer at a point, and a request that was sent alone, are answered alone', () => {
  expect(answerOf(sent(['withdraw'], ['withdraw']), { act: 'withdraw', point: null })).toBeNull()
  expect(answerOf(request([at]), { act: 'approve', point: at })).toBeNull()
})

test('offered at once is what waits in at least two documents', () => {
  const offered = answersOf(sent(['approve', 'reject'], ['approve', 'reject'], ['sign']))
  expect(offered.map(({ act, requests }) => [act, requests.length])).toEqual([
    ['approve', 2],
    ['reject', 2],
  ])
  expect(answersOf(sent(['sign'], []))).toEqual([])
})
