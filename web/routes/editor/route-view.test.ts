import { describe, expect, test } from 'vitest'
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { actsInRoute, actsOf, inputOf, newRoute, valuesOf, type RouteView } from './route-view.ts'

const { Private, Public } = visibilityScopes.members
const nobody = { userId: 'u', fullName: 'Айгерім Серікова' }

function point(
  pointId: string,
  order: number,
  type: PointType,
  more: Partial<RouteView['points'][number]> = {},
) {
  return {
    pointId,
    order,
    name: `Point ${pointId}`,
    description: '',
    type: pointTypes.of(type),
    pointType: 0,
    visibilityScope: Public,
    isActive: true,
    group: { id: 'g', name: 'Юристы' },
    responsiblePersons: [],
    participants: [],
    agreementCondition: 'any' as const,
    isEdsPresentationRequired: false,
    bin: '260140020007',
    organizationName: 'Алтын Дала',
    emails: [],
    quorum: null,
    keyHolder: 'signingRight' as const,
    keyHolderIin: null,
    signatureForm: 'cms' as const,
    condition: null,
    termDays: null,
    escalation: null,
    ...more,
  }
}

const condition = {
  join: 'and' as const,
  terms: [{ subject: 'amount' as const, test: 'over' as const, amount: 1 }],
}

const route: RouteView = {
  id: 'r',
  name: 'Contract',
  description: '',
  visibilityScope: Public,
  routeType: pointTypes.of('CompanyInternalSign', 'InternalApprove', 'InternalInformation'),
  templateId: null,
  isActive: true,
  pointsCount: 3,
  turnsCount: 2,
  author: nobody,
  createdAt: '2026-11-15T09:00:00Z',
  currentVersion: 7,
  allowed: { edit: true, delete: true, copy: true },
  savedBy: nobody,
  savedAt: '2026-11-15T09:00:00Z',
  points: [
    point('a', 3, 'InternalApprove', { visibilityScope: Private }),
    point('b', 3, 'ExternalSign', { group: null, condition }),
    point('c', 20, 'CounterParty', { group: null, organizationName: '' }),
  ],
  faults: [],
}

describe('a route in the editor', () => {
  test('is saved with orders from one and the version it was loaded with', () => {
    expect(inputOf(valuesOf(route, 'own'))).toEqual({
      name: 'Contract',
      description: '',
      visibilityScope: Public,
      points: [
        { pointId: 'a', order: 1, condition: null, termDays: null, escalation: null },
        { pointId: 'b', order: 1, condition, termDays: null, escalation: null },
        { pointId: 'c', order: 2, condition: null, termDays: null, escalation: null },
      ],
      currentVersion: 7,
    })
  })

  test('has no version if it is new', () => {
    expect(inputOf(newRoute)).not.toHaveProperty('currentVersion')
  })

  test('shows who acts at each point and whose the point is', () => {
    const [together, last] = valuesOf(route, 'own').steps
    expect(together).toMatchObject([
      { pointId: 'a', who: 'Юристы', scope: 'personal', organizationId: 'own' },
      { pointId: 'b', who: 'Алтын Дала', scope: 'common', organizationId: 'own' },
    ])
    // A counterparty's point never belongs to the organisation itself; without a name its number is shown.
    expect(last).toMatchObject([{ pointId: 'c', who: '260140020007', organizationId: '' }])
  })
})

test('acts are listed once each, in a fixed order', () => {
  expect(actsInRoute(route)).toEqual(['approve', 'sign', 'inform'])
  expect(actsOf(['ExternalSign', 'CompanyInternalSign'])).toEqual(['sign'])
})
