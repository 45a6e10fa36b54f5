import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointTypes, sideOf, type PointType } from '../points/point-types.ts'
import { type Actor } from '../requests/actors.ts'
import { apply } from '../requests/life-cycle/apply.ts'
import type { Command } from '../requests/life-cycle/commands.ts'
import { decide } from '../requests/life-cycle/decide.ts'
import { type RequestEvent, isNews } from '../requests/life-cycle/events.ts'
import { newRequest, type SigningRequest } from '../requests/life-cycle/request.ts'
import { actsOf } from '../requests/life-cycle/why-not.ts'
import type { Deadline } from '../requests/deadlines/deadline.ts'
import { hasCome, maySee } from '../requests/life-cycle/permissions.ts'
import {
  recipientKey,
  noticesOf,
  remindersOf,
  tellsNobody,
  type Notice,
  type Person,
  type NotifiedRequest,
} from './notices.ts'

const now = new Date('2026-11-15T10:00:00Z')
const bin = '240540017348'
const person = (userId: string, organizationId = 'ours'): Person => ({
  userId,
  organizationId,
  isOwner: false,
  email: `${userId}@example.kz`,
})
const author = person('author')
const theirs = { ...person('theirs', 'other'), isOwner: true }

type Shape = {
  type: PointType
  order: number
  people?: Person[]
  responsible?: string[]
  emails?: string[]
  substitutes?: Person[]
  condition?: 'any' | 'all'
  quorum?: number
  deadline?: Deadline
  /** The people who are told when the deadline passes. */
  escalation?: { people: Person[]; mayAct: boolean }
}

const isOutside = (type: PointType) => sideOf(type) === 'external'

/** A request with these points, and functions that act on it. */
function walk(shapes: readonly Shape[]) {
  let request: SigningRequest = newRequest(
    'author',
    shapes.map(({ type, order, people = [], condition = 'any', quorum, deadline, escalation }, i) => ({
      pointId: `p${i}`,
      type,
      order,
      condition,
      quorum: quorum ?? null,
      deadline: deadline ?? null,
      organizationId: people[0]?.organizationId ?? null,
      escalation: escalation
        ? { people: escalation.people.map(({ userId }) => userId), mayAct: escalation.mayAct }
        : null,
      isEdsRequired: false,
      participants: people.map(({ userId }) => userId),
      bin: isOutside(type) ? bin : null,
    })),
  )
  let number = 0
  let terminating: SigningRequest['points'] = []
  const pointsOf = (points: SigningRequest['points']) =>
    points.map((point) => {
      const shape = shapes[Number(point.pointId.slice(1))]
      const { people = [], responsible = [], emails = [], substitutes = [] } = shape
      const organizationId = people[0]?.organizationId ?? null
      const escalation = shape.escalation
        ? { ...shape.escalation, isTold: (point.told ?? []).length > 0 }
        : null
      return { ...point, people, responsible, emails, substitutes, organizationId, escalation }
    })
  const currentRequest = (): NotifiedRequest => ({
    organizationId: 'ours',
    authorId: 'author',
    status: request.status,
    author,
    points: pointsOf(request.points),
    terminating: pointsOf(terminating),
  })
  function happen(command: Command, comment = '', lateSignerId: string | null = null): Notice[] {
    const events = decide(request, command, now)
    const by = doerOf(command, events)
    request = events.reduce(apply, request)
    if (request.termination) terminating = request.termination.points
    const happened = events.map((event, i) => ({
      number: ++number,
      type: event.type,
      hasComment: i === 0 && comment !== '',
      process: 'process' in event ? event.process : ('signing' as const),
      pointId: 'pointId' in event ? event.pointId : null,
      lateSignerId: event.type === 'signature-refused' ? lateSignerId : null,
    }))
    return noticesOf(currentRequest(), { actorId: by, events: happened })
  }
  const by = (id: string): Actor => ({ id, numbers: id === 'outsider' ? [bin] : [] })
  return {
    happen,
    notifiedRequest: currentRequest,
    request: () => request,
    start: () => happen({ type: 'start' }),
    /** Signs, and the signature is accepted at once. */
    sign: (id: string, pointId: string) => {
      const signatureId = `${id} ${pointId} ${number}`
      happen({ type: 'sign', pointId, by: by(id), signatureId })
      return happen({ type: 'accept-signature', signatureId })
    },
    /** Signs, and the signature is refused; `lateSignerId` if the signer no longer waited for the result. */
    refuse: (id: string, pointId: string, lateSignerId: string | null) => {
      const signatureId = `${id} ${pointId} ${number}`
      happen({ type: 'sign', pointId, by: by(id), signatureId })
      return happen({ type: 'refuse-signature', signatureId }, '', lateSignerId)
    },
    act: (act: 'approve' | 'confirm' | 'reject', id: string, pointId: string, comment = '') =>
      happen({ type: act, pointId, by: by(id) }, comment),
    end: (act: 'withdraw' | 'terminate', id: string) => happen({ type: act, by: by(id) }),
  }
}

