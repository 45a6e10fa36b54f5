/** Rights by role, option, author, scope and call, for routes and for templates. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { addRouteFromTemplate, callsByKind, routeKinds } from '@kelisim/domain/routes/contract.ts'
import { startTestApp } from '../testing.ts'
import { aliasOf, routeForm, routesOffice } from './testing-routes.ts'

const testApp = await startTestApp()
const { call } = testApp

type Role = 'owner' | 'employee' | 'administrator' | 'routesAdministrator'
type CallOutcome = 'done' | 'denied' | 'missing'

/** Reading, changing, switching off and on, copying, deleting. */
type Outcomes = [read: CallOutcome, change: CallOutcome, copy: CallOutcome, remove: CallOutcome]
const all: Outcomes = ['done', 'done', 'done', 'done']
const butRemove: Outcomes = ['done', 'done', 'done', 'denied']
const readOnly: Outcomes = ['done', 'denied', 'denied', 'denied']
const nothing: Outcomes = ['missing', 'missing', 'missing', 'missing']
/** Creating a copy is denied before the source is looked for. */
const nothingKept: Outcomes = ['missing', 'missing', 'denied', 'missing']

/** With routes open to all members, then reserved for their administrators. */
const table: [Role, 'own' | 'another’s', 1 | 2, open: Outcomes, kept: Outcomes][] = [
  ['employee', 'own', 1, all, readOnly],
  ['employee', 'own', 2, all, readOnly],
  ['employee', 'another’s', 1, nothing, nothingKept],
  ['employee', 'another’s', 2, butRemove, readOnly],
  ['administrator', 'own', 2, all, readOnly],
  ['administrator', 'another’s', 1, nothing, nothingKept],
  ['administrator', 'another’s', 2, butRemove, readOnly],
  ['routesAdministrator', 'own', 1, all, all],
  ['routesAdministrator', 'another’s', 1, nothing, nothing],
  ['routesAdministrator', 'another’s', 2, all, all],
  ['owner', 'another’s', 1, all, all],
  ['owner', 'another’s', 2, all, all],
]

describe.each(routeKinds)('%s', (kind) => {
  const calls = callsByKind[kind]

  test.each(table)('%s, %s, scope %i', async (role, whose, visibilityScope, open, kept) => {
    for (const [isKept, outcomes] of [
      [false, open],
      [true, kept],
    ] as const) {
      const { people, organizationId, both, make, options } = await routesOffice(testApp)
      const me = people[role]
      const author = whose === 'own' ? me : people.colleague
      const form = routeForm(both, { visibilityScope })
      const { id: routeId } = (await make(author, form, kind)).result
      await options({ useSignaturePointsRoutesRolePermission: isKept, usePointsRolePermission: !isKept })
      const of = { organizationId, routeId }
      const read = await call(me, calls.get, of)
      const reads = [
        read,
        await call(me, calls.validate, of),
        await call(me, calls.rehearseSaved, of),
        await call(me, calls.version, { ...of, version: 1 }),
        await call(me, calls.changes, { ...of, since: 1 }),
      ]
      const changes = [
        await call(me, calls.save, { organizationId, id: routeId, currentVersion: 1, ...form }),
        await call(me, calls.deactivate, { ...of, currentVersion: 2 }),
        await call(me, calls.activate, { ...of, currentVersion: 3 }),
      ]
      const copy = await call(me, calls.copy, { ...of, name: 'Копия', visibilityScope })
      const remove = await call(me, calls.remove, of)
      const found = [reads, changes, [copy], [remove]].map((responses) => responses.map(outcomeOf))
      expect(found).toEqual(
        outcomes.map((outcome, i) => Array.from({ length: [5, 3, 1, 1][i]! }, () => outcome)),
      )
      if (read.status === 200) {
        const [, edit, copied, removed] = outcomes.map((outcome) => outcome === 'done')
        expect(read.result.allowed).toEqual({ edit, copy: copied, delete: removed })
      }
    }
  })

  test.each([
    ['employee', null, 'not-enough-permissions'],
    ['administrator', null, 'not-enough-permissions'],
    ['routesAdministrator', null, null],
    ['owner', null, null],
  ] as const)('creating as %s', async (role, open, kept) => {
    const { people, organizationId, both, make, options } = await routesOffice(testApp)
    const { id: templateId } = (await make(people.owner, routeForm(both), 'template')).result
    const fromTemplate = () =>
      call(people[role], addRouteFromTemplate, {
        organizationId,
        templateId,
        name: 'x',
        visibilityScope: 2 as const,
      })
    for (const [isKept, alias] of [
      [false, open],
      [true, kept],
    ] as const) {
      await options({ useSignaturePointsRoutesRolePermission: isKept })
      expect(aliasOf(await make(people[role], routeForm(both), kind))).toBe(alias)
      expect(aliasOf(await fromTemplate())).toBe(alias)
    }
  })

  test('is not found in another organisation, even by an owner', async () => {
    const [ours, theirs] = [await routesOffice(testApp), await routesOffice(testApp)]
    const { id: routeId } = (await theirs.make(theirs.owner, routeForm(theirs.both), kind)).result
    const { organizationId, owner, both } = ours
    const of = { organizationId, routeId }
    const seen = { ...of, currentVersion: 1 }
    const responses = [
      await call(owner, calls.get, of),
      await call(owner, calls.save, { organizationId, id: routeId, currentVersion: 1, ...routeForm(both) }),
      await call(owner, calls.activate, seen),
      await call(owner, calls.deactivate, seen),
      await call(owner, calls.copy, { ...of, name: 'x', visibilityScope: 2 }),
      await call(owner, calls.remove, of),
      await call(owner, calls.version, { ...of, version: 1 }),
      await call(owner, calls.changes, { ...of, since: 1 }),
      await call(owner, calls.validate, of),
      await call(owner, calls.rehearseSaved, of),
    ]
    expect(responses.map(outcomeOf)).toEqual(responses.map(() => 'missing'))
  })
})

test('a hidden route and a missing one get the same refusal, which depends on the call', async () => {
  const { employee, colleague, owner, organizationId, both, make } = await routesOffice(testApp)
  const { route } = callsByKind
  const { id: personal } = (await make(colleague, routeForm(both, { visibilityScope: 1 }))).result
  const save = (personId: string, id: string) =>
    call(personId, route.save, { organizationId, id, currentVersion: 1, ...routeForm(both) })
  for (const routeId of [personal, newId()]) {
    const of = { organizationId, routeId }
    expect(aliasOf(await call(employee, route.get, of))).toBe('route-not-found')
    expect(aliasOf(await save(employee, routeId))).toBe('signature-route-not-found')
    expect(aliasOf(await call(employee, route.remove, of))).toBe('signature-route-not-found-by-creator')
  }
  expect(aliasOf(await call(owner, route.remove, { organizationId, routeId: newId() }))).toBe(
    'route-not-found',
  )
})

function outcomeOf(response: Parameters<typeof aliasOf>[0]): string {
  const alias = aliasOf(response)
  if (alias === null) return 'done'
  if (alias === 'not-enough-permissions') return 'denied'
  return response.status === 404 ? 'missing' : alias
}
