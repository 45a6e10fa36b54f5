import { expect, test } from 'vitest'
import { seedDemo } from '@kelisim/demo/seed.ts'
import { callsByKind } from '@kelisim/domain/routes/contract.ts'
import { startTestApp } from '../testing.ts'

test('the routes and templates of the demo are valid, and one has a change to show', async () => {
  const { call, database, time } = await startTestApp()
  await seedDemo(database, 'issuer', time.now)
  const owners = await database.db
    .selectFrom('memberships as m')
    .innerJoin('routes as r', 'r.organizationId', 'm.organizationId')
    .select(['m.userId', 'm.organizationId', 'r.id as routeId', 'r.kind', 'r.isActive', 'r.version'])
    .where('m.roles', '=', 3)
    .execute()
  expect(owners.length).toBeGreaterThan(8)
  for (const { userId, organizationId, routeId, kind, isActive } of owners) {
    const { result } = await call(userId, callsByKind[kind].get, { organizationId, routeId })
    expect(result.faults, result.name).toEqual([])
    const { isValid } = (await call(userId, callsByKind[kind].validate, { organizationId, routeId })).result
    expect(isValid, result.name).toBe(isActive)
  }
  const changed = owners.find(({ version, isActive }) => version === 2 && isActive)!
  const of = { organizationId: changed.organizationId, routeId: changed.routeId, since: 1 }
  const { result } = await call(changed.userId, callsByKind.route.changes, of)
  expect(result.points.map(({ change }) => change)).toEqual(['added'])
})