function doerOf(command: Command, events: readonly RequestEvent[]): string | null {
  if ('by' in command) return command.by.id
  if (command.type === 'start') return 'author'
  const judged = events.find((event) => event.type === 'signature-accepted')
  return judged?.type === 'signature-accepted' ? judged.by : null
}

/** `recipient kind` of each notice, with `!act` if the recipient has to act. */
const summaryOf = (notices: readonly Notice[]) =>
  notices.map(({ to, kind, asks }) => `${recipientKey(to)} ${kind}${asks ? `!${asks}` : ''}`).toSorted()

const [a, b, c] = [person('a'), person('b'), person('c')]
const twoSign: Shape[] = [
  { type: 'CompanyInternalSign', order: 1, people: [a] },
  { type: 'CompanyInternalSign', order: 2, people: [b] },
]
const outside: Shape = { type: 'ExternalSign', order: 2, people: [theirs], emails: ['deals@other.kz'] }
const signThenOutside: Shape[] = [{ type: 'CompanyInternalSign', order: 1, people: [a] }, outside]

const deadline: Deadline = { remindOn: '2026-11-18', dueOn: '2026-11-19', told: 'nothing' }

describe('who is notified of', () => {
  test('a deadline: those who are asked on the day before, and with the author when it is over', () => {
    const { start, happen } = walk([
      { ...twoSign[0], people: [a, b], deadline },
      { ...twoSign[1], deadline },
    ])
    start()
    expect(summaryOf(happen({ type: 'tell-deadlines', today: '2026-11-17' }))).toEqual([])
    expect(summaryOf(happen({ type: 'tell-deadlines', today: '2026-11-18' }))).toEqual([
      'a reminder!sign',
      'b reminder!sign',
    ])
    expect(summaryOf(happen({ type: 'tell-deadlines', today: '2026-11-20' }))).toEqual([
      'a overdue',
      'author overdue',
      'b overdue',
    ])
    expect(summaryOf(happen({ type: 'tell-deadlines', today: '2026-11-21' }))).toEqual([])
  })

  test.each([
    { mayAct: false, told: 'c escalated' },
    { mayAct: true, told: 'c escalated!sign' },
  ])('a deadline that passed: also those whom the route names for it ($told)', ({ mayAct, told }) => {
    const { start, happen } = walk([
      { ...twoSign[0], deadline, escalation: { people: [c], mayAct } },
      { ...twoSign[1], deadline, escalation: { people: [b], mayAct } },
    ])
    start()
    expect(summaryOf(happen({ type: 'tell-deadlines', today: '2026-11-20' }))).toEqual([
      'a overdue',
      'author overdue',
      told,
    ])
    expect(summaryOf(happen({ type: 'tell-deadlines', today: '2026-11-21' }))).toEqual([])
  })

  test('a deadline of another side: its addresses too', () => {
    const { start, happen } = walk([{ ...outside, order: 1, deadline }])
    start()
    expect(summaryOf(happen({ type: 'tell-deadlines', today: '2026-11-20' }))).toEqual([
      'author overdue',
      'mailto:deals@other.kz overdue',
      'theirs overdue',
    ])
  })

  test('a request for me: current participants, and later ones for information', () => {
    expect(summaryOf(walk(twoSign).start())).toEqual(['a request-for-me!sign', 'b request-for-me'])
  })

  test('a turn: participants who were notified of the request before', () => {
    const { start, sign } = walk(twoSign)
    start()
    expect(summaryOf(sign('a', 'p0'))).toEqual(['author signed', 'b turn-came!sign'])
  })

  test('an external turn: the people of the number and the addresses from the sender', () => {
    const { start, sign } = walk(signThenOutside)
    expect(summaryOf(start())).toEqual(['a request-for-me!sign'])
    expect(summaryOf(sign('a', 'p0'))).toEqual([
      'author signed',
      'mailto:deals@other.kz request-for-me!sign',
      'theirs request-for-me!sign',
    ])
  })

  test('an information point: its people, when its turn comes', () => {
    const { start, sign } = walk([twoSign[0], { type: 'InternalInformation', order: 2, people: [c] }])
    expect(summaryOf(start())).toEqual(['a request-for-me!sign'])
    expect(summaryOf(sign('a', 'p0'))).toEqual(['author completed', 'c request-for-me!inform'])
  })

  test('a signature: the author and those who acted before, but not the signer', () => {
    const { start, sign } = walk([...twoSign, { type: 'CompanyInternalSign', order: 3, people: [c] }])
    start()
    sign('a', 'p0')
    expect(summaryOf(sign('b', 'p1'))).toEqual(['a signed', 'author signed', 'c turn-came!sign'])
  })

  test('a signature that is refused later: its signer, who is asked again, and the author', () => {
    const { start, refuse } = walk([{ type: 'CompanyInternalSign', order: 1, people: [a, b] }])
    start()
    expect(summaryOf(refuse('a', 'p0', null))).toEqual([])
    expect(summaryOf(refuse('a', 'p0', 'a'))).toEqual([
      'a signature-refused!sign',
      'author signature-refused',
    ])
  })

  test('a signature of somebody without an account that is refused later: the addresses from the sender', () => {
    const { start, refuse } = walk([{ ...outside, order: 1, people: [] }])
    start()
    expect(summaryOf(refuse('outsider', 'p0', 'outsider'))).toEqual([
      'author signature-refused',
      'mailto:deals@other.kz signature-refused!sign',
    ])
  })

  test('a rejection: also those who need not act any more', () => {
    const { start, sign, act } = walk([
      ...twoSign,
      { type: 'InternalApprove', order: 2, people: [c, person('d')] },
    ])
    start()
    sign('a', 'p0')
    expect(summaryOf(act('reject', 'c', 'p2', 'Цена не та'))).toEqual([
      'a rejected',
      'author rejected',
      'b rejected',
      'd rejected',
    ])
  })

  test('a withdrawal: those who acted and those who had to act', () => {
    const { start, sign, end } = walk(twoSign)
    start()
    sign('a', 'p0')
    expect(summaryOf(end('withdraw', 'author'))).toEqual(['a revoked', 'b revoked'])
  })

  test('the end of a request: once, without a notice of the last signature', () => {
    const { start, sign } = walk(twoSign)
    start()
    sign('a', 'p0')
    expect(summaryOf(sign('b', 'p1'))).toEqual(['a completed', 'author completed'])
  })

  test('a termination: the signers, and the first of them has to sign', () => {
    const { start, sign, end, act } = walk(twoSign)
    start()
    sign('a', 'p0')
    sign('b', 'p1')
    expect(summaryOf(end('terminate', 'b'))).toEqual(['a terminating!sign', 'author terminating'])
    expect(summaryOf(act('reject', 'a', 'p0'))).toEqual(['author rejected', 'b rejected'])
  })

  test('a completed termination', () => {
    const { start, sign, end, happen } = walk(twoSign)
    start()
    sign('a', 'p0')
    sign('b', 'p1')
    end('terminate', 'b')
    expect(summaryOf(sign('a', 'p0'))).toEqual(['author signed', 'b turn-came!sign'])
    expect(summaryOf(sign('b', 'p1'))).toEqual(['a signed', 'author signed'])
    expect(summaryOf(happen({ type: 'finish-termination' }))).toEqual([
      'a terminated',
      'author terminated',
      'b terminated',
    ])
  })

  test('a comment with an approval, but not an approval without one', () => {
    const { start, act } = walk([
      { type: 'InternalApprove', order: 1, people: [a, b], condition: 'all' },
      { type: 'InternalInformationConfirm', order: 2, people: [c] },
    ])
    start()
    expect(summaryOf(act('approve', 'a', 'p0'))).toEqual([])
    expect(summaryOf(act('approve', 'b', 'p0', 'Согласен, если в срок'))).toEqual([
      'a comment',
      'author comment',
      'c turn-came!confirm',
    ])
  })

  test('a decision: those of the group who were asked and did not act', () => {
    const { start, act } = walk([
      { type: 'InternalApprove', order: 1, people: [a, b, c], quorum: 2 },
      { type: 'CompanyInternalSign', order: 2, people: [c] },
    ])
    start()
    expect(summaryOf(act('approve', 'a', 'p0'))).toEqual([])
    expect(summaryOf(act('approve', 'b', 'p0'))).toEqual(['c turn-came!sign'])
    const alone = walk([
      { type: 'InternalApprove', order: 1, people: [a, b, c], quorum: 2 },
      { type: 'ExternalSign', order: 2, emails: ['deals@other.kz'] },
    ])
    alone.start()
    alone.act('approve', 'a', 'p0')
    expect(summaryOf(alone.act('approve', 'b', 'p0'))).toContain('c decided')
  })

  test('a reminder: current participants who have not acted', () => {
    const { start, act, notifiedRequest } = walk([
      { type: 'InternalApprove', order: 1, people: [a, b], condition: 'all' },
      { type: 'CompanyInternalSign', order: 2, people: [c] },
    ])
    start()
    act('approve', 'a', 'p0')
    expect(summaryOf(remindersOf(notifiedRequest()))).toEqual(['b reminder!approve'])
  })
})

