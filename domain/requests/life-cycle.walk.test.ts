/** After any acts in any order a request is in a valid state and never stuck. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actOf, pointTypes, selectableTypes, type PointType } from '../points/point-types.ts'
import { type Actor } from './actors.ts'
import {
  actsOf,
  apply,
  decide,
  currentTurn,
  isDone,
  newRequest,
  pointsOf,
  processOf,
  sidesThatSigned,
  whyNot,
  type Command,
  type RequestPoint,
  type SigningRequest,
} from './life-cycle.ts'
import { finalStatuses } from './status.ts'

const now = new Date('2026-11-15T10:00:00Z')
const people: Actor[] = ['a', 'b', 'author'].map((id) => ({ id, numbers: [] }))
const bin = '240540017348'
const outsider: Actor = { id: 'outsider', numbers: [bin] }
const boss: Actor = { id: 'boss', numbers: [] }
const everybody = [...people, outsider, boss]

/** Before the reminder, on its day, on the last day, after it, and after the last day of the request. */
const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23'] as const
const deadline = { remindOn: days[1], dueOn: days[2], told: 'nothing' as const }
const expiresOn = days[3]

/** Every point has to be answered in time, and the request to be signed. */
function withDeadlines(request: SigningRequest): SigningRequest {
  return { ...request, expiresOn, points: request.points.map((point) => ({ ...point, deadline })) }
}

/** Besides, somebody else is told when the deadline passes. */
function withEscalation(request: SigningRequest, mayAct: boolean): SigningRequest {
  const escalation = { people: ['boss'], mayAct }
  const points = withDeadlines(request).points.map((point) =>
    point.bin === null ? { ...point, escalation } : point,
  )
  return { ...withDeadlines(request), points }
}

type Needs = 'one' | 'two' | 'all'
type Shape = { type: PointType; order: number; isEdsRequired: boolean; needs: Needs }

function requestOf(shapes: readonly Shape[]): SigningRequest {
  return newRequest(
    'author',
    shapes.map(({ type, order, isEdsRequired, needs }, i) => {
      const isOutside = type.startsWith('External') || type === 'QuickExternalSign'
      return {
        pointId: `p${i}`,
        type,
        order,
        isEdsRequired: isEdsRequired && type === 'InternalApprove',
        condition: needs === 'all' && !isOutside ? 'all' : 'any',
        quorum: needs === 'two' && !isOutside ? 2 : null,
        participants: isOutside ? [] : needs === 'two' ? ['a', 'b', 'author'] : ['a', 'b'],
        bin: isOutside ? bin : null,
      }
    }),
  )
}

/** All commands that people, the checks and the system could give. */
function possible(request: SigningRequest): Command[] {
  const acts = everybody.flatMap((by) =>
    actsOf(request, by, now).map(({ act, pointId }): Command =>
      pointId === null
        ? { type: act as 'withdraw' | 'terminate' | 'correct', by }
        : { type: act as 'sign', pointId, by, signatureId: `${processOf(request)} ${pointId} ${by.id}` },
    ),
  )
  const waiting = [...request.points, ...(request.termination?.points ?? [])].flatMap(({ pending }) =>
    pending ? [pending.signatureId] : [],
  )
  const judged = waiting.flatMap((signatureId): Command[] => [
    { type: 'accept-signature', signatureId },
    { type: 'refuse-signature', signatureId },
  ])
  const system = ([{ type: 'start' }, { type: 'finish-termination' }] as const).filter(
    (command) => whyNot(request, command, now) === null,
  )
  return [...acts, ...judged, ...system]
}

function next(request: SigningRequest, command: Command): SigningRequest {
  return decide(request, command, now).reduce(apply, request)
}

