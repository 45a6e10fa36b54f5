import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { defaultOptions } from '../options/options.ts'
import { checkDigit } from '../numbers.ts'
import { roles } from '../identity/roles.ts'
import {
  fieldsOf,
  fittingFields,
  mayDeletePoint,
  mayEditPoint,
  maySeePoint,
  neededOf,
  numberWarning,
  pointFaults,
  whyNotGroup,
  whyNotPublish,
  whyNotSendTo,
  type PointFields,
  type PointScope,
} from './point.ts'
import { pointTypes, selectableTypes, sideOf } from './point-types.ts'

const filled: PointFields = {
  scope: 'personal',
  groupId: 'g',
  responsiblePersons: ['a'],
  agreementCondition: 'all',
  quorum: 3,
  isEdsPresentationRequired: true,
  bin: '260140020007',
  organizationName: 'Алтын Дала',
  emails: ['a@example.kz', 'b@example.kz'],
  keyHolder: null,
  keyHolderIin: null,
  signatureForm: 'cms',
}
const anyFields = fc.record<PointFields>({
  scope: fc.constantFrom('personal', 'common'),
  groupId: fc.option(fc.string()),
  responsiblePersons: fc.array(fc.string(), { maxLength: 3 }),
  agreementCondition: fc.constantFrom('any', 'all'),
  quorum: fc.option(fc.integer({ min: 0, max: 5 })),
  isEdsPresentationRequired: fc.boolean(),
  bin: fc.option(fc.oneof(fc.string(), fc.constant('260140020007'))),
  organizationName: fc.string(),
  emails: fc.array(fc.constantFrom('a@example.kz', 'A@EXAMPLE.KZ', 'b@example.kz'), { maxLength: 3 }),
  keyHolder: fc.option(fc.constantFrom('head', 'signingRight', 'employee', 'person')),
  keyHolderIin: fc.option(fc.oneof(fc.string(), fc.constant('900611300120'))),
  signatureForm: fc.constantFrom('cms', 'pades', 'xades'),
})

describe('the fields of a type', () => {
  test.each([
    [
      'InternalApprove',
      ['scope', 'groupId', 'responsiblePersons', 'agreementCondition', 'quorum', 'isEdsPresentationRequired'],
    ],
    [
      'CompanyInternalSign',
      ['scope', 'groupId', 'responsiblePersons', 'keyHolder', 'keyHolderIin', 'signatureForm'],
    ],
    [
      'EmployeeInternalSign',
      ['scope', 'groupId', 'responsiblePersons', 'agreementCondition', 'quorum', 'signatureForm'],
    ],
    [
      'ExternalSign',
      ['scope', 'bin', 'organizationName', 'emails', 'keyHolder', 'keyHolderIin', 'signatureForm'],
    ],
    ['ExternalInformation', ['scope', 'bin', 'organizationName', 'emails']],
    ['CounterParty', ['groupId', 'responsiblePersons', 'keyHolder', 'keyHolderIin', 'signatureForm']],
  ] as const)('%s', (type, fields) => {
    expect(fieldsOf(type)).toEqual(fields)
  })

  test('fields of other types are cleared', () => {
    expect(fittingFields('ExternalSign', filled)).toEqual({
      ...filled,
      groupId: null,
      quorum: null,
      responsiblePersons: [],
      agreementCondition: 'any',
      isEdsPresentationRequired: false,
      keyHolder: 'signingRight',
    })
    expect(fittingFields('CounterParty', filled)).toMatchObject({ scope: 'common', bin: null, emails: [] })
  })

  test('clearing fields again changes nothing, and does not change the faults', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pointTypes.names), anyFields, (type, fields) => {
        const fitting = fittingFields(type, fields)
        expect(fittingFields(type, fitting)).toEqual(fitting)
        expect(pointFaults(type, fitting)).toEqual(pointFaults(type, fields))
      }),
    )
  })
})

describe('faults', () => {
  test('a completed form is valid for any type', () => {
    for (const type of selectableTypes) expect(pointFaults(type, filled), type).toEqual([])
  })

  test.each([
    ['CompanyInternalSign', { groupId: null }, 'groupId', 'required'],
    ['CounterParty', { groupId: '' }, 'groupId', 'required'],
    ['ExternalSign', { bin: null }, 'bin', 'required'],
    ['ExternalApprove', { bin: '12345678901' }, 'bin', 'twelve-digits'],
    ['ExternalSign', { bin: '26014002000x' }, 'bin', 'twelve-digits'],
    ['ExternalInformation', { emails: [] }, 'emails', 'email-not-chosen'],
    ['ExternalSign', { emails: ['a@example.kz', 'A@example.kz'] }, 'emails', 'emails-repeat'],
    ['CounterParty', { keyHolder: 'person' }, 'keyHolderIin', 'required'],
    ['ExternalSign', { keyHolder: 'person', keyHolderIin: '9006' }, 'keyHolderIin', 'twelve-digits'],
  ] as const)('%s with %o: %s %s', (type, change, field, code) => {
    expect(pointFaults(type, { ...filled, ...change } as PointFields)).toEqual([{ field, code }])
  })

  test('a field has at most one fault, and only fields of the type have faults', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pointTypes.names), anyFields, (type, fields) => {
        const at = pointFaults(type, fields).map(({ field }) => field)
        expect(new Set(at).size).toBe(at.length)
        expect(fieldsOf(type)).toEqual(expect.arrayContaining(at))
      }),
    )
  })
})