describe('who is not notified', () => {
  test('the sender, of their own turn', () => {
    expect(summaryOf(walk([{ type: 'CompanyInternalSign', order: 1, people: [author, a] }]).start())).toEqual(
      ['a request-for-me!sign'],
    )
  })

  test('external participants, before their turn', () => {
    const { start, end } = walk(signThenOutside)
    start()
    expect(summaryOf(end('withdraw', 'author'))).toEqual(['a revoked'])
  })

  test('external participants, of internal comments', () => {
    const { start, act, sign } = walk([
      { ...outside, order: 1 },
      { type: 'InternalApprove', order: 2, people: [c] },
      { type: 'CompanyInternalSign', order: 3, people: [b] },
    ])
    start()
    sign('theirs', 'p0')
    expect(summaryOf(act('approve', 'c', 'p1', 'Дорого, но пусть'))).toEqual([
      'author comment',
      'b turn-came!sign',
    ])
  })

  test('external participants, of who rejected it internally and why', () => {
    const { start, act, sign } = walk([
      { ...outside, order: 1 },
      { type: 'InternalApprove', order: 2, people: [c] },
      { type: 'CompanyInternalSign', order: 3, people: [b] },
    ])
    start()
    sign('theirs', 'p0')
    const notices = act('reject', 'c', 'p1', 'Дорого')
    expect(notices.map(({ to, isDiscreet }) => `${recipientKey(to)} ${isDiscreet}`).toSorted()).toEqual([
      'author false',
      'theirs true',
    ])
  })

  test('an address of a person who is notified by account', () => {
    const { start, sign } = walk([
      twoSign[0],
      { ...outside, emails: ['theirs@example.kz', 'deals@other.kz'] },
    ])
    start()
    expect(summaryOf(sign('a', 'p0'))).toEqual([
      'author signed',
      'mailto:deals@other.kz request-for-me!sign',
      'theirs request-for-me!sign',
    ])
  })

  test('the address of the point where the act was done', () => {
    const { start, sign } = walk([{ ...outside, order: 1, people: [] }, { ...twoSign[1] }])
    start()
    expect(summaryOf(sign('outsider', 'p0'))).toEqual(['author signed', 'b turn-came!sign'])
    expect(summaryOf(sign('b', 'p1'))).toEqual(['author completed', 'mailto:deals@other.kz completed'])
  })

  test('anybody, of a turn that has already passed', () => {
    const { start, sign, notifiedRequest } = walk(twoSign)
    start()
    sign('a', 'p0')
    const late = {
      number: 2,
      type: 'turn-came',
      process: 'signing',
      pointId: 'p0',
      hasComment: false,
    } as const
    expect(noticesOf(notifiedRequest(), { actorId: 'author', events: [late] })).toEqual([])
  })

  test('people who have left', () => {
    const { start, notifiedRequest } = walk(twoSign)
    start()
    const event = {
      number: 9,
      type: 'completed',
      process: 'signing',
      pointId: null,
      hasComment: false,
    } as const
    expect(noticesOf({ ...notifiedRequest(), author: null }, { actorId: null, events: [event] })).toEqual([])
  })
})

