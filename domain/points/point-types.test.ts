import { expect, test } from 'vitest'
import { actOf, kindOf, maskOf, pointTypes, selectableMask, sideOf, typeOf, typesOf } from './point-types.ts'

test('the flags have the values of the specification', () => {
  expect(pointTypes.all).toBe(8191)
  expect(pointTypes.names).toHaveLength(13)
  expect(selectableMask).toBe(8191 - 64 - 128 - 512)
})

test('types are grouped into internal, external and counterparty', () => {
  expect(typesOf('internal')).toEqual([
    'InternalApprove',
    'CompanyInternalSign',
    'InternalInformation',
    'EmployeeInternalSign',
    'QuickCompanyInternalSign',
    'InternalInformationConfirm',
  ])
  expect(typesOf('counterParty')).toEqual(['CounterParty'])
  expect(maskOf('internal') | maskOf('external') | maskOf('counterParty')).toBe(pointTypes.all)
})

test('the act, side and kind of a type', () => {
  expect(actOf('EmployeeInternalSign')).toBe('sign')
  expect(actOf('ExternalInformationConfirm')).toBe('confirm')
  expect(sideOf('QuickExternalSign')).toBe('external')
  expect(kindOf('QuickExternalSign').isQuick).toBe(true)
})

test('each flag is one type', () => {
  for (const type of pointTypes.names) expect(typeOf(pointTypes.of(type))).toBe(type)
  expect(typeOf(0)).toBeNull()
  expect(typeOf(3)).toBeNull()
})
