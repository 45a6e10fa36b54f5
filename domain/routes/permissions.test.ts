import { describe, expect, test } from 'vitest'
import { defaultOptions } from '../options/options.ts'
import { roles, type RoleName } from '../identity/roles.ts'
import {
  isWithinReach,
  looksAfterRoutes,
  mayDeleteRoute,
  mayEditRoute,
  maySeeRoute,
  type Origin,
} from './permissions.ts'

const viewer = (isKept: boolean, ...names: RoleName[]) => ({
  userId: 'me',
  roles: roles.of('Employee', ...names),
  options: { ...defaultOptions, useSignaturePointsRoutesRolePermission: isKept },
})
const routes = {
  mine: { authorId: 'me', scope: 'personal' },
  common: { authorId: 'other', scope: 'common' },
  theirs: { authorId: 'other', scope: 'personal' },
} as const

describe('seeing, changing and deleting a route', () => {
  test.each([
    ['mine', [], 'sed', 's'],
    ['common', [], 'se', 's'],
    ['theirs', [], '', ''],
    ['mine', ['PointsAdministrator'], 'sed', 's'],
    ['mine', ['SignaturePointsRoutesAdministrator'], 'sed', 'sed'],
    ['common', ['SignaturePointsRoutesAdministrator'], 'sed', 'sed'],
    ['theirs', ['SignaturePointsRoutesAdministrator'], '', ''],
    ['mine', ['Owner'], 'sed', 'sed'],
    ['common', ['Owner'], 'sed', 'sed'],
    ['theirs', ['Owner'], 'sed', 'sed'],
  ] satisfies [keyof typeof routes, RoleName[], string, string][])('%s as %j', (whose, names, open, kept) => {
    for (const [isKept, expected] of [
      [false, open],
      [true, kept],
    ] as const) {
      const who = viewer(isKept, ...names)
      const route = routes[whose]
      const may = [
        maySeeRoute(who, route) ? 's' : '',
        mayEditRoute(who, route) ? 'e' : '',
        mayDeleteRoute(who, route) ? 'd' : '',
      ]
      expect(may.join('')).toBe(expected)
    }
  })

  test('routes are administered by their administrators and by owners', () => {
    expect(looksAfterRoutes(viewer(false))).toBe(false)
    expect(looksAfterRoutes(viewer(false, 'PointsAdministrator'))).toBe(false)
    expect(looksAfterRoutes(viewer(false, 'SignaturePointsRoutesAdministrator'))).toBe(true)
    expect(looksAfterRoutes(viewer(false, 'Owner'))).toBe(true)
  })
})

describe('whether a point can be used in a route', () => {
  const point = (more: Partial<Origin>): Origin => ({
    type: 'InternalApprove',
    organizationId: 'here',
    authorId: 'other',
    scope: 'common',
    rolesThere: null,
    ...more,
  })
  const elsewhere = { organizationId: 'there' }
  test.each([
    ['a common point', {}, true],
    ['an own personal point', { scope: 'personal', authorId: 'me' }, true],
    ['a personal point of a colleague', { scope: 'personal' }, false],
    ['a point created by quick sending', { type: 'QuickExternalSign', authorId: 'me' }, false],
    ['a published point of another organisation', { ...elsewhere, type: 'CounterParty' }, true],
    ['a point of another organisation', elsewhere, false],
    ['a common point of another organisation of the person', { ...elsewhere, rolesThere: 1 }, true],
    ['an own personal point there', { ...elsewhere, rolesThere: 1, scope: 'personal', authorId: 'me' }, true],
    ['a personal point of a colleague there', { ...elsewhere, rolesThere: 1, scope: 'personal' }, false],
    [
      'a personal point of a colleague there, for an owner',
      { ...elsewhere, rolesThere: 3, scope: 'personal' },
      true,
    ],
  ] satisfies [string, Partial<Origin>, boolean][])('%s: %j', (_, more, expected) => {
    expect(isWithinReach(point(more), { organizationId: 'here', authorId: 'me' }, { userId: 'me' })).toBe(
      expected,
    )
  })
})
