import { describe, expect, test } from 'vitest'
import { defaultOptions, type OrganizationOptions } from '../options/options.ts'
import {
  isOwner,
  leavesNoOwner,
  mayEditPoints,
  mayEditRoutes,
  mayQuickSend,
  mayRemove,
  reachesRoles,
} from './permissions.ts'
import { asStaff, leadingRole, roles } from './roles.ts'

const employee = roles.of('Employee')
const owner = roles.of('Employee', 'Owner')
const pointsAdministrator = roles.of('Employee', 'PointsAdministrator')
const routesAdministrator = roles.of('Employee', 'SignaturePointsRoutesAdministrator')
const both = pointsAdministrator | routesAdministrator

const guarded = (...names: (keyof OrganizationOptions)[]): OrganizationOptions => ({
  ...defaultOptions,
  ...Object.fromEntries(names.map((name) => [name, true])),
})
const points = 'usePointsRolePermission'
const routes = 'useSignaturePointsRoutesRolePermission'

describe('who may edit points, edit routes and send quickly', () => {
  test.each([
    ['an employee where nothing is guarded', employee, guarded(), [true, true, true]],
    ['an employee where points are guarded', employee, guarded(points), [false, true, false]],
    ['an employee where routes are guarded', employee, guarded(routes), [true, false, false]],
    ['an employee where both are guarded', employee, guarded(points, routes), [false, false, false]],
    ['an administrator of points', pointsAdministrator, guarded(points, routes), [true, false, false]],
    ['an administrator of routes', routesAdministrator, guarded(points, routes), [false, true, false]],
    ['an administrator of both', both, guarded(points, routes), [true, true, true]],
    ['the owner', owner, guarded(points, routes), [true, true, true]],
    [
      'the owner where quick sending is off',
      owner,
      { ...defaultOptions, isQuickRequestAllowed: false },
      [true, true, false],
    ],
  ])('%s', (_, mask, options, expected) => {
    expect([mayEditPoints(mask, options), mayEditRoutes(mask, options), mayQuickSend(mask, options)]).toEqual(
      expected,
    )
  })
})

describe('the last owner', () => {
  test.each([
    ['the only owner steps down', ['a'], 'a', employee, true],
    ['the only owner leaves', ['a'], 'a', 0, true],
    ['the only owner gets another role', ['a'], 'a', owner | pointsAdministrator, false],
    ['one of two steps down', ['a', 'b'], 'a', employee, false],
    ['an employee leaves', ['a'], 'b', 0, false],
  ])('%s', (_, owners, userId, after, expected) =>
    expect(leavesNoOwner(owners, userId, after)).toBe(expected),
  )
})

test('an owner can remove anyone, and anyone can leave', () => {
  expect(mayRemove(owner, 'a', 'b')).toBe(true)
  expect(mayRemove(employee, 'a', 'b')).toBe(false)
  expect(mayRemove(employee, 'a', 'a')).toBe(true)
})

test('the displayed role is Owner for owners, otherwise Employee', () => {
  expect([owner, both, roles.all, 0].map(leadingRole)).toEqual(['Owner', 'Employee', 'Owner', 'Employee'])
  expect(isOwner(roles.all)).toBe(true)
})

test('members are always employees', () => {
  expect(asStaff(0)).toBe(employee)
  expect(asStaff(roles.of('Owner'))).toBe(owner)
})

test('the flags have the values of the specification', () => {
  expect(roles.members).toEqual({
    Employee: 1,
    Owner: 2,
    PointsAdministrator: 4,
    SignaturePointsRoutesAdministrator: 8,
  })
  expect(roles.all).toBe(15)
})

test('an owner reaches all roles; administrators reach their own and that of an employee', () => {
  expect(
    [employee, pointsAdministrator, routesAdministrator, owner, 15].map((wanted) =>
      reachesRoles(owner, wanted),
    ),
  ).toEqual(Array(5).fill(true))
  expect(reachesRoles(pointsAdministrator, employee)).toBe(true)
  expect(reachesRoles(pointsAdministrator, routesAdministrator)).toBe(false)
  expect(reachesRoles(both, owner)).toBe(false)
})
