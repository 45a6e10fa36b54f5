import { describe, expect, test } from 'vitest'
import { callsByKind, routeCalls, routeKinds, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import { startTestApp } from '../testing.ts'
import { aliasOf, routeForm, routesOffice } from './testing-routes.ts'

const testApp = await startTestApp()
const { call, time } = testApp

/** Routes of three people; the names contain the author and the scope. */
async function shelf(kind: RouteKind) {
  const here = await routesOffice(testApp)
  const { organizationId, employee, colleague, owner, both } = here
  const made: [string, string, 1 | 2][] = [
    ['mine personal', employee, 1],
    ['mine common', employee, 2],
    ['colleague personal', colleague, 1],
    ['colleague common', colleague, 2],
    ['owner common off', owner, 2],
  ]
  for (const [name, personId, visibilityScope] of made) {
    time.now = new Date(time.now.getTime() + 1000)
    const { id: routeId } = (await here.make(personId, routeForm(both, { name, visibilityScope }), kind))
      .result
    if (name.endsWith('off')) {
      await call(personId, callsByKind[kind].deactivate, { organizationId, routeId, currentVersion: 1 })
    }
  }
  const ask = async (personId: string, filter: object = {}) =>
    (await call(personId, callsByKind[kind].list, { organizationId, skip: 0, take: 10, ...filter })).result
  const list = async (personId: string, filter: object = {}) => {
    const { items, totalCount } = await ask(personId, filter)
    if (!('skip' in filter || 'take' in filter)) expect(totalCount, JSON.stringify(filter)).toBe(items.length)
    return items.map(({ name }) => name)
  }
  return { ...here, ask, list }
}

describe.each(routeKinds)('lists of the kind %s', (kind) => {
  test('show own, public or all routes by filter, otherwise all visible ones, newest first', async () => {
    const { employee, owner, list } = await shelf(kind)
    const common = ['owner common off', 'colleague common', 'mine common']
    expect(await list(employee, { ownScope: '1' })).toEqual(['mine common', 'mine personal'])
    expect(await list(employee, { visibilityScope: '2' })).toEqual(common)
    expect(await list(owner, { userRole: '2' })).toEqual([
      'owner common off',
      'colleague common',
      'colleague personal',
      'mine common',
      'mine personal',
    ])
    const seen = [...common, 'mine personal']
    expect(await list(employee)).toEqual(seen)
    expect(await list(employee, { visibilityScope: '0', ownScope: '0', userRole: '0' })).toEqual(seen)
    expect(await list(employee, { visibilityScope: '3', ownScope: '3', userRole: '1' })).toEqual(seen)
    expect(await list(owner)).toEqual(common)
  })

  test('are filtered by author, scope and state', async () => {
    const { employee, owner, list } = await shelf(kind)
    expect(await list(employee, { ownScope: '2' })).toEqual(['owner common off', 'colleague common'])
    expect(await list(employee, { ownScope: '2', visibilityScope: '1' })).toEqual([])
    expect(await list(employee, { visibilityScope: '1' })).toEqual(['mine personal'])
    expect(await list(owner, { ownScope: '2', visibilityScope: '1', userRole: '2' })).toEqual([
      'colleague personal',
      'mine personal',
    ])
    expect(await list(employee, { isActive: 'false' })).toEqual(['owner common off'])
    expect(await list(employee, { isActive: 'true', visibilityScope: '2' })).toEqual([
      'colleague common',
      'mine common',
    ])
  })

  test('are searched, sorted and paged', async () => {
    const { employee, owner, ask, list } = await shelf(kind)
    expect(await list(employee, { name: 'COMMON', sort: 'name' })).toEqual([
      'colleague common',
      'mine common',
      'owner common off',
    ])
    expect(await list(employee, { name: 'mi' })).toEqual(['mine common', 'mine personal'])
    expect(await list(employee, { name: '%' })).toEqual([])
    expect(await list(employee, { name: 'personal' })).toEqual(['mine personal'])
    expect(await list(owner, { userRole: '2', sort: 'created', skip: 1, take: 2 })).toEqual([
      'mine common',
      'colleague personal',
    ])
    expect(await list(owner, { userRole: '2', sort: '-name', take: 1 })).toEqual(['owner common off'])
    expect((await ask(owner, { userRole: '2', skip: 4, take: 1 })).totalCount).toBe(5)
  })

  test('do not contain the other kind', async () => {
    const { employee, organizationId } = await shelf(kind)
    const other = callsByKind[kind === 'route' ? 'template' : 'route']
    const { result } = await call(employee, other.list, { organizationId, skip: 0, take: 10 })
    expect(result).toEqual({ items: [], totalCount: 0 })
  })
})

test('a list item contains what a list shows and the allowed acts', async () => {
  const { employee, colleague, ask } = await shelf('route')
  const [line] = (await ask(employee, { name: 'colleague common' })).items
  expect(line).toMatchObject({
    pointsCount: 2,
    turnsCount: 2,
    routeType: 3,
    isActive: true,
    templateId: null,
    visibilityScope: 2,
    author: { userId: colleague },
    allowed: { edit: true, copy: true, delete: false },
  })
  expect(line).not.toHaveProperty('points')
})

test('counts stay right when routes change their scope or are deleted', async () => {
  const { employee, organizationId, both, make, list } = await shelf('route')
  const agrees = async () => {
    for (const filter of [{ ownScope: '1' }, { visibilityScope: '2' }, { isActive: 'true' }, {}]) {
      await list(employee, filter)
    }
  }
  const { id } = (await make(employee, routeForm(both))).result
  await agrees()
  const personal = routeForm(both, { visibilityScope: 1 })
  await call(employee, routeCalls.save, { organizationId, id, currentVersion: 1, ...personal })
  await agrees()
  await call(employee, routeCalls.remove, { organizationId, routeId: id })
  await agrees()
})

describe('a filter by a role above that of the person', () => {
  test.each([
    ['employee', 1, null],
    ['employee', 2, 'roles-filter'],
    ['employee', 8, 'roles-filter'],
    ['routesAdministrator', 9, null],
    ['routesAdministrator', 2, 'roles-filter'],
    ['owner', 2, null],
    ['owner', 4, null],
    ['owner', 15, null],
  ] as const)('%s as %i: %s', async (role, userRole, alias) => {
    const { people, organizationId } = await routesOffice(testApp)
    for (const kind of routeKinds) {
      const input = { organizationId, skip: 0, take: 10, userRole: String(userRole) }
      expect(aliasOf(await call(people[role], callsByKind[kind].list, input))).toBe(alias)
    }
  })

  test.each([
    { visibilityScope: '4' },
    { ownScope: '8' },
    { userRole: '16' },
    { sort: 'size' },
    { take: 101 },
  ])('unknown bits and values are refused: %j', async (filter) => {
    const { employee, organizationId } = await routesOffice(testApp)
    const input = { organizationId, skip: 0, take: 10, ...filter } as {
      organizationId: string
      skip: 0
      take: 10
    }
    expect(aliasOf(await call(employee, routeCalls.list, input))).toBe('validation-failure')
  })
})
