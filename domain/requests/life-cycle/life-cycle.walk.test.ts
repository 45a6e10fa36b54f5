/** After any acts in any order, a request is in a valid state and never stuck. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pointTypes } from '../../points/point-types.ts'
import { apply } from './apply.ts'
import type { Command } from './commands.ts'
import { decide } from './decide.ts'
import { pointsOf, type SigningRequest } from './request.ts'
import { actsOf, whyNot } from './why-not.ts'
import {
  boss,
  everybody,
  expectAmong,
  expectSame,
  expectSound,
  expectWayOn,
  keyOf,
  next,
  now,
  oneOfEachBehaviour,
  outsider,
  people,
  possible,
  requestOf,
  routesOf,
  type Needs,
  type Shape,
} from './testing-walk.ts'

/** Before the reminder, on its day, on the last day, after it, and after the last day of the request. */
const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23'] as const
const deadline = { remindOn: days[1], dueOn: days[2], told: 'nothing' as const }
const expiresOn = days[3]

/** Gives every point a deadline, and the request a last day. */
function withDeadlines(request: SigningRequest): SigningRequest {
  return { ...request, expiresOn, points: request.points.map((point) => ({ ...point, deadline })) }
}

/** Adds to the deadlines somebody else who is told when they pass. */
function withEscalation(request: SigningRequest, mayAct: boolean): SigningRequest {
  const escalation = { people: ['boss'], mayAct }
  const points = withDeadlines(request).points.map((point) =>
    point.bin === null ? { ...point, escalation } : point,
  )
  return { ...withDeadlines(request), points }
}

const shape = fc.record({
  type: fc.constantFrom(...pointTypes.names),
  order: fc.integer({ min: 1, max: 4 }),
  isEdsRequired: fc.boolean(),
  needs: fc.constantFrom<Needs[]>('one', 'two', 'all'),
})
const campaignShape = fc.record({
  type: fc.constant('InternalInformationConfirm' as const),
  order: fc.integer({ min: 1, max: 4 }),
  isEdsRequired: fc.boolean(),
  needs: fc.constant('all' as const),
  isPersonal: fc.constant(true),
})
const anyShape = fc.oneof({ weight: 3, arbitrary: shape }, campaignShape)

test('random acts on random routes lead only to valid states', () => {
  fc.assert(
    fc.property(
      fc.array(anyShape, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 60 }),
      (shapes, choices) => {
        let request = requestOf(shapes)
        for (const choice of choices) {
          const commands = possible(request)
          if (commands.length === 0) break
          request = next(request, commands[choice % commands.length])
          expectSound(request)
          expectWayOn(request)
        }
      },
    ),
    { numRuns: 1500 },
  )
})

test('any command, also one that is not offered, is refused or leads to a valid state', () => {
  const anyCommand = fc.record({
    type: fc.constantFrom<Command['type'][]>(
      'start', 'sign', 'approve', 'confirm', 'reject', 'withdraw', 'terminate', 'correct', 'propose', 'decline-proposal',
      'settle', 'finish-termination', 'accept-signature', 'refuse-signature', 'expire', 'tell-deadlines',
    ), // prettier-ignore
    today: fc.constantFrom(...days),
    pointId: fc.constantFrom('p0', 'p1', 'p2', 'p3'),
    by: fc.constantFrom(...everybody),
    signatureId: fc.constantFrom('s0', 's1', 's2'),
  })
  fc.assert(
    fc.property(
      fc.array(anyShape, { minLength: 1, maxLength: 3 }),
      fc.array(anyCommand, { maxLength: 40 }),
      fc.boolean(),
      (shapes, commands, mayAct) => {
        let request = withEscalation(requestOf(shapes), mayAct)
        for (const command of commands) {
          // Each command has more fields than its type needs, as a careless caller might send it.
          const given = command as Command
          const alias = whyNot(request, given, now)
          if (alias) expect(() => decide(request, given, now)).toThrow(alias)
          else request = next(request, given)
          expectSound(request)
        }
      },
    ),
    { numRuns: 1500 },
  )
})

test('points that were passed over are recorded and change nothing else', () => {
  const passed = fc.array(
    fc.record({ pointId: fc.uuid(), name: fc.string(), order: fc.integer({ min: 1, max: 5 }) }),
  )
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 3 }), passed, (shapes, points) => {
      const terms = [{ subject: 'amount' as const, test: 'over' as const, amount: 1 }]
      const passedOver = points.map((point) => ({ ...point, condition: { join: 'and' as const, terms } }))
      const request = requestOf(shapes)
      const plain = decide(request, { type: 'start' }, now)
      const events = decide(request, { type: 'start', passedOver }, now)
      expect(events.filter(({ type }) => type !== 'passed-over')).toEqual(plain)
      expect(events.flatMap((event) => (event.type === 'passed-over' ? [event.point] : []))).toEqual(
        passedOver,
      )
      expect(events.reduce(apply, request)).toEqual(plain.reduce(apply, request))
    }),
  )
})

