import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointTypes, sideOf } from '../points/point-types.ts'
import { routeFaultNames, stateFaults, whyNotSave, type FoundFault, type PointState } from './faults.ts'

const own = 'own'
const there = { organizationId: 'there', accepts: 3 }
const state = (pointId: string, more: Partial<PointState> = {}): PointState => ({
  pointId,
  type: 'CompanyInternalSign',
  participants: 1,
  quorum: null,
  receiver: null,
  ...more,
})

describe('the people behind the points', () => {
  test.each([
    ['a group with people', {}, null],
    ['a group without anybody', { participants: 0 }, 'unsuccessful_point_state'],
    ['a number that nobody has confirmed', { type: 'ExternalSign', participants: 0 }, null],
    ['a number that accepts external points', { type: 'ExternalSign', receiver: there }, null],
    [
      'a number that accepts counterparty points only',
      { type: 'ExternalApprove', receiver: { ...there, accepts: 2 } },
      'forbidden_external_point_by_options',
    ],
    [
      'a number that accepts nothing',
      { type: 'ExternalInformation', receiver: { ...there, accepts: 0 } },
      'receiver-paused',
    ],
    ['a published point', { type: 'CounterParty', receiver: there }, null],
    [
      'a published point of an organisation that accepts external points only',
      { type: 'CounterParty', receiver: { ...there, accepts: 1 } },
      'forbidden_counter_party_point_by_options',
    ],
    ['a point of an unconfirmed organisation', { type: 'CounterParty' }, 'organization-point-not-found'],
    [
      'a published point with nobody behind it',
      { type: 'CounterParty', receiver: there, participants: 0 },
      'unsuccessful_point_state',
    ],
  ] satisfies [string, Partial<PointState>, string | null][])('%s', (_, more, fault) => {
    expect(stateFaults(own, [state('a', more)])).toEqual(fault ? [{ fault, pointIds: ['a'] }] : [])
  })

  test('each fault is reported once, with all its points', () => {
    const points = [state('a', { participants: 0 }), state('b'), state('c', { participants: 0 })]
    expect(stateFaults(own, points)).toEqual([{ fault: 'unsuccessful_point_state', pointIds: ['a', 'c'] }])
  })

  test('receiving options do not affect internal points', () => {
    const someType = fc.constantFrom(...pointTypes.names.filter((type) => sideOf(type) === 'internal'))
    fc.assert(
      fc.property(someType, fc.integer({ min: 0, max: 3 }), (type, accepts) => {
        const receiver = { organizationId: own, accepts }
        expect(stateFaults(own, [state('a', { type, receiver })])).toEqual([])
      }),
    )
  })
})

describe('saving a route with', () => {
  const inactive: FoundFault = { fault: 'inactive-point', pointIds: ['a'] }

  test.each([
    ['nothing wrong', [], ['a'], null],
    ['a new invalid point', [inactive], [], 'inactive-point'],
    ['a new route', [inactive], null, 'inactive-point'],
    ['an invalid point that was there before', [inactive], ['a', 'b'], 'error-during-route-update'],
    [
      'an invalid point that was there before and a new one',
      [inactive, { fault: 'unsuccessful_point_state', pointIds: ['c'] }],
      ['a', 'b'],
      'inactive-point',
    ],
    ['no point at all', [{ fault: 'no-signing-point', pointIds: [] }], ['a'], 'validation-failure'],
  ] satisfies [string, FoundFault[], string[] | null, string | null][])('%s', (_, faults, before, alias) => {
    expect(whyNotSave(faults, before)).toBe(alias)
  })

  test('any fault is refused', () => {
    const someFault = fc.record({
      fault: fc.constantFrom(...routeFaultNames),
      pointIds: fc.array(fc.constantFrom('a', 'b', 'c')),
    })
    fc.assert(
      fc.property(
        fc.array(someFault),
        fc.option(fc.array(fc.constantFrom('a', 'b', 'c'))),
        (faults, before) => {
          expect(whyNotSave(faults, before) === null).toBe(faults.length === 0)
        },
      ),
    )
  })
})