describe('numbers', () => {
  const own = '260140020007'
  test('the own number and a wrong check digit cause a warning', () => {
    expect(numberWarning(own, own)).toBe('own-number')
    expect(numberWarning('240540017348', own)).toBeNull()
    expect(numberWarning('240540017349', own)).toBe('check-digit')
    expect(numberWarning('2405', own)).toBeNull()
  })

  test('at most one last digit causes no warning', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{11}$/), (eleven) => {
        const quiet = '0123456789'.split('').filter((digit) => numberWarning(eleven + digit, own) === null)
        const right = checkDigit(eleven)
        expect(quiet).toEqual(right === null || eleven === own.slice(0, 11) ? [] : [String(right)])
      }),
    )
  })
})

test('a group must have members, and responsible people must be members', () => {
  expect(whyNotGroup(null, [], null)).toBe('group-not-in-organization')
  expect(whyNotGroup({ participants: [] }, [], null)).toBe('group-empty')
  expect(whyNotGroup({ participants: ['a'] }, ['a', 'b'], null)).toBe('responsible-not-in-group')
  expect(whyNotGroup({ participants: ['a', 'b'] }, ['b'], null)).toBeNull()
})

test('a quorum needs a group that is large enough, and exists only if not everybody must act', () => {
  expect(whyNotGroup({ participants: ['a', 'b'] }, [], 3)).toBe('group-smaller-than-quorum')
  expect(whyNotGroup({ participants: ['a', 'b', 'c'] }, [], 3)).toBeNull()
  expect(fittingFields('InternalApprove', filled).quorum).toBeNull()
  expect(fittingFields('InternalApprove', { ...filled, agreementCondition: 'any' }).quorum).toBe(3)
  expect(fittingFields('CompanyInternalSign', { ...filled, agreementCondition: 'any' }).quorum).toBeNull()
})

test('one, several or everybody must act, but never more people than there are', () => {
  const any = { agreementCondition: 'any', quorum: null } as const
  expect([neededOf(any, 5), neededOf({ ...any, quorum: 3 }, 5)]).toEqual([1, 3])
  expect(neededOf({ agreementCondition: 'all', quorum: null }, 5)).toBe(5)
  expect([neededOf({ ...any, quorum: 3 }, 2), neededOf(any, 0)]).toEqual([2, 0])
})

describe('sending to a receiver', () => {
  const receiver = (accepts: number) => ({ organizationId: 'them', accepts })
  test.each([
    [0, 'receiver-paused', 'receiver-paused'],
    [1, null, 'forbidden_counter_party_point_by_options'],
    [2, 'forbidden_external_point_by_options', null],
    [3, null, null],
  ])('with the receiving option %i', (accepts, external, counterParty) => {
    expect(whyNotSendTo('external', receiver(accepts), 'us')).toBe(external)
    expect(whyNotSendTo('counterParty', receiver(accepts), 'us')).toBe(counterParty)
    expect(whyNotPublish(accepts)).toBe(
      counterParty === null ? null : 'forbidden_counter_party_point_by_options',
    )
    expect(whyNotSendTo('internal', receiver(accepts), 'us')).toBeNull()
  })

  test('an unknown number receives by external points', () => {
    expect(whyNotSendTo('external', null, 'us')).toBeNull()
  })

  test('an organisation cannot send to its own published point', () => {
    expect(whyNotSendTo('counterParty', receiver(3), 'them')).toBe(
      'counter_party_targets_creator_organization',
    )
  })
})

describe('rights by role, option, author and scope', () => {
  const masks = {
    employee: roles.of('Employee'),
    administrator: roles.of('Employee', 'PointsAdministrator'),
    routesAdministrator: roles.of('Employee', 'SignaturePointsRoutesAdministrator'),
    owner: roles.of('Employee', 'Owner'),
  }
  /** see, edit, delete; with the option off, then on. */
  const table: [keyof typeof masks, 'own' | 'another’s', PointScope, string, string][] = [
    ['employee', 'own', 'personal', 'see edit delete', 'see'],
    ['employee', 'own', 'common', 'see edit delete', 'see'],
    ['employee', 'another’s', 'personal', '', ''],
    ['employee', 'another’s', 'common', 'see edit', 'see'],
    ['routesAdministrator', 'another’s', 'common', 'see edit', 'see'],
    ['administrator', 'own', 'personal', 'see edit delete', 'see edit delete'],
    ['administrator', 'another’s', 'personal', '', ''],
    ['administrator', 'another’s', 'common', 'see edit delete', 'see edit delete'],
    ['owner', 'another’s', 'personal', 'see edit delete', 'see edit delete'],
    ['owner', 'another’s', 'common', 'see edit delete', 'see edit delete'],
  ]
  test.each(table)('%s, %s, %s: %s; reserved for administrators: %s', (role, whose, scope, off, on) => {
    const point = { authorId: whose === 'own' ? 'me' : 'other', scope }
    const may = (usePointsRolePermission: boolean) => {
      const options = { ...defaultOptions, usePointsRolePermission }
      const viewer = { userId: 'me', roles: masks[role], options }
      return [
        ...(maySeePoint(viewer, point) ? ['see'] : []),
        ...(mayEditPoint(viewer, point) ? ['edit'] : []),
        ...(mayDeletePoint(viewer, point) ? ['delete'] : []),
      ].join(' ')
    }
    expect([may(false), may(true)]).toEqual([off, on])
  })
})

test('every type belongs to a side', () => {
  for (const type of pointTypes.names)
    expect(['internal', 'external', 'counterParty']).toContain(sideOf(type))
})