test('responsible people get e-mails; the others of the group only see notices', () => {
  const notices = walk([
    { type: 'CompanyInternalSign', order: 1, people: [a, b, c], responsible: ['b'] },
  ]).start()
  expect(notices.map(({ to, isByEmail }) => `${to.userId} ${isByEmail}`).toSorted()).toEqual([
    'a false',
    'b true',
    'c false',
  ])
})

test('substitutes are notified too, until the absent person has been represented', () => {
  const substitutes = [{ ...c, standsInFor: ['a'] }]
  const { start, act } = walk([
    { type: 'InternalApprove', order: 1, people: [a, b], substitutes, condition: 'all' },
    { type: 'CompanyInternalSign', order: 2, people: [b] },
  ])
  expect(summaryOf(start())).toEqual([
    'a request-for-me!approve',
    'b request-for-me!approve',
    'c request-for-me!approve',
  ])
  act('approve', 'a', 'p0')
  expect(summaryOf(act('reject', 'b', 'p0'))).toEqual(['a rejected', 'author rejected'])
})

const everybody = [author, a, b, c, theirs]
const shape = fc.record({
  type: fc.constantFrom(...pointTypes.names),
  order: fc.integer({ min: 1, max: 3 }),
  people: fc.subarray(everybody, { minLength: 1 }),
  responsible: fc.subarray(everybody.map(({ userId }) => userId)),
  emails: fc.subarray(['deals@other.kz', 'a@example.kz', 'theirs@example.kz']),
})

