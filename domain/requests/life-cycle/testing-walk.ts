/** For tests: requests of every shape, what can happen to them next, and what always holds for them. */
import { expect } from 'vitest'
import { actOf, selectableTypes, sideOf, type PointType } from '../../points/point-types.ts'
import type { Actor } from '../actors.ts'
import { apply } from './apply.ts'
import type { Command } from './commands.ts'
import { decide } from './decide.ts'
import {
  currentTurn,
  isDone,
  newRequest,
  pointsOf,
  processOf,
  sidesThatSigned,
  type RequestPoint,
  type SigningRequest,
} from './request.ts'
import { actsOf, whyNot } from './why-not.ts'
import { finalStatuses } from '../status.ts'

export const now = new Date('2026-11-15T10:00:00Z')
export const people: Actor[] = ['a', 'b', 'author'].map((id) => ({ id, numbers: [] }))
export const bin = '240540017348'
export const outsider: Actor = { id: 'outsider', numbers: [bin] }
export const boss: Actor = { id: 'boss', numbers: [] }
export const everybody = [...people, outsider, boss]

export type Needs = 'one' | 'two' | 'all'
export type Shape = {
  type: PointType
  order: number
  isEdsRequired: boolean
  needs: Needs
  /** A campaign: everybody answers for themselves. */
  isPersonal?: boolean
}

export function requestOf(shapes: readonly Shape[]): SigningRequest {
  return newRequest(
    'author',
    shapes.map(({ type, order, isEdsRequired, needs, isPersonal = false }, i) => {
      const isOutside = type.startsWith('External') || type === 'QuickExternalSign'
      return {
        pointId: `p${i}`,
        type,
        order,
        isEdsRequired: isEdsRequired && (isPersonal || type === 'InternalApprove'),
        isPersonal,
        condition: needs === 'all' && !isOutside ? 'all' : 'any',
        quorum: needs === 'two' && !isOutside ? 2 : null,
        participants: isOutside ? [] : needs === 'two' || isPersonal ? ['a', 'b', 'author'] : ['a', 'b'],
        bin: isOutside ? bin : null,
      }
    }),
  )
}