function expectSound(request: SigningRequest): void {
  const { status, points, termination } = request
  const current = pointsOf(request)
  const turn = currentTurn(current)
  const allSigned = points.filter(({ type }) => actOf(type) === 'sign').every(isDone)
  const isUnderWay = ['InProgress', 'ValidationFail', 'Signed', 'Terminating', 'TerminatingValidationFail']

  // A turn does not begin before earlier points are done.
  for (const point of current) {
    if (point.status === 'InQueue') expect(turn).not.toContain(isUnderWay.includes(status) ? point : null)
    else if (!isDone(point) && !finalStatuses.includes(status)) expect(turn).toContain(point)
  }
  // A point is signed or approved by exactly as many different people as it needs.
  for (const point of [...points, ...(termination?.points ?? [])]) {
    if (point.status === 'Signed' || point.status === 'Approved') {
      const needed = point.condition === 'all' ? point.participants.length : (point.quorum ?? 1)
      // One who answers in place of the participants is enough, however many have answered.
      const isInPlace = point.acted.at(-1) === 'boss'
      if (isInPlace) expect(point.acted.length).toBeLessThanOrEqual(needed)
      else expect(point.acted).toHaveLength(needed)
      expect(new Set(point.acted).size).toBe(point.acted.length)
      expect(point.acted.slice(0, -1)).not.toContain('boss')
    }
    expect(point.pending !== null).toBe(point.status === 'Validation')
  }
  expect(status.startsWith('Terminat')).toBe(termination !== null)
  if (status === 'Signed') expect(allSigned).toBe(true)
  if (status === 'Completed') expect(points.every(isDone)).toBe(true)
  if (status === 'TerminatingSigned' || status === 'Terminated') {
    expect(termination!.points.every(({ status: s }) => s === 'Signed')).toBe(true)
    expect(termination!.points.map(({ pointId }) => pointId)).toEqual(
      sidesThatSigned(request).map(({ pointId }) => pointId),
    )
  }
  const failed = current.some((point) => point.status === 'ValidationError')
  if (status === 'ValidationFail' || status === 'TerminatingValidationFail') expect(failed).toBe(true)
  if (status === 'InProgress' || status === 'Terminating') expect(failed).toBe(false)
}

/** The request is final, or a command is possible. */
function expectWayOn(request: SigningRequest): void {
  const { status } = request
  if (finalStatuses.includes(status)) return
  if (status === 'Completed' && sidesThatSigned(request).length === 0) return
  expect(possible(request), `nothing can happen in ${JSON.stringify(request)}`).not.toEqual([])
}

const shape = fc.record({
  type: fc.constantFrom(...pointTypes.names),
  order: fc.integer({ min: 1, max: 4 }),
  isEdsRequired: fc.boolean(),
  needs: fc.constantFrom<Needs[]>('one', 'two', 'all'),
})

test('random acts on random routes lead only to valid states', () => {
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 1, maxLength: 6 }),
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
      'start', 'sign', 'approve', 'confirm', 'reject', 'withdraw', 'terminate', 'correct',
      'settle', 'finish-termination', 'accept-signature', 'refuse-signature', 'expire', 'tell-deadlines',
    ), // prettier-ignore
    today: fc.constantFrom(...days),
    pointId: fc.constantFrom('p0', 'p1', 'p2', 'p3'),
    by: fc.constantFrom(...everybody),
    signatureId: fc.constantFrom('s0', 's1', 's2'),
  })
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 1, maxLength: 3 }),
      fc.array(anyCommand, { maxLength: 40 }),
      fc.boolean(),
      (shapes, commands, mayAct) => {
        let request = withEscalation(requestOf(shapes), mayAct)
        for (const command of commands) {
          const alias = whyNot(request, command, now)
          if (alias) expect(() => decide(request, command, now)).toThrow(alias)
          else request = next(request, command)
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
  let walked = 0
  let corrected = 0
  for (const shapes of routesOf(kinds)) {
    const seen = new Set<string>()
    const left = [requestOf(shapes)]
    for (let request = left.pop(); request; request = left.pop()) {
      const key = keyOf(request)
      if (seen.has(key)) continue
      seen.add(key)
      walked++
      expectWayOn(request)
      corrected += expectCorrection(request)
      for (const command of possible(request)) left.push(next(request, command))
    }
  }
  expect(walked).toBeGreaterThan(10_000)
  expect(corrected).toBeGreaterThan(1000)
})