const isNewsOf: Record<RequestEvent['type'], boolean> = {
  started: true,
  'turn-came': true,
  'signature-taken': false,
  'signature-accepted': true,
  'signature-refused': true,
  approved: true,
  confirmed: true,
  rejected: true,
  'point-done': true,
  'all-signed': false,
  completed: true,
  withdrawn: true,
  'termination-begun': true,
  'termination-signed': false,
  terminated: true,
  'due-soon': true,
  overdue: true,
  escalated: true,
  expired: true,
  corrected: true,
  proposed: true,
  'proposal-declined': true,
  registered: false,
  'passed-over': false,
  opened: false,
  delivered: false,
  undelivered: false,
  rerouted: false,
  'sides-changed': false,
}
const eventTypes = Object.keys(isNewsOf) as RequestEvent['type'][]
const steps = eventTypes.filter((type) => !isNews(type))

test('isNews is true exactly for the listed events', () => {
  expect(Object.fromEntries(eventTypes.map((type) => [type, isNews(type)]))).toEqual(isNewsOf)
})

test('any act causes at most one notice for each person, none for the actor and people who may not see it', () => {
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      (shapes, dice) => {
        const it = walk(shapes)
        let notices = it.start()
        let doer: string | null = 'author'
        for (let step = 0; step < 20; step++) {
          const keys = notices.map(({ to }) => recipientKey(to))
          expect(new Set(keys).size).toBe(keys.length)
          const addresses = notices.flatMap(({ to }) => to.email ?? [])
          expect(new Set(addresses).size).toBe(addresses.length)
          const { points } = it.notifiedRequest()
          const seen = {
            organizationId: 'ours',
            authorId: 'author',
            points: points.map((p) => ({ ...p, participants: p.people.map(({ userId }) => userId) })),
            awaited: [],
          }
          for (const { to } of [...notices, ...remindersOf(it.notifiedRequest())]) {
            if (to.userId === null) {
              const isNamed = points.some((p) => p.emails.includes(to.email) && hasCome(p))
              expect(isNamed).toBe(true)
              continue
            }
            const { organizationId, userId: id } = to
            const { isOwner } = everybody.find(({ userId }) => userId === id)!
            expect(maySee(seen, { id, numbers: [], organizationId, isOwner })).toBe(true)
          }
          expect(notices.map(({ to }) => to.userId)).not.toContain(doer)
          // Events that are no news are not queued (server/requests/core/state.ts), so they must not cause notices.
          for (const type of steps) {
            const event = {
              number: 1,
              type,
              process: 'signing' as const,
              pointId: points.at(0)?.pointId ?? null,
            }
            expect(
              noticesOf(it.notifiedRequest(), { actorId: null, events: [{ ...event, hasComment: true }] }),
            ).toEqual([])
          }

          const request = it.request()
          const possible = everybody.flatMap(({ userId }): [Command, string][] =>
            actsOf(request, { id: userId, numbers: [] }, now).map(({ act, pointId }) => {
              const by = { id: userId, numbers: [] }
              const command = { type: act, by, pointId: pointId ?? '', signatureId: `${userId} ${step}` }
              return [command, userId]
            }),
          )
          const waiting = [...request.points, ...(request.termination?.points ?? [])].flatMap(({ pending }) =>
            pending ? [[{ type: 'accept-signature', signatureId: pending.signatureId }, pending.by]] : [],
          ) as [Command, string][]
          const all = [...possible, ...waiting]
          if (all.length === 0) break
          const [command, by] = all[dice.next().value! % all.length]
          doer = by
          notices = it.happen(command, 'Да')
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('an act that notifies nobody has only events without news', () => {
  const event = (type: RequestEvent['type'], hasComment = false) =>
    ({ number: 1, type, process: 'signing', pointId: 'p0', hasComment }) as const
  const act = (...events: ReturnType<typeof event>[]) => ({ actorId: 'author', events })
  expect(tellsNobody(act(event('confirmed')))).toBe(true)
  expect(tellsNobody(act(event('opened')))).toBe(true)
  expect(tellsNobody(act(event('confirmed', true)))).toBe(false)
  expect(tellsNobody(act(event('confirmed'), event('point-done')))).toBe(false)
  expect(tellsNobody(act(event('turn-came')))).toBe(false)
})