test('no route of up to three points can get stuck', { timeout: 120_000 }, () => {
  const kinds: Omit<Shape, 'order'>[] = [
    ...oneOfEachBehaviour().map((type) => ({ type, isEdsRequired: false, needs: 'one' as const })),
    { type: 'InternalApprove', isEdsRequired: true, needs: 'one' },
    { type: 'InternalApprove', isEdsRequired: false, needs: 'all' },
    { type: 'InternalApprove', isEdsRequired: false, needs: 'two' },
  ]
  const campaign = {
    type: 'InternalInformationConfirm',
    isEdsRequired: true,
    needs: 'all',
    isPersonal: true,
  } as const
  // A campaign has a route of its own, so routes with one other point already cover more than occurs.
  const withCampaign = [...routesOf([campaign, ...kinds])].filter(
    (shapes) => shapes.length < 3 && shapes.some(({ isPersonal }) => isPersonal),
  )
  let walked = 0
  let corrected = 0
  for (const shapes of [...routesOf(kinds), ...withCampaign]) {
    const seen = new Set<string>()
    const left = [requestOf(shapes)]
    for (let request = left.pop(); request; request = left.pop()) {
      const key = keyOf(request)
      if (seen.has(key)) continue
      seen.add(key)
      walked++
      expectWayOn(request)
      corrected += expectCorrection(request)
      // Proposals have a walk of their own, because each side may have one in every state.
      const commands = possible(request).filter(({ type }) => type !== 'propose')
      for (const command of commands) left.push(next(request, command))
    }
  }
  expect(walked).toBeGreaterThan(10_000)
  expect(corrected).toBeGreaterThan(1000)
})

test('a proposal waits until the author or its side answers, and changes nothing else', () => {
  const kinds: Omit<Shape, 'order'>[] = oneOfEachBehaviour().map((type) => ({
    type,
    isEdsRequired: false,
    needs: 'one',
  }))
  let waiting = 0
  for (const shapes of [...routesOf(kinds)].filter(({ length }) => length < 3)) {
    const seen = new Set<string>()
    const left = [requestOf(shapes)]
    for (let request = left.pop(); request; request = left.pop()) {
      const key = keyOf(request)
      if (seen.has(key)) continue
      seen.add(key)
      expectSound(request)
      expectWayOn(request)
      expectCorrection(request)
      waiting += expectProposals(request)
      for (const command of possible(request)) left.push(next(request, command))
    }
  }
  expect(waiting).toBeGreaterThan(100)
})

test('with deadlines each piece of news is announced once, and a request expires unless somebody signed before', () => {
  const kinds: Omit<Shape, 'order'>[] = oneOfEachBehaviour().map((type) => ({
    type,
    isEdsRequired: false,
    needs: 'one',
  }))
  let expired = 0
  for (const shapes of [...routesOf(kinds)].filter(({ length }) => length < 3)) {
    const seen = new Set<string>()
    const left = [{ request: withDeadlines(requestOf(shapes)), day: 0 }]
    for (let one = left.pop(); one; one = left.pop()) {
      const { request, day } = one
      const today = days[day]
      const told = request.points.map((point) => point.deadline?.told).join()
      const key = `${day} ${told} ${keyOf(request)}`
      if (seen.has(key)) continue
      seen.add(key)
      const after = expectDeadlinesTold(request, today)
      expired += expectExpiry(request, today)
      if (after) left.push({ request: after, day })
      if (day + 1 < days.length) left.push({ request, day: day + 1 })
      for (const command of possible(request)) left.push({ request: next(request, command), day })
    }
  }
  expect(expired).toBeGreaterThan(100)
})

test('people who may answer by escalation may do what participants may, from the end of the deadline to that of the step', () => {
  const kinds: Omit<Shape, 'order'>[] = oneOfEachBehaviour().map((type) => ({
    type,
    isEdsRequired: false,
    needs: 'all',
  }))
  let inPlace = 0
  for (const mayAct of [true, false]) {
    for (const shapes of [...routesOf(kinds)].filter(({ length }) => length < 3)) {
      const seen = new Set<string>()
      const left = [withEscalation(requestOf(shapes), mayAct)]
      for (let request = left.pop(); request; request = left.pop()) {
        const told = request.points.map((point) => `${point.deadline?.told} ${point.acted.join()}`).join()
        const key = `${told} ${keyOf(request)}`
        if (seen.has(key)) continue
        seen.add(key)
        expectSound(request)
        inPlace += expectEscalation(request, mayAct)
        const tell = { type: 'tell-deadlines', today: days[3] } as const
        if (whyNot(request, tell, now) === null) left.push(next(request, tell))
        for (const command of possible(request)) left.push(next(request, command))
      }
    }
  }
  expect(inPlace).toBeGreaterThan(100)
})

