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
const everybody = [...people, outsider]

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
        ? { type: act as 'withdraw' | 'terminate', by }
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
      expect(point.acted).toHaveLength(needed)
      expect(new Set(point.acted).size).toBe(needed)
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
      'start', 'sign', 'approve', 'confirm', 'reject', 'withdraw', 'terminate',
      'settle', 'finish-termination', 'accept-signature', 'refuse-signature',
    ), // prettier-ignore
    pointId: fc.constantFrom('p0', 'p1', 'p2', 'p3'),
    by: fc.constantFrom(...everybody),
    signatureId: fc.constantFrom('s0', 's1', 's2'),
  })
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 1, maxLength: 3 }),
      fc.array(anyCommand, { maxLength: 40 }),
      (shapes, commands) => {
        let request = requestOf(shapes)
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
  for (const shapes of routesOf(kinds)) {
    const seen = new Set<string>()
    const left = [requestOf(shapes)]
    for (let request = left.pop(); request; request = left.pop()) {
      const key = keyOf(request)
      if (seen.has(key)) continue
      seen.add(key)
      walked++
      expectWayOn(request)
      for (const command of possible(request)) left.push(next(request, command))
    }
  }
  expect(walked).toBeGreaterThan(10_000)
})

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