test('with deadlines each piece of news is told once, and a request expires unless somebody signed before', () => {
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

test('whoever may answer by escalation may do what participants may, from the end of the deadline until the step is done', () => {
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

/** How many acts are open to the one who was told. */
function expectEscalation(request: SigningRequest, mayAct: boolean): number {
  const acts = actsOf(request, boss, now)
  for (const { act, pointId } of acts) {
    const point = pointsOf(request).find((one) => one.pointId === pointId)!
    expect(mayAct && request.termination === null && point.deadline?.told === 'overdue').toBe(true)
    expect(['Waiting', 'ValidationError']).toContain(point.status)
    const participant = people.find(({ id }) => point.participants.includes(id) && !point.acted.includes(id))!
    const asked = { type: act as 'approve', pointId: point.pointId, by: participant }
    expect(whyNot(request, asked, now)).toBeNull()
  }
  for (const point of request.points) {
    const isTold = Boolean(point.escalation) && point.told?.includes('boss') === true
    expect(isTold).toBe(Boolean(point.escalation) && point.told !== undefined)
    if (point.deadline?.told === 'overdue' && point.escalation) expect(isTold).toBe(true)
  }
  return acts.length
}

/** The request after the news of the day; null while nobody can be told anything. */
function expectDeadlinesTold(request: SigningRequest, today: string): SigningRequest | null {
  const command = { type: 'tell-deadlines', today } as const
  if (whyNot(request, command, now)) return null
  const events = decide(request, command, now)
  for (const event of events) {
    const point = request.points.find(({ pointId }) => 'pointId' in event && pointId === event.pointId)!
    expect(['Waiting', 'ValidationError']).toContain(point.status)
    expect(event.type).toBe(today > deadline.dueOn ? 'overdue' : 'due-soon')
    expect(today >= deadline.remindOn).toBe(true)
  }
  const after = events.reduce(apply, request)
  expectSound(after)
  expect(after.status).toBe(request.status)
  expect(decide(after, command, now)).toEqual([])
  return after
}

/** 1 if it expires now. */
function expectExpiry(request: SigningRequest, today: string): number {
  const command = { type: 'expire', today } as const
  const alias = whyNot(request, command, now)
  const mayBeWithdrawn = ['New', 'InProgress', 'ValidationFail'].includes(request.status)
  const isChecked = pointsOf(request).some(({ pending }) => pending !== null)
  expect(alias === null).toBe(mayBeWithdrawn && today > expiresOn && !isChecked)
  if (alias) return 0
  const after = next(request, command)
  expect(after.status).toBe('Revoked')
  expect(everybody.flatMap((by) => actsOf(after, by, now))).toEqual([])
  expect(whyNot(after, command, now)).toBe('wrong-request-status')
  return 1
}

/** 1 if the document may be replaced now. Then nothing that was done before counts, and it is as it was when it was sent. */
function expectCorrection(request: SigningRequest): number {
  const command = { type: 'correct', by: people[2] } as const
  const alias = whyNot(request, command, now)
  const isRunning = ['InProgress', 'ValidationFail'].includes(request.status)
  const isChecked = request.points.some(({ pending }) => pending !== null)
  expect(alias === null).toBe(isRunning && !isChecked)
  for (const by of everybody.filter(({ id }) => id !== 'author')) {
    expect(whyNot(request, { type: 'correct', by }, now)).not.toBeNull()
  }
  if (alias) return 0
  const after = next(request, command)
  expectSound(after)
  expect(after.revision).toBe(request.revision + 1)
  const asSent = request.points.map(
    (point) => ({ ...point, status: 'InQueue', acted: [], pending: null }) as const,
  )
  const sent = next({ ...request, status: 'New', points: asSent }, { type: 'start' })
  expect(keyOf(after)).toBe(keyOf(sent))
  // Whoever has seen the document before can do nothing with what they saw.
  for (const by of everybody) {
    for (const { act, pointId } of actsOf(after, by, now)) {
      if (pointId === null) continue
      const old = { type: act as 'approve', pointId, by, over: request.revision }
      expect(whyNot(after, old, now)).toBe('document-revised')
    }
  }
  return 1
}

/** Types with the same behaviour are tried once: one for each act and side. */
function oneOfEachBehaviour(): PointType[] {
  const seen = new Map(selectableTypes.map((type) => [`${actOf(type)} ${type.startsWith('External')}`, type]))
  return [...seen.values()]
}

/** Up to three points, in sequence and in parallel; the order of parallel ones makes no difference. */
function* routesOf(kinds: readonly Omit<Shape, 'order'>[]): Generator<Shape[]> {
  const orders: Record<number, number[][]> = {
    1: [[1]],
    2: [[1, 1], [1, 2]],
    3: [[1, 1, 1], [1, 1, 2], [1, 2, 2], [1, 2, 3]],
  } // prettier-ignore
  for (const length of [1, 2, 3]) {
    for (const order of orders[length]) {
      for (const chosen of tuples(kinds.length, length)) {
        const isRepeat = chosen.some((kind, i) => i > 0 && order[i] === order[i - 1] && kind < chosen[i - 1])
        if (!isRepeat) yield chosen.map((kind, i) => ({ ...kinds[kind], order: order[i] }))
      }
    }
  }
}

function* tuples(size: number, length: number): Generator<number[]> {
  if (length === 0) return yield []
  for (const rest of tuples(size, length - 1)) for (let i = 0; i < size; i++) yield [...rest, i]
}

/** Members of a group are interchangeable: the state contains how many acted, not who. */
function keyOf({ status, points, termination }: SigningRequest): string {
  const short = ({ status: s, acted, pending }: RequestPoint) => `${s}${acted.length}${pending ? '?' : ''}`
  return `${status} ${points.map(short).join()} ${termination?.from ?? ''} ${termination?.points.map(short).join() ?? ''}`
}
