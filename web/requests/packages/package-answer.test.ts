import { expect, test } from 'vitest'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { point, request } from '../shared/testing-requests.ts'
import { answerOf, answersOf } from './package-answer.ts'

type Acts = ('sign' | 'approve' | 'reject' | 'withdraw')[]

const at = point('p', 'InternalApprove', 'Waiting')

/** A package; its documents wait at the same point, each for the given answers. */
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

test('an answer is given for all documents of the package that wait for it', () => {
  const view = sent(['approve', 'reject'], [], ['approve', 'reject'])
  const answer = answerOf(view, { act: 'approve', point: at })
  expect(answer?.requests.map(({ id }) => id)).toEqual(['r0', 'r2'])
})

test('an act that is not an answer at a point, or is in a request sent alone, concerns one document', () => {
  expect(answerOf(sent(['withdraw'], ['withdraw']), { act: 'withdraw', point: null })).toBeNull()
  expect(answerOf(request([at]), { act: 'approve', point: at })).toBeNull()
})

test('answers are offered for all documents at once if at least two wait for them', () => {
  const offered = answersOf(sent(['approve', 'reject'], ['approve', 'reject'], ['sign']))
  expect(offered.map(({ act, requests }) => [act, requests.length])).toEqual([
    ['approve', 2],
    ['reject', 2],
  ])
  expect(answersOf(sent(['sign'], []))).toEqual([])
})
