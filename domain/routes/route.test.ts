import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointTypes } from '../points/point-types.ts'
import {
  changesBetween,
  personalPoints,
  renumbered,
  routeFaults,
  routeTypeOf,
  turnsOf,
  withoutRepeats,
  type RouteDraft,
  type RoutePoint,
} from './route.ts'

const own = 'own'
const point = (pointId: string, order = 1, more: Partial<RoutePoint> = {}): RoutePoint => ({
  pointId,
  order,
  type: 'CompanyInternalSign',
  scope: 'common',
  isActive: true,
  organizationId: own,
  ...more,
})
const faultsOf = (points: RoutePoint[], scope: RouteDraft['scope'] = 'common') =>
  routeFaults({ organizationId: own, scope, points }).map(({ fault }) => fault)

describe('the faults of a route', () => {
  test('are none if all points are right', () => {
    expect(faultsOf([point('a'), point('b', 2, { type: 'ExternalSign' })])).toEqual([])
  })

  test.each([
    ['no-signing-point', []],
    ['order-not-positive', [point('a', 0)]],
    ['order-not-positive', [point('a', 1.5)]],
    ['private_point_in_public_route', [point('a', 1, { scope: 'personal' })]],
    ['internal_point_not_belong_to_organization', [point('a', 1, { organizationId: 'other' })]],
    ['counter_party_targets_creator_organization', [point('a', 1, { type: 'CounterParty' })]],
    ['inactive-point', [point('a', 1, { isActive: false })]],
  ])('%s', (fault, points) => {
    expect(faultsOf(points)).toEqual([fault])
  })

  test('do not include personal points in a personal route, or a counterparty’s point', () => {
    expect(faultsOf([point('a', 1, { scope: 'personal' })], 'personal')).toEqual([])
    expect(faultsOf([point('a', 1, { type: 'CounterParty', organizationId: 'other' })])).toEqual([])
  })

  test('faults contain their points', () => {
    const draft = {
      organizationId: own,
      scope: 'common' as const,
      points: [point('a'), point('b', 2, { isActive: false })],
    }
    expect(routeFaults(draft)).toEqual([{ fault: 'inactive-point', pointIds: ['b'] }])
  })
})

const someOrders = fc.array(
  fc.record({
    pointId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    order: fc.integer({ min: 1, max: 9 }),
  }),
)

test('a repeated point is kept once, at its earliest order', () => {
  fc.assert(
    fc.property(someOrders, (points) => {
      const once = withoutRepeats(points)
      expect(new Set(once.map(({ pointId }) => pointId)).size).toBe(once.length)
      for (const { pointId, order } of once) {
        expect(order).toBe(Math.min(...points.filter((p) => p.pointId === pointId).map((p) => p.order)))
      }
    }),
  )
})

test('turns are in order, and renumbering keeps parallel points together', () => {
  fc.assert(
    fc.property(someOrders, (points) => {
      const turns = turnsOf(points)
      expect(turns.map(({ order }) => order)).toEqual(
        [...new Set(points.map(({ order }) => order))].toSorted((a, b) => a - b),
      )
      const again = turnsOf(renumbered(points))
      expect(again.map(({ order }) => order)).toEqual(turns.map((_, i) => i + 1))
      expect(again.map((turn) => turn.points.map(({ pointId }) => pointId))).toEqual(
        turns.map((turn) => turn.points.map(({ pointId }) => pointId)),
      )
    }),
  )
})

test('the type of a route is the set of its point types', () => {
  expect(routeTypeOf([{ type: 'InternalApprove' }, { type: 'ExternalSign' }, { type: 'ExternalSign' }])).toBe(
    pointTypes.of('InternalApprove', 'ExternalSign'),
  )
})

test('changes between two versions are found', () => {
  const before = [point('a', 1), point('b', 2), point('c', 3)]
  const after = [point('b', 1), point('c', 3), point('d', 2)]
  expect(changesBetween(before, after)).toEqual([
    { pointId: 'a', change: 'removed', order: 1 },
    { pointId: 'b', change: 'moved', from: 2, to: 1 },
    { pointId: 'd', change: 'added', order: 2 },
  ])
  expect(changesBetween(before, before)).toEqual([])
})

test('personal points are found', () => {
  expect(
    personalPoints([point('a'), point('b', 1, { scope: 'personal' })]).map(({ pointId }) => pointId),
  ).toEqual(['b'])
})
