import { expect, test } from 'vitest'
import { mayOpen } from './page-rights.ts'
import type { MenuRights } from './shell.ts'

const nothing: MenuRights = {
  isOwner: false,
  editPoints: false,
  editRoutes: false,
  isQuickRequestAllowed: false,
}

test.each<[string, keyof MenuRights]>([
  ['/documents/organization', 'isOwner'],
  ['/points/organization', 'isOwner'],
  ['/signaturePointsRoutes/organization', 'isOwner'],
  ['/signaturePointsRouteTemplates/organization', 'isOwner'],
  ['/classificators/add', 'isOwner'],
  ['/points/add', 'editPoints'],
  ['/signaturePointsRoutes/add', 'editRoutes'],
  ['/signaturePointsRouteTemplates/add', 'editRoutes'],
  ['/options/quicksend', 'isOwner'],
  ['/options/PointsAndRoutesRolesPermissions', 'isOwner'],
  ['/options/DocumentPrintingOptions', 'isOwner'],
  ['/options/DocumentExtensionPermissions', 'isOwner'],
  ['/options/CounterPartyPointOptions', 'isOwner'],
  ['/options/DocumentGenerationReportOptions', 'isOwner'],
])('%s needs the right %s and no other', (path, right) => {
  const others = { isOwner: true, editPoints: true, editRoutes: true, isQuickRequestAllowed: true }
  expect(mayOpen(path, { ...nothing, [right]: true })).toBe(true)
  expect(mayOpen(path, { ...others, [right]: false })).toBe(false)
  expect(mayOpen(`${path.toUpperCase()}/`, nothing)).toBe(false)
})

test.each([
  '/signingRequests/incomings',
  '/documents/my',
  '/documents/public',
  '/documents/organization/0190f6a0-0000-7000-8000-000000000001',
  '/points/my',
  '/classificators',
  '/options/NotificationSettings',
  '/options/groups',
  '/options/Substitution',
  '/options/nonsense',
  '/today',
])('%s needs no right', (path) => {
  expect(mayOpen(path, nothing)).toBe(true)
})
