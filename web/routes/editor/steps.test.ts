import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hasPoint,
  lastGap,
  placeAt,
  placeBeyond,
  pointsOf,
  stepsOf,
  whereIs,
  withMoved,
  withoutPoints,
  withPoint,
  type StepPlace,
  type Steps,
} from './steps.ts'

type Point = { pointId: string }

/** `route('ab', 'c')`: a and b together, then c. */
const route = (...steps: string[]): Steps<Point> =>
  steps.map((step) => step.split('').map((pointId) => ({ pointId })))
const drawn = (steps: Steps<Point>) => steps.map((step) => step.map(({ pointId }) => pointId).join(''))
const gap = (index: number): StepPlace => ({ into: 'gap', index })
const step = (index: number): StepPlace => ({ into: 'step', index })

describe('orders', () => {
  test('are renumbered 1, 2, 3', () => {
    const points = [
      { pointId: 'c', order: 40 },
      { pointId: 'a', order: 2 },
      { pointId: 'b', order: 2 },
    ]
    expect(drawn(stepsOf(points))).toEqual(['ab', 'c'])
    expect(pointsOf(stepsOf(points))).toEqual([
      { pointId: 'a', order: 1 },
      { pointId: 'b', order: 1 },
      { pointId: 'c', order: 2 },
    ])
  })
})

describe('adding a point', () => {
  test('is possible after the last step, between steps and beside a point', () => {
    const steps = route('a', 'b')
    expect(drawn(withPoint(steps, { pointId: 'c' }, lastGap(steps)))).toEqual(['a', 'b', 'c'])
    expect(drawn(withPoint(steps, { pointId: 'c' }, gap(1)))).toEqual(['a', 'c', 'b'])
    expect(drawn(withPoint(steps, { pointId: 'c' }, step(0)))).toEqual(['ac', 'b'])
  })

  test('changes nothing if the point is in the route already', () => {
    const steps = route('a', 'b')
    expect(withPoint(steps, { pointId: 'a' }, gap(2))).toBe(steps)
  })
})

describe('moving a point', () => {
  test.each([
    ['down past the next one', ['a', 'b', 'c'], 'a', gap(2), ['b', 'a', 'c']],
    ['up past the one before', ['a', 'b', 'c'], 'c', gap(1), ['a', 'c', 'b']],
    ['into company', ['a', 'b', 'c'], 'c', step(0), ['ac', 'b']],
    ['out of company', ['ab', 'c'], 'b', gap(2), ['a', 'c', 'b']],
    ['to where it is', ['a', 'b'], 'a', gap(1), ['a', 'b']],
    ['a point that is not there', ['a'], 'x', gap(0), ['a']],
  ] satisfies [string, string[], string, StepPlace, string[]][])('%s', (_, before, pointId, place, after) => {
    expect(drawn(withMoved(route(...before), pointId, place))).toEqual(after)
  })

  test('goes half a step at a time by keyboard', () => {
    let steps = route('a', 'b', 'c')
    const seen = [drawn(steps)]
    for (;;) {
      const place = placeBeyond(steps, 'c', 'up')
      if (!place) break
      steps = withMoved(steps, 'c', place)
      seen.push(drawn(steps))
    }
    expect(seen).toEqual([
      ['a', 'b', 'c'],
      ['a', 'bc'],
      ['a', 'c', 'b'],
      ['ac', 'b'],
      ['c', 'a', 'b'],
    ])
  })
})

const someSteps = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { minLength: 1 })
  .chain((ids) =>
    fc
      .array(fc.integer({ min: 1, max: 5 }), { minLength: ids.length, maxLength: ids.length })
      .map((orders) => stepsOf(ids.map((pointId, i) => ({ pointId, order: orders[i] ?? 1 })))),
  )
const asSets = (steps: Steps<Point>) => drawn(steps).map((one) => one.split('').toSorted().join(''))
const ids = (steps: Steps<Point>) => drawn(steps).join('').split('').toSorted()

test('never loses or duplicates a point or leaves an empty step', () => {
  const places = fc.record({
    into: fc.constantFrom('step' as const, 'gap' as const),
    index: fc.nat({ max: 8 }),
  })
  fc.assert(
    fc.property(someSteps, fc.nat(), places, (steps, n, { into, index }) => {
      const pointId = ids(steps)[n % ids(steps).length]!
      const place = { into, index: index % (into === 'gap' ? steps.length + 1 : steps.length) }
      const after = withMoved(steps, pointId, place)
      expect(ids(after)).toEqual(ids(steps))
      expect(after.every((one) => one.length > 0)).toBe(true)
    }),
  )
})

test('is undone by the opposite key', () => {
  fc.assert(
    fc.property(someSteps, fc.nat(), fc.boolean(), (steps, n, isUp) => {
      const pointId = ids(steps)[n % ids(steps).length]!
      const there = placeBeyond(steps, pointId, isUp ? 'up' : 'down')
      if (!there) return
      const moved = withMoved(steps, pointId, there)
      const back = placeBeyond(moved, pointId, isUp ? 'down' : 'up')
      expect(asSets(withMoved(moved, pointId, back!))).toEqual(asSets(steps))
    }),
  )
})

test('a step that becomes empty is removed', () => {
  const steps = route('ab', 'c', 'd')
  expect(drawn(withoutPoints(steps, ['a', 'c']))).toEqual(['b', 'd'])
  expect(hasPoint(withoutPoints(steps, ['a']), 'a')).toBe(false)
})

test('the position of a point is described with its neighbours', () => {
  expect(whereIs(route('ab', 'c'), 'b')).toMatchObject({ step: 1, of: 2, beside: [{ pointId: 'a' }] })
  expect(whereIs(route('a'), 'x')).toBeNull()
})

describe('dragging a point', () => {
  const bands = [
    { top: 0, bottom: 80 },
    { top: 100, bottom: 180 },
  ]
  test.each([
    ['above everything', -5, gap(0)],
    ['at the upper edge of a step', 10, gap(0)],
    ['in the middle of a step', 40, step(0)],
    ['at its lower edge', 75, gap(1)],
    ['between two', 90, gap(1)],
    ['in the next', 140, step(1)],
    ['below everything', 500, gap(2)],
  ] satisfies [string, number, StepPlace][])('%s', (_, y, place) => {
    expect(placeAt(bands, y)).toEqual(place)
  })

  test('is possible into an empty route', () => {
    expect(placeAt([], 100)).toEqual(gap(0))
  })
})
