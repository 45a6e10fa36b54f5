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

describe('whose key a point takes, if nobody chooses', () => {
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

describe('the choice', () => {
  test('the head, or one person', () => {
    expect(keyRuleOf('ExternalSign', bin, { keyHolder: 'head' })).toMatchObject({ keyHolder: 'head' })
    const named = { keyHolder: 'person', keyHolderIin: iin } as const
    expect(keyRuleOf('CounterParty', null, named)).toEqual(named)
  })

  test('a person who is not asked for is dropped', () => {
    const left = { keyHolder: 'head', keyHolderIin: iin } as const
    expect(keyRuleOf('ExternalSign', bin, left)).toEqual({ keyHolder: 'head', keyHolderIin: null })
  })

  test('the number of an individual leaves none, whatever is sent', () => {
    expect(hasKeyChoice('ExternalSign', iin)).toBe(false)
    expect(keyRuleOf('ExternalSign', iin, { keyHolder: 'employee' })).toEqual({
      keyHolder: 'person',
      keyHolderIin: iin,
    })
  })

  test('at personal points and where nobody acts there is none', () => {
    const without = selectableTypes.filter((type) => !hasKeyChoice(type, null))
    expect(without.toSorted()).toEqual([
      'EmployeeInternalSign',
      'ExternalInformation',
      'InternalApprove',
      'InternalInformation',
      'InternalInformationConfirm',
    ])
  })

  test('keeping it again changes nothing', () => {
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

test('which role is enough for what', () => {
  const enough: Record<KeyHolder, GivenKey[]> = {
    head: ['head'],
    signingRight: ['head', 'signingRight'],
    employee: [...givenKeys],
    person: [...givenKeys],
  }
  for (const keyHolder of keyHolders)
    expect(givenKeys.filter((given) => isRoleEnough(keyHolder, given))).toEqual(enough[keyHolder])
})
