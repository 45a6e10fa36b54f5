import { describe, expect, test } from 'vitest'
import { roles } from '../identity/roles.ts'
import { groupsIn, placeAfter } from './mapping.ts'

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['a', ['a']],
  [[], []],
  [['a', 7, null, 'x'.repeat(251)], ['a']],
  [undefined, null],
  [null, null],
  [{ a: 1 }, null],
])('the claim %j names %j', (claim, names) => {
  expect(groupsIn(claim)).toEqual(names)
})

describe('what the service tells', () => {
  const mappings = [
    { providerGroup: 'finance', groupId: 'accounting', role: null },
    { providerGroup: 'auditors', groupId: 'accounting', role: null },
    { providerGroup: 'legal', groupId: 'lawyers', role: null },
    { providerGroup: 'admins', groupId: null, role: 'Owner' },
  ] as const
  const employee = roles.of('Employee')

  test('puts somebody into the groups that are meant, and takes them out of the others that are named', () => {
    const before = { roles: employee, groupIds: ['lawyers', 'own'] }
    expect(placeAfter(before, mappings, ['finance', 'auditors', 'elsewhere'])).toEqual({
      roles: employee,
      groupIds: ['own', 'accounting'],
    })
  })

  test('gives and takes a role that is named, and leaves the others', () => {
    const points = roles.of('PointsAdministrator') | employee
    const owner = points | roles.of('Owner')
    expect(placeAfter({ roles: points, groupIds: [] }, mappings, ['admins']).roles).toBe(owner)
    expect(placeAfter({ roles: owner, groupIds: [] }, mappings, []).roles).toBe(points)
  })

  test('means nothing where nothing is named, and is compared exactly', () => {
    const before = { roles: employee, groupIds: ['lawyers'] }
    expect(placeAfter(before, [], ['admins'])).toEqual(before)
    expect(placeAfter(before, mappings, ['Finance'])).toEqual({ roles: employee, groupIds: [] })
  })
})
