import { expect, test } from 'vitest'
import { hour } from './durations.ts'
import {
  allMenuRights,
  fixedTheme,
  menuMask,
  readShellHint,
  renewedShellHint,
  shellHint,
  shellSectionOf,
} from './shell.ts'

const now = new Date('2026-11-16T10:00:00Z')
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)

test('every combination of rights has its own number', () => {
  expect(allMenuRights.map(menuMask)).toEqual(allMenuRights.map((_, mask) => mask))
})

test('a hint is valid for as long as a session lives without a call', () => {
  const hint = shellHint(5, now)
  expect(readShellHint(hint, later(11 * hour))).toBe(5)
  expect(readShellHint(hint, later(12 * hour))).toBeNull()
  expect(readShellHint(hint, later(-2 * hour))).toBeNull()
})

test.each(['', 'x', '16-29400000', '-1-29400000', '5', '5-', '"><b>-1', undefined])(
  'the hint %j is not valid',
  (value) => {
    expect(readShellHint(value, now)).toBeNull()
    expect(renewedShellHint(value, now)).toBeNull()
  },
)

test('signing in renews an old hint', () => {
  const old = shellHint(9, later(-100 * hour))
  expect(readShellHint(old, now)).toBeNull()
  expect(readShellHint(renewedShellHint(old, now)!, now)).toBe(9)
})

test.each([
  ['/signingRequests/incomings', 'documents'],
  ['/SIGNINGREQUESTS/outgoings', 'documents'],
  ['/today', 'documents'],
  ['/documents/my', 'documents'],
  ['/signaturePointsRouteTemplates/add', 'routes'],
  ['/points/my', 'points'],
  ['/classificators', 'classifiers'],
  ['/options/groups', 'options'],
  ['/signingRequests/redirect/1', null],
  ['/signingRequests/outsider/1', null],
  ['/frame/videos', null],
  ['/login', null],
  ['/portal', null],
  ['/constructor', null],
  ['/', null],
])('%s has the menu with %s', (path, section) => {
  expect(shellSectionOf(path)).toBe(section)
})

test('only a theme that can be chosen is accepted', () => {
  expect(fixedTheme('dark')).toBe('dark')
  expect(fixedTheme('auto')).toBeNull()
  expect(fixedTheme('"><script>')).toBeNull()
})