/** All commands that people, the checks and the system could give. */
export function possible(request: SigningRequest): Command[] {
  const acts = everybody.flatMap((by) =>
    actsOf(request, by, now).map(({ act, pointId }): Command =>
      pointId === null
        ? { type: act as 'withdraw' | 'terminate' | 'correct', by }
        : { type: act as 'sign', pointId, by, signatureId: `${processOf(request)} ${pointId} ${by.id}` },
    ),
  )
  const waiting = [...request.points, ...(request.termination?.points ?? [])].flatMap(
    ({ pending, checking = [] }) => [pending ?? [], checking].flat().map(({ signatureId }) => signatureId),
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

export function next(request: SigningRequest, command: Command): SigningRequest {
  return decide(request, command, now).reduce(apply, request)
}

/** A walk makes millions of comparisons, and vitest's `expect` is slow: it is called only to report a difference. */
export function expectSame<T>(found: T, wanted: T): void {
  if (!Object.is(found, wanted)) expect(found).toBe(wanted)
}

export function expectAmong<T>(all: readonly T[], found: T): void {
  if (!all.includes(found)) expect(all).toContain(found)
}

export function expectSound(request: SigningRequest): void {
  const { status, points, termination } = request
  const current = pointsOf(request)
  const turn = currentTurn(current)
  const allSigned = points.filter(({ type }) => actOf(type) === 'sign').every(isDone)
  const isUnderWay = ['InProgress', 'ValidationFail', 'Signed', 'Terminating', 'TerminatingValidationFail']

  // A turn does not begin before earlier points are done.
  for (const point of current) {
    if (point.status === 'InQueue') expectSame(isUnderWay.includes(status) && turn.includes(point), false)
    else if (!isDone(point) && !finalStatuses.includes(status)) expectAmong(turn, point)
  }
  // A point is signed or approved by exactly as many different people as it needs.
  for (const point of [...points, ...(termination?.points ?? [])]) {
    if (point.status === 'Signed' || point.status === 'Approved') {
      const needed = point.condition === 'all' ? point.participants.length : (point.quorum ?? 1)
      // One person who answers in place of the participants is enough, however many have answered.
      const isInPlace = point.acted.at(-1) === 'boss'
      if (isInPlace) expectSame(point.acted.length <= needed, true)
      else expectSame(point.acted.length, needed)
      expectSame(new Set(point.acted).size, point.acted.length)
      expectSame(point.acted.slice(0, -1).includes('boss'), false)
    }
    expectSame(point.pending !== null, point.status === 'Validation')
    expectChecksApart(point)
  }
  expectSame(status.startsWith('Terminat'), termination !== null)
  if (status === 'Signed') expectSame(allSigned, true)
  if (status === 'Completed') expectSame(points.every(isDone), true)
  if (status === 'TerminatingSigned' || status === 'Terminated') {
    expectSame(
      termination!.points.every(({ status: s }) => s === 'Signed'),
      true,
    )
    expect(termination!.points.map(({ pointId }) => pointId)).toEqual(
      sidesThatSigned(request).map(({ pointId }) => pointId),
    )
  }
  // A proposal waits for the author only while the proposing side is asked.
  for (const point of points.filter(({ isProposed }) => isProposed)) {
    expectSame(sideOf(point.type) === 'internal', false)
    expectAmong(['Waiting', 'Validation', 'ValidationError'], point.status)
  }
  const failed = current.some((point) => point.status === 'ValidationError')
  if (status === 'ValidationFail' || status === 'TerminatingValidationFail') expectSame(failed, true)
  if (status === 'InProgress' || status === 'Terminating') expectSame(failed, false)
}

/** Several signatures are checked concurrently only at personal points, which keep waiting meanwhile. */
function expectChecksApart({ isPersonal, status, acted, checking = [] }: RequestPoint): void {
  if (!isPersonal) return expectSame(checking.length, 0)
  const signers = checking.map(({ by }) => by)
  expectSame(['Validation', 'ValidationError', 'Rejected'].includes(status), false)
  expectSame(new Set([...acted, ...signers]).size, acted.length + signers.length)
  if (signers.length > 0) expectSame(status, 'Waiting')
}

/** Expects that the request is final or a command is possible. */
export function expectWayOn(request: SigningRequest): void {
  const { status } = request
  if (finalStatuses.includes(status)) return
  if (status === 'Completed' && sidesThatSigned(request).length === 0) return
  if (possible(request).length === 0) expect.fail(`nothing can happen in ${JSON.stringify(request)}`)
}

/** One type of point for each act and side, because the others behave the same. */
export function oneOfEachBehaviour(): PointType[] {
  const seen = new Map(selectableTypes.map((type) => [`${actOf(type)} ${type.startsWith('External')}`, type]))
  return [...seen.values()]
}

/** Routes of up to three points, in sequence and in parallel; permutations of parallel points are left out. */
export function* routesOf(kinds: readonly Omit<Shape, 'order'>[]): Generator<Shape[]> {
  const orders: Record<number, number[][]> = {
    1: [[1]],
    2: [[1, 1], [1, 2]],
    3: [[1, 1, 1], [1, 1, 2], [1, 2, 2], [1, 2, 3]],
  } // prettier-ignore
  for (const length of [1, 2, 3]) {
    for (const order of orders[length]!) {
      for (const chosen of tuples(kinds.length, length)) {
        const isRepeat = chosen.some((kind, i) => i > 0 && order[i] === order[i - 1] && kind < chosen[i - 1]!)
        if (!isRepeat) yield chosen.map((kind, i) => ({ ...kinds[kind]!, order: order[i]! }))
      }
    }
  }
}

function* tuples(size: number, length: number): Generator<number[]> {
  if (length === 0) return yield []
  for (const rest of tuples(size, length - 1)) for (let i = 0; i < size; i++) yield [...rest, i]
}

/** Members of a group are interchangeable: the state contains how many acted, not who. */
export function keyOf({ status, points, termination }: SigningRequest): string {
  const short = ({ status: s, acted, pending, checking = [], isProposed }: RequestPoint) =>
    `${s}${acted.length}${'?'.repeat(checking.length + (pending ? 1 : 0))}${isProposed ? '!' : ''}`
  return `${status} ${points.map(short).join()} ${termination?.from ?? ''} ${termination?.points.map(short).join() ?? ''}`
}
