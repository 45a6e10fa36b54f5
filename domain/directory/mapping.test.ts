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
])('the claim %j names the groups %j', (claim, names) => {
  expect(groupsIn(claim)).toEqual(names)
})

describe('the groups that the provider reports of a person', () => {
  const mappings = [
    { providerGroup: 'finance', groupId: 'accounting', role: null },
    { providerGroup: 'auditors', groupId: 'accounting', role: null },
    { providerGroup: 'legal', groupId: 'lawyers', role: null },
    { providerGroup: 'admins', groupId: null, role: 'Owner' },
  ] as const
  const employee = roles.of('Employee')

  test('add the person to the mapped groups, and remove them from the other groups of the mappings', () => {
    const before = { roles: employee, groupIds: ['lawyers', 'own'] }
    expect(placeAfter(before, mappings, ['finance', 'auditors', 'elsewhere'])).toEqual({
      roles: employee,
      groupIds: ['own', 'accounting'],
    })
  })

  test('give and take mapped roles, and leave the other roles', () => {
    const points = roles.of('PointsAdministrator') | employee
    const owner = points | roles.of('Owner')
    expect(placeAfter({ roles: points, groupIds: [] }, mappings, ['admins']).roles).toBe(owner)
    expect(placeAfter({ roles: owner, groupIds: [] }, mappings, []).roles).toBe(points)
  })

  test('change nothing without mappings, and are compared exactly', () => {
    const before = { roles: employee, groupIds: ['lawyers'] }
    expect(placeAfter(before, [], ['admins'])).toEqual(before)
    expect(placeAfter(before, mappings, ['Finance'])).toEqual({ roles: employee, groupIds: [] })
  })
})
