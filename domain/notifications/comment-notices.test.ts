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

test('a new shared comment is told to everybody who is asked', () => {
  expect(told({})).toEqual(['lawyer', 'buyer', 'buying@example.kz', 'deals@example.kz'])
  expect(told({ actorId: 'buyer', organizationId: 'theirs' })).toEqual([
    'author',
    'lawyer',
    'deals@example.kz',
  ])
})

test('an internal one is told to nobody of another side', () => {
  expect(told({ isShared: false })).toEqual(['lawyer'])
  expect(told({ isShared: false, actorId: 'colleague', organizationId: 'theirs' })).toEqual(['buyer'])
})

test('an answer is told to the author and to those who wrote before', () => {
  expect(told({ isAnswer: true, writers: [buyer], actorId: 'lawyer' })).toEqual(['author', 'buyer'])
  expect(told({ isAnswer: true, writers: [buyer], isShared: false })).toEqual([])
})

test('an answer to somebody without an account goes to the address of their step, not to their own comment', () => {
  const outsiderNumbers = ['222222222222']
  expect(told({ isAnswer: true, outsiderNumbers })).toEqual(['deals@example.kz'])
  const by = { actorNumbers: outsiderNumbers, actorId: 'x' }
  expect(told({ isAnswer: true, outsiderNumbers, ...by })).toEqual(['author'])
})

test('an answer is not told to a side that wrote nothing there: it may not see the thread', () => {
  expect(told({ isAnswer: true, outsiderNumbers: ['333333333333'] })).toEqual([])
})

test('nobody is told before their turn', () => {
  const points = request.points.map((one) => ({ ...one, status: 'InQueue' as const }))
  expect(told({}, { ...request, points })).toEqual([])
})