/** Returns how many acts are possible for the person who was told of the deadline. */
function expectEscalation(request: SigningRequest, mayAct: boolean): number {
  const acts = actsOf(request, boss, now)
  for (const { act, pointId } of acts) {
    const point = pointsOf(request).find((one) => one.pointId === pointId)!
    expectSame(mayAct && request.termination === null && point.deadline?.told === 'overdue', true)
    expectAmong(['Waiting', 'ValidationError'], point.status)
    const participant = people.find(({ id }) => point.participants.includes(id) && !point.acted.includes(id))!
    const asked = { type: act as 'approve', pointId: point.pointId, by: participant }
    expectSame(whyNot(request, asked, now), null)
  }
  for (const point of request.points) {
    const isTold = Boolean(point.escalation) && point.told?.includes('boss') === true
    expectSame(isTold, Boolean(point.escalation) && point.told !== undefined)
    if (point.deadline?.told === 'overdue' && point.escalation) expectSame(isTold, true)
  }
  return acts.length
}

/** The request after the news of that day were told; null if nobody can be told anything. */
function expectDeadlinesTold(request: SigningRequest, today: string): SigningRequest | null {
  const command = { type: 'tell-deadlines', today } as const
  if (whyNot(request, command, now)) return null
  const events = decide(request, command, now)
  for (const event of events) {
    const point = request.points.find(({ pointId }) => 'pointId' in event && pointId === event.pointId)!
    expectAmong(['Waiting', 'ValidationError'], point.status)
    expectSame(event.type, today > deadline.dueOn ? 'overdue' : 'due-soon')
    expectSame(today >= deadline.remindOn, true)
  }
  const after = events.reduce(apply, request)
  expectSound(after)
  expectSame(after.status, request.status)
  expectSame(decide(after, command, now).length, 0)
  return after
}

/** Returns 1 if the request expires now. */
function expectExpiry(request: SigningRequest, today: string): number {
  const command = { type: 'expire', today } as const
  const alias = whyNot(request, command, now)
  const mayBeWithdrawn = ['New', 'InProgress', 'ValidationFail'].includes(request.status)
  const isChecked = pointsOf(request).some(({ pending }) => pending !== null)
  expectSame(alias === null, mayBeWithdrawn && today > expiresOn && !isChecked)
  if (alias) return 0
  const after = next(request, command)
  expectSame(after.status, 'Revoked')
  expectSame(everybody.flatMap((by) => actsOf(after, by, now)).length, 0)
  expectSame(whyNot(after, command, now), 'wrong-request-status')
  return 1
}

/**
 * Returns 1 if the document may be replaced now. Earlier acts then no longer count, and the request is in the same
 * state as when it was sent.
 */
function expectCorrection(request: SigningRequest): number {
  const command = { type: 'correct', by: people[2] } as const
  const alias = whyNot(request, command, now)
  const isRunning = ['InProgress', 'ValidationFail'].includes(request.status)
  const isChecked = request.points.some(
    ({ pending, checking = [] }) => pending !== null || checking.length > 0,
  )
  expectSame(alias === null, isRunning && !isChecked)
  for (const by of everybody.filter(({ id }) => id !== 'author')) {
    expectSame(whyNot(request, { type: 'correct', by }, now) === null, false)
  }
  if (alias) return 0
  const after = next(request, command)
  expectSound(after)
  expectSame(after.revision, request.revision + 1)
  const asSent = request.points.map(
    (point) => ({ ...point, status: 'InQueue', acted: [], pending: null, isProposed: false }) as const,
  )
  const sent = next({ ...request, status: 'New', points: asSent }, { type: 'start' })
  expectSame(keyOf(after), keyOf(sent))
  // Acts on the earlier revision are refused.
  for (const by of everybody) {
    for (const { act, pointId } of actsOf(after, by, now)) {
      if (pointId === null) continue
      const old = { type: act as 'approve', pointId, by, over: request.revision }
      expectSame(whyNot(after, old, now), 'document-revised')
    }
  }
  return 1
}

/**
 * Returns how many proposals wait. Each side has at most one, only the author answers it, and declining it restores
 * the state before it.
 */
function expectProposals(request: SigningRequest): number {
  const waiting = request.points.filter(({ isProposed }) => isProposed)
  if (!['InProgress', 'ValidationFail'].includes(request.status)) return 0
  for (const { pointId } of waiting) {
    expectSame(whyNot(request, { type: 'propose', pointId, by: outsider }, now) === null, false)
    const declined = { type: 'decline-proposal', pointId, by: outsider } as const
    expectSame(whyNot(request, declined, now), 'not-enough-permissions')
    const after = next(request, { type: 'decline-proposal', pointId, by: people[2] })
    const before = request.points.map((point) =>
      point.pointId === pointId ? { ...point, isProposed: false } : point,
    )
    expectSame(keyOf(after), keyOf({ ...request, points: before }))
  }
  return waiting.length
}
