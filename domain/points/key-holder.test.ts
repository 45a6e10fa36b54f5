import { describe, expect, test } from 'vitest'
import {
  givenKeyOf,
  givenKeys,
  hasKeyChoice,
  isRoleEnough,
  keyHolders,
  keyRuleOf,
  type GivenKey,
  type KeyHolder,
} from './key-holder.ts'
import { pointTypes, selectableTypes } from './point-types.ts'

const bin = '260140020007'
const iin = '900611300120'

describe('the key holder of a point, if nobody chooses one', () => {
  test.each([
    ['ExternalSign', bin, 'signingRight', null],
    ['ExternalApprove', bin, 'signingRight', null],
    ['ExternalInformationConfirm', bin, 'signingRight', null],
    ['QuickExternalSign', bin, 'signingRight', null],
    ['CounterParty', null, 'signingRight', null],
    ['CompanyInternalSign', null, 'employee', null],
    ['QuickCompanyInternalSign', bin, 'employee', null],
    ['EmployeeInternalSign', null, 'person', null],
    ['InternalApprove', null, 'person', null],
    ['ExternalSign', iin, 'person', iin],
  ] as const)('%s of %s: %s %s', (type, number, keyHolder, keyHolderIin) => {
    expect(keyRuleOf(type, number)).toEqual({ keyHolder, keyHolderIin })
  })
})

describe('the choice of a key holder', () => {
  test('can be the head or one person', () => {
    expect(keyRuleOf('ExternalSign', bin, { keyHolder: 'head' })).toMatchObject({ keyHolder: 'head' })
    const named = { keyHolder: 'person', keyHolderIin: iin } as const
    expect(keyRuleOf('CounterParty', null, named)).toEqual(named)
  })

  test('drops the named person unless one person is chosen', () => {
    const left = { keyHolder: 'head', keyHolderIin: iin } as const
    expect(keyRuleOf('ExternalSign', bin, left)).toEqual({ keyHolder: 'head', keyHolderIin: null })
  })

  test('does not exist at the number of an individual, whatever is sent', () => {
    expect(hasKeyChoice('ExternalSign', iin)).toBe(false)
    expect(keyRuleOf('ExternalSign', iin, { keyHolder: 'employee' })).toEqual({
      keyHolder: 'person',
      keyHolderIin: iin,
    })
  })

  test('does not exist at personal points and where nobody acts', () => {
    const without = selectableTypes.filter((type) => !hasKeyChoice(type, null))
    expect(without.toSorted()).toEqual([
      'EmployeeInternalSign',
      'ExternalInformation',
      'InternalApprove',
      'InternalInformation',
      'InternalInformationConfirm',
    ])
  })

  test('does not change when it is saved again', () => {
    for (const type of pointTypes.names)
      for (const keyHolder of keyHolders) {
        const rule = keyRuleOf(type, bin, { keyHolder, keyHolderIin: iin })
        expect(keyRuleOf(type, bin, rule), `${type} ${keyHolder}`).toEqual(rule)
      }
  })
})

test('the strongest right of a certificate counts', () => {
  expect(givenKeyOf({ bin: null, roles: ['individual'] })).toBe('individual')
  expect(givenKeyOf({ bin, roles: ['legal-entity', 'head', 'signing-right'] })).toBe('head')
  expect(givenKeyOf({ bin, roles: ['legal-entity', 'signing-right'] })).toBe('signingRight')
  expect(givenKeyOf({ bin, roles: ['legal-entity', 'financial-signing-right'] })).toBe('employee')
  expect(givenKeyOf({ bin, roles: [] })).toBe('employee')
})

test('which roles in a certificate are enough for which key holder', () => {
  const enough: Record<KeyHolder, GivenKey[]> = {
    head: ['head'],
    signingRight: ['head', 'signingRight'],
    employee: [...givenKeys],
    person: [...givenKeys],
  }
  for (const keyHolder of keyHolders)
    expect(givenKeys.filter((given) => isRoleEnough(keyHolder, given))).toEqual(enough[keyHolder])
})
