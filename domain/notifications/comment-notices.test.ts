import { expect, test } from 'vitest'
import { commentNotices, type NotifiedComment } from './comment-notices.ts'
import type { NotifiedPoint, NotifiedRequest, Person } from './notices.ts'

const person = (userId: string, organizationId: string): Person => ({
  userId,
  organizationId,
  isOwner: false,
  email: `${userId}@example.kz`,
})
const [author, buyer, lawyer] = [
  person('author', 'ours'),
  person('buyer', 'theirs'),
  person('lawyer', 'ours'),
]

const point = (change: Partial<NotifiedPoint>): NotifiedPoint => ({
  pointId: 'p',
  type: 'ExternalSign',
  status: 'Waiting',
  organizationId: null,
  people: [],
  responsible: [],
  substitutes: [],
  bin: null,
  emails: [],
  acted: [],
  ...change,
})

const request: NotifiedRequest = {
  organizationId: 'ours',
  authorId: 'author',
  status: 'InProgress',
  author,
  points: [
    point({ pointId: 'i', type: 'InternalApprove', organizationId: 'ours', people: [lawyer] }),
    point({
      pointId: 'b',
      organizationId: 'theirs',
      people: [buyer],
      bin: '111111111111',
      emails: ['buying@example.kz'],
    }),
    point({ pointId: 'e', bin: '222222222222', emails: ['deals@example.kz'] }),
  ],
  terminating: [],
}

const comment: NotifiedComment = {
  actorId: 'author',
  actorNumbers: [],
  isAnswer: false,
  isShared: true,
  organizationId: 'ours',
  writers: [],
  outsiderNumbers: [],
}
const told = (change: Partial<NotifiedComment>, of = request) =>
  commentNotices(of, { ...comment, ...change }).map(({ to }) => to.userId ?? to.email)

test('everybody who is asked is notified of a new shared comment', () => {
  expect(told({})).toEqual(['lawyer', 'buyer', 'buying@example.kz', 'deals@example.kz'])
  expect(told({ actorId: 'buyer', organizationId: 'theirs' })).toEqual([
    'author',
    'lawyer',
    'deals@example.kz',
  ])
})

test('nobody of another side is notified of an internal comment', () => {
  expect(told({ isShared: false })).toEqual(['lawyer'])
  expect(told({ isShared: false, actorId: 'colleague', organizationId: 'theirs' })).toEqual(['buyer'])
})

test('the author and those who wrote before are notified of an answer', () => {
  expect(told({ isAnswer: true, writers: [buyer], actorId: 'lawyer' })).toEqual(['author', 'buyer'])
  expect(told({ isAnswer: true, writers: [buyer], isShared: false })).toEqual([])
})

test('the address of a step is notified of an answer to somebody without an account, but not of their own answer', () => {
  const outsiderNumbers = ['222222222222']
  expect(told({ isAnswer: true, outsiderNumbers })).toEqual(['deals@example.kz'])
  const by = { actorNumbers: outsiderNumbers, actorId: 'x' }
  expect(told({ isAnswer: true, outsiderNumbers, ...by })).toEqual(['author'])
})

test('a side that wrote nothing in a thread is not notified of answers: it may not see the thread', () => {
  expect(told({ isAnswer: true, outsiderNumbers: ['333333333333'] })).toEqual([])
})

test('nobody is notified before their turn', () => {
  const points = request.points.map((one) => ({ ...one, status: 'InQueue' as const }))
  expect(told({}, { ...request, points })).toEqual([])
})
