import { describe, expect, test } from 'vitest'
import type { MenuRights } from '@kelisim/domain/shell.ts'
import { isCurrent, isElsewhere, menuFor, sectionOf } from './menu.ts'

const nothing: MenuRights = {
  isOwner: false,
  editPoints: false,
  editRoutes: false,
  isQuickRequestAllowed: false,
}
const everything: MenuRights = {
  isOwner: true,
  editPoints: true,
  editRoutes: true,
  isQuickRequestAllowed: true,
}

function addresses(rights: Partial<MenuRights>): string[] {
  return menuFor({ ...nothing, ...rights }).flatMap((s) =>
    s.groups.flatMap((g) => g.entries.map((e) => e.to)),
  )
}

test('the six sections have their fixed order', () => {
  expect(menuFor(nothing).map((s) => s.name)).toEqual([
    'documents',
    'routes',
    'points',
    'classifiers',
    'options',
    'help',
  ])
})

describe('who sees what', () => {
  test.each([
    ['/documents/organization', { isOwner: true }],
    ['/points/organization', { isOwner: true }],
    ['/signaturePointsRoutes/organization', { isOwner: true }],
    ['/signaturePointsRouteTemplates/organization', { isOwner: true }],
    ['/classificators/add', { isOwner: true }],
    ['/options/quicksend', { isOwner: true }],
    ['/options/PointsAndRoutesRolesPermissions', { isOwner: true }],
    ['/options/CounterPartyPointOptions', { isOwner: true }],
    ['/points/add', { editPoints: true }],
    ['/signaturePointsRoutes/add', { editRoutes: true }],
    ['/signaturePointsRouteTemplates/add', { editRoutes: true }],
    ['/options/groups', { isQuickRequestAllowed: true }],
  ] as [string, Partial<MenuRights>][])('%s needs %o', (address, right) => {
    expect(addresses({})).not.toContain(address)
    expect(addresses(right)).toContain(address)
  })

  test('everybody sees the notification settings, their own lists and the help', () => {
    expect(addresses({})).toEqual(
      expect.arrayContaining([
        '/options/NotificationSettings',
        '/documents/my',
        '/points/counterParty',
        '/frame/instruction',
      ]),
    )
  })
})

test.each([
  ['/points/internal/01a1', 'points'],
  ['/signaturePointsRouteTemplates/my', 'routes'],
  ['/classificators', 'classifiers'],
  ['/options/groups', 'options'],
  ['/frame/price-list', 'help'],
  ['/document-templates/new', 'documents'],
  ['/', 'documents'],
])('%s belongs to %s', (path, section) => {
  expect(sectionOf(path)).toBe(section)
})

test('the current entry is found regardless of upper and lower case', () => {
  expect(isCurrent({ text: 'menu.my', to: '/points/counterParty' }, '/points/counterparty')).toBe(true)
  expect(isCurrent({ text: 'menu.my', to: '/points/my' }, '/points/my/1')).toBe(false)
})

test('each entry opens its own section', () => {
  const wrong = menuFor(everything).flatMap(({ name, groups }) =>
    groups
      .flatMap(({ entries }) => entries)
      .filter((entry) => !isElsewhere(entry) && sectionOf(entry.to) !== name),
  )
  expect(wrong).toEqual([])
})
