/** Simultaneous changes: nothing is lost or half done. */
import { expect, test } from 'vitest'
import { deletePoint } from '@kelisim/domain/points/contract.ts'
import { addRouteFromTemplate, routeCalls, templateCalls } from '@kelisim/domain/routes/contract.ts'
import { startTestApp } from '../testing.ts'
import { aliasOf, routeForm, routesOffice } from './testing-routes.ts'

const testApp = await startTestApp()
const { call, database } = testApp
const rounds = Array.from({ length: 6 }, (_, i) => i)

test('when ten people save the same version at once, one succeeds', async () => {
  const { employee, colleague, organizationId, both, make } = await routesOffice(testApp)
  const { id: routeId } = (await make(employee, routeForm(both))).result
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      call(i % 2 ? employee : colleague, routeCalls.save, {
        organizationId,
        id: routeId,
        currentVersion: 1,
        ...routeForm(both, { name: `Правка ${i}` }),
      }),
    ),
  )
  const done = responses.filter(({ status }) => status === 200)
  expect(done).toHaveLength(1)
  expect(responses.map(aliasOf).filter((alias) => alias === 'outdated-route')).toHaveLength(9)
  const { result } = await call(employee, routeCalls.get, { organizationId, routeId })
  expect(result).toMatchObject({ name: done[0]!.result.name, currentVersion: 2 })
})

test('when a route is saved and switched off at once, one succeeds', async () => {
  for (const i of rounds) {
    const { employee, organizationId, both, make } = await routesOffice(testApp)
    const { id: routeId } = (await make(employee, routeForm(both))).result
    const responses = await Promise.all([
      call(employee, routeCalls.save, {
        organizationId,
        id: routeId,
        currentVersion: 1,
        ...routeForm(both, { name: `Правка ${i}` }),
      }),
      call(employee, routeCalls.deactivate, { organizationId, routeId, currentVersion: 1 }),
    ])
    expect([
      [null, 'outdated-route'],
      ['outdated-route', null],
    ]).toContainEqual(responses.map(aliasOf))
  }
})

test('a point deleted while a route is created with it either stays or is not found', async () => {
  for (const _ of rounds) {
    const { employee, organizationId, both, make } = await routesOffice(testApp)
    const pointId = both[0]!
    const [made, deleted] = await Promise.all([
      make(employee, routeForm(both)),
      call(employee, deletePoint, { organizationId, pointId }),
    ])
    expect([
      [null, 'point-remove-error'],
      ['points-not-found', null],
    ]).toContainEqual([aliasOf(made), aliasOf(deleted)])
  }
})

test('a point that becomes personal while a common route is created does not get into it', async () => {
  for (const _ of rounds) {
    const { employee, both, make, changePoint } = await routesOffice(testApp)
    const [made, changed] = await Promise.all([
      make(employee, routeForm(both)),
      changePoint(both[0]!, { visibilityScope: 1 }),
    ])
    expect([
      [null, 'common-route-with-personal-points'],
      ['common-route-with-personal-points', null],
    ]).toContainEqual([aliasOf(made), aliasOf(changed)])
  }
})

test('a template deleted while a route is created from it leaves no route without a template', async () => {
  for (const i of rounds) {
    const { employee, organizationId, both, make } = await routesOffice(testApp)
    const { id: templateId } = (await make(employee, routeForm(both), 'template')).result
    const of = { organizationId, routeId: templateId }
    const [made, gone] = await Promise.all([
      call(employee, addRouteFromTemplate, {
        organizationId,
        templateId,
        name: 'x',
        visibilityScope: 2 as const,
      }),
      i % 2
        ? call(employee, templateCalls.remove, of)
        : call(employee, templateCalls.deactivate, { ...of, currentVersion: 1 }),
    ])
    expect([
      [null, 'template-remove-error'],
      [null, null],
      ['unavailable-route', null],
      ['route-template-not-found', null],
    ]).toContainEqual([aliasOf(made), aliasOf(gone)])
    if (i % 2) expect([aliasOf(made), aliasOf(gone)]).not.toEqual([null, null])
  }
})

test('counts stay right when many create, change and delete routes at once', async () => {
  const { employee, colleague, owner, organizationId, both, make } = await routesOffice(testApp)
  const people = [employee, colleague, owner]
  await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const personId = people[i % 3]!
      const { id: routeId } = (await make(personId, routeForm(both, { visibilityScope: i % 2 ? 1 : 2 })))
        .result
      const of = { organizationId, routeId }
      if (i % 4 === 1) await call(personId, routeCalls.deactivate, { ...of, currentVersion: 1 })
      if (i % 4 === 2) await call(personId, routeCalls.remove, of)
    }),
  )
  const { rows } = await database.pool.query<{ kept: number; real: number }>(
    `select (select sum(count)::int from route_counts where organization_id = $1) as kept,
       (select count(*)::int from routes where organization_id = $1) as real`,
    [organizationId],
  )
  expect(rows[0]).toEqual({ kept: 18, real: 18 })
})
