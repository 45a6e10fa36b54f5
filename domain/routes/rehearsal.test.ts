import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actOf, pointTypes, type PointType } from '../points/point-types.ts'
import { requiredCertificate, rehearsalOf } from './rehearsal.ts'

const person = (userId: string) => ({ userId, fullName: userId })
const point = (pointId: string, order: number, type: PointType = 'InternalApprove') => ({
  pointId,
  order,
  type,
  isEdsPresentationRequired: false,
  participants: [person('p'), person('q')],
  responsiblePersons: [] as ReturnType<typeof person>[],
})

describe('the certificate that a point requires', () => {
  test.each([
    ['CompanyInternalSign', false, 'organization'],
    ['QuickCompanyInternalSign', false, 'organization'],
    ['ExternalSign', false, 'organization'],
    ['QuickExternalSign', false, 'organization'],
    ['CounterParty', false, 'organization'],
    ['EmployeeInternalSign', false, 'person'],
    ['InternalApprove', true, 'person'],
    ['InternalApprove', false, null],
    ['ExternalApprove', false, null],
    ['InternalInformationConfirm', false, null],
  ] satisfies [PointType, boolean, string | null][])('%s, EDS %s: %s', (type, isRequired, expected) => {
    expect(requiredCertificate(type, isRequired)).toBe(expected)
  })

  test('is required wherever something is signed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pointTypes.names), fc.boolean(), (type, isRequired) => {
        if (actOf(type) === 'sign') expect(requiredCertificate(type, isRequired)).not.toBeNull()
      }),
    )
  })
})

test('steps are grouped by turn, with the faults of each point', () => {
  const faults = [{ fault: 'inactive-point' as const, pointIds: ['b'] }]
  const turns = rehearsalOf([point('a', 4), point('b', 1), point('c', 4, 'ExternalSign')], faults)
  expect(turns).toMatchObject([
    { order: 1, steps: [{ pointId: 'b', faults: ['inactive-point'], act: 'approve' }] },
    {
      order: 4,
      steps: [
        { pointId: 'a', faults: [] },
        { pointId: 'c', act: 'sign', pointType: 1 },
      ],
    },
  ])
})

test('responsible people are addressed, or the whole group if there are none', () => {
  const responsible = { ...point('a', 1), responsiblePersons: [person('q')] }
  const [first, second] = rehearsalOf([responsible, point('b', 2)], [])
  expect(first?.steps[0]?.addressed).toEqual([person('q')])
  expect(second?.steps[0]?.addressed).toEqual([person('p'), person('q')])
})
