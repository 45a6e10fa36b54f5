/** The steps ahead may be changed in every running state: what was done stays, and nobody gets stuck. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pointTypes } from '../../points/point-types.ts'
import { apply } from './apply.ts'
import { decide } from './decide.ts'
import { isDone, newRequest, type NewPoint, type SigningRequest } from './request.ts'
import { actsOf, whyNot } from './why-not.ts'
import { isAhead } from '../steps-ahead.ts'
import {
  everybody,
  expectSound,
  expectWayOn,
  keyOf,
  next,
  now,
  people,
  possible,
  requestOf,
  routesOf,
  type Needs,
} from './testing-walk.ts'

const author = people[2]

/** Two points that the author may add: one approves, the other signs. */
const spare = newRequest('author', [
  newPoint('approves', 'InternalApprove'),
  newPoint('signs', 'CompanyInternalSign'),
]).points

function newPoint(pointId: string, type: 'InternalApprove' | 'CompanyInternalSign'): NewPoint {
  return {
    pointId,
    type,
    order: 1,
    condition: 'any',
    isEdsRequired: false,
    participants: ['a', 'b'],
    bin: null,
  }
}

/** Lists that remove one step, reverse the order, make all act in parallel, or add a spare point first or last. */
function reroutings(request: SigningRequest): NewPoint[][] {
  const ahead = request.points.filter(isAhead)
  const isAdded = spare.some(({ pointId }) => request.points.some((point) => point.pointId === pointId))
  const others = isAdded ? [] : spare
  return [
    ...ahead.map((gone) => ahead.filter((point) => point !== gone)),
    ahead.map((point) => ({ ...point, order: -point.order })),
    ahead.map((point) => ({ ...point, order: 1 })),
    ...others.map((point) => [{ ...point, order: 0 }, ...ahead]),
    ...others.map((point) => [...ahead, { ...point, order: 99 }]),
  ]
}

/** The request after the change; null if the author may not make it. */
function expectRerouting(request: SigningRequest, ahead: readonly NewPoint[]): SigningRequest | null {
  const command = { type: 'reroute', by: author, ahead } as const
  const alias = whyNot(request, command, now)
  const mayCorrect = whyNot(request, { type: 'correct', by: author }, now) === null
  const wanted = new Set(ahead.map(({ pointId }) => pointId))
  const isTaken = request.points.some(
    (point) => isAhead(point) && point.wasReached === true && !wanted.has(point.pointId),
  )
  if (!mayCorrect || isTaken) {
    expect(alias).not.toBeNull()
    return null
  }
  for (const by of everybody.filter(({ id }) => id !== 'author')) {
    expect(whyNot(request, { ...command, by }, now)).toBe('not-enough-permissions')
  }
  if (alias) {
    expect(alias).toBe('nobody-left-to-sign')
    return null
  }
  const after = next(request, command)
  expectSound(after)
  expectWayOn(after)
  expect(after.revision).toBe(request.revision)
  // Points that have begun are unchanged, although the document may now count as signed.
  const begun = (one: SigningRequest) => one.points.filter((point) => !isAhead(point))
  expect(begun(after)).toEqual(begun(request))
  expect(new Set(after.points.filter(isAhead).map(({ pointId }) => pointId))).toEqual(wanted)
  // People who were asked may still do what they could do before, for the revision that they saw.
  const isRejection = (act: string) => act === 'reject' && after.status === 'Signed'
  for (const by of everybody) {
    for (const { act, pointId } of actsOf(request, by, now)) {
      if (pointId === null || isRejection(act)) continue
      const seen = { type: act as 'approve', pointId, by, over: request.revision }
      expect(whyNot(after, seen, now)).toBeNull()
    }
  }
  return after
}

/** The points and their turns, as a key for states. */
function stepsOf({ points }: SigningRequest): string {
  return points
    .map(({ pointId, order, wasReached = false }) => `${pointId}@${order}${wasReached ? '!' : ''}`)
    .join()
}

test('no route whose steps ahead are changed at any moment can get stuck', { timeout: 120_000 }, () => {
  const types = ['InternalApprove', 'CompanyInternalSign', 'ExternalSign', 'InternalInformation'] as const
  const kinds = types.map((type) => ({ type, isEdsRequired: false, needs: 'one' as const }))
  let states = 0
  let transitions = 0
  let changed = 0
  for (const shapes of [...routesOf(kinds)].filter(({ length }) => length < 3)) {
    const seen = new Set<string>()
    const left = [requestOf(shapes)]
    for (let request = left.pop(); request; request = left.pop()) {
      const key = `${stepsOf(request)} ${keyOf(request)}`
      if (seen.has(key)) continue
      seen.add(key)
      states++
      expectWayOn(request)
      // The walk of the life cycle covers what follows the signing process.
      if (!['New', 'InProgress', 'ValidationFail'].includes(request.status)) continue
      const rerouted = reroutings(request).flatMap((ahead) => expectRerouting(request, ahead) ?? [])
      const acted = possible(request).map((command) => next(request, command))
      changed += rerouted.length
      transitions += rerouted.length + acted.length
      left.push(...acted, ...rerouted)
    }
  }
  expect(states).toBeGreaterThan(5000)
  expect(transitions - changed).toBeGreaterThan(5000)
  expect(changed).toBeGreaterThan(5000)
})

const shape = fc.record({
  type: fc.constantFrom(...pointTypes.names),
  order: fc.integer({ min: 1, max: 4 }),
  isEdsRequired: fc.boolean(),
  needs: fc.constantFrom<Needs[]>('one', 'two', 'all'),
})

test('random acts and changes of steps on random routes lead only to valid states', () => {
  let changes = 0
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 60 }),
      (shapes, choices) => {
        let request = requestOf(shapes)
        for (const [choice, isChange] of choices) {
          const lists = isChange ? reroutings(request) : []
          const ahead = lists[choice % Math.max(1, lists.length)]
          const changed = ahead ? expectRerouting(request, ahead) : null
          if (changed) changes++
          const commands = possible(request)
          if (!changed && commands.length === 0) break
          request = changed ?? next(request, commands[choice % commands.length])
          expectSound(request)
        }
      },
    ),
    { numRuns: 500 },
  )
  expect(changes).toBeGreaterThan(100)
})

test('acts are kept, whatever the steps ahead are changed to', () => {
  const anyAhead = fc.array(
    fc.record({ from: fc.nat({ max: 5 }), order: fc.integer({ min: -5, max: 50 }) }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 2, maxLength: 4 }),
      fc.nat(20),
      anyAhead,
      (shapes, acts, wish) => {
        let request = next(requestOf(shapes), { type: 'start' })
        for (let i = 0; i < acts; i++) {
          const command = possible(request).find(({ type }) => type === 'approve' || type === 'confirm')
          if (command) request = next(request, command)
        }
        // The pool also has points that have begun, and a point may occur twice: such lists are refused.
        const pool = [...request.points, ...spare]
        const ahead = wish.map(({ from, order }) => ({ ...pool[from % pool.length], order }))
        const command = { type: 'reroute', by: author, ahead } as const
        if (whyNot(request, command, now)) return
        const after = decide(request, command, now).reduce(apply, request)
        expectSound(after)
        for (const point of request.points.filter(isDone)) expect(after.points).toContain(point)
        expect(after.points.flatMap(({ acted }) => acted)).toEqual(
          request.points.flatMap(({ acted }) => acted),
        )
      },
    ),
    { numRuns: 500 },
  )
})
