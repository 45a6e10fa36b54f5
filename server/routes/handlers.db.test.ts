/** Creating, changing, switching on and off, copying and deleting routes and templates. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import {
  addRouteFromTemplate,
  callsByKind,
  mostPoints,
  routeCalls,
  routeKinds,
  templateCalls,
} from '@kelisim/domain/routes/contract.ts'
import { startTestApp } from '../testing.ts'
import { aliasOf, counterparty, parametersOf, routeForm, routesOffice } from './testing-routes.ts'

const inUse = new Set<string>()
const testApp = await startTestApp({
  inUse: { routes: async (_, ids) => new Set(ids.filter((id) => inUse.has(id))) },
})
const { call, database, time } = testApp

describe.each(routeKinds)('creating a %s', (kind) => {
  const calls = callsByKind[kind]

  test('stores the points with their orders, parallel ones together', async () => {
    const { employee, organizationId, approval, signature, point, make, groupId, bin } =
      await routesOffice(testApp)
    const client = await point('ExternalSign', { name: 'Клиент', organizationName: 'Қасымов Ә.' })
    const { pointId: theirs, bin: theirBin } = await counterparty(testApp)
    const points = [
      { pointId: client, order: 7 },
      { pointId: approval, order: 2 },
      { pointId: theirs, order: 7 },
      { pointId: signature, order: 2 },
    ]
    const { result, status } = await make(
      employee,
      routeForm([], { points, description: 'Строка\nи ещё' }),
      kind,
    )
    expect(status).toBe(200)
    expect(result).toMatchObject({
      name: 'Договор поставки',
      description: 'Строка\nи ещё',
      visibilityScope: 2,
      templateId: null,
      routeType: pointTypes.of('InternalApprove', 'CompanyInternalSign', 'ExternalSign', 'CounterParty'),
      isActive: true,
      pointsCount: 4,
      turnsCount: 2,
      currentVersion: 1,
      faults: [],
      author: { userId: employee },
      savedBy: { userId: employee },
      allowed: { edit: true, delete: true, copy: true },
    })
    expect(result.points.map(({ pointId, order }) => [pointId, order])).toEqual([
      [approval, 2],
      [signature, 2],
      [client, 7],
      [theirs, 7],
    ])
    expect(result.points[0]).toMatchObject({
      name: 'Согласование',
      pointType: 0,
      bin,
      group: { id: groupId },
      visibilityScope: 2,
      participants: [{}, {}],
    })
    expect(result.points[2]).toMatchObject({ pointType: 1, organizationName: 'Қасымов Ә.', group: null })
    // The people behind a counterparty's point are not shown.
    expect(result.points[3]).toMatchObject({
      name: 'Приём договоров',
      pointType: 2,
      bin: theirBin,
      group: null,
      participants: [],
      responsiblePersons: [],
      emails: [],
    })
    expect((await call(employee, calls.get, { organizationId, routeId: result.id })).result).toEqual(result)
  })

  test('keeps a repeated point once, at its earliest order', async () => {
    const { employee, approval, signature, make } = await routesOffice(testApp)
    const points = [
      { pointId: signature, order: 3 },
      { pointId: approval, order: 1 },
      { pointId: approval, order: 2 },
      { pointId: signature.toUpperCase(), order: 2 },
    ]
    const { result } = await make(employee, routeForm([], { points }), kind)
    expect(result.points.map(({ pointId, order }) => [pointId, order])).toEqual([
      [approval, 1],
      [signature, 2],
    ])
  })

  test.each([
    ['no name', { name: ' ' }, 'name', 'required'],
    ['a long name', { name: 'ұ'.repeat(251) }, 'name', 'too-long'],
    ['a long description', { description: 'x'.repeat(501) }, 'description', 'too-long'],
    ['no scope', { visibilityScope: 0 as 1 }, 'visibilityScope', 'required'],
    ['both scopes', { visibilityScope: 3 as 1 }, 'visibilityScope', 'required'],
    ['no points', { points: [] }, 'points', 'no-signing-point'],
    ['order 0', { points: [{ pointId: newId(), order: 0 }] }, 'points.0.order', 'order-not-positive'],
  ])('with %s is refused at its field', async (_, change, path, code) => {
    const { employee, both, make } = await routesOffice(testApp)
    const { status, error } = await make(employee, routeForm(both, change), kind)
    expect(status).toBe(400)
    expect(error.ExceptionData.Parameters['fields']).toEqual([{ path, code }])
  })

  test('accepts the longest name and description, and refuses too many points and invalid orders', async () => {
    const { employee, both, make } = await routesOffice(testApp)
    const longest = { name: 'ұ'.repeat(250), description: 'ө'.repeat(500) }
    expect((await make(employee, routeForm(both, longest), kind)).result).toMatchObject(longest)
    const many = Array.from({ length: mostPoints + 1 }, () => newId())
    expect(aliasOf(await make(employee, routeForm(many), kind))).toBe('validation-failure')
    for (const order of [1.5, -1, 1001, NaN]) {
      const points = [{ pointId: both[0]!, order }]
      expect(aliasOf(await make(employee, routeForm([], { points }), kind))).toBe('validation-failure')
    }
  })
})

describe('a common route with personal points', () => {
  test('is refused until the person agrees to leave them out', async () => {
    const { employee, organizationId, approval, signature, point, make } = await routesOffice(testApp)
    const own = await point('EmployeeInternalSign', { visibilityScope: 1 })
    const form = routeForm([approval, own, signature])
    const refused = await make(employee, form)
    expect(aliasOf(refused)).toBe('common-route-with-personal-points')
    expect(parametersOf(refused)).toMatchObject({ pointIds: [own] })
    const { result } = await make(employee, { ...form, removePersonalPoints: true })
    expect(result.points.map(({ pointId, order }) => [pointId, order])).toEqual([
      [approval, 1],
      [signature, 3],
    ])
    const personal = await make(employee, { ...form, visibilityScope: 1, removePersonalPoints: true })
    expect(personal.result.points).toHaveLength(3)
    const { id, currentVersion } = personal.result
    const widen = (more: object) =>
      call(employee, routeCalls.save, { organizationId, id, currentVersion, ...form, ...more })
    expect(aliasOf(await widen({}))).toBe('common-route-with-personal-points')
    expect((await widen({ removePersonalPoints: true })).result.pointsCount).toBe(2)
  })

  test('is refused if there are no other points', async () => {
    const { employee, point, make } = await routesOffice(testApp)
    const own = await point('EmployeeInternalSign', { visibilityScope: 1 })
    const response = await make(employee, routeForm([own], { removePersonalPoints: true }))
    expect(aliasOf(response)).toBe('validation-failure')
    expect(parametersOf(response)['fields']).toEqual([{ path: 'points', code: 'no-signing-point' }])
  })

  test('is not made by turning a point of a common route personal', async () => {
    const { employee, both, make, changePoint, point } = await routesOffice(testApp)
    const personal = await point('InternalApprove')
    await make(employee, routeForm([personal], { visibilityScope: 1 }))
    expect((await changePoint(personal, { visibilityScope: 1 })).status).toBe(200)
    await make(employee, routeForm(both))
    const response = await changePoint(both[0]!, { visibilityScope: 1 })
    expect(aliasOf(response)).toBe('common-route-with-personal-points')
    expect(parametersOf(response)).toMatchObject({ uses: [{ name: 'Договор поставки' }], more: 0 })
    expect((await changePoint(both[0]!, { name: 'Иначе' })).status).toBe(200)
  })
})

describe('changing', () => {
  test('needs the current version, and shows what has changed since another', async () => {
    const { employee, colleague, organizationId, approval, signature, point, make } =
      await routesOffice(testApp)
    const third = await point('InternalInformation', { name: 'Для сведения' })
    const { id: routeId } = (await make(employee, routeForm([approval, signature]))).result
    const save = (personId: string, currentVersion: number, change: object) =>
      call(personId, routeCalls.save, {
        organizationId,
        id: routeId,
        currentVersion,
        ...routeForm([approval, signature]),
        ...change,
      })
    time.now = new Date(time.now.getTime() + 60_000)
    const saved = await save(colleague, 1, {
      name: 'Договор аренды',
      points: [
        { pointId: third, order: 1 },
        { pointId: signature, order: 1 },
      ],
    })
    expect(saved.result).toMatchObject({
      currentVersion: 2,
      name: 'Договор аренды',
      turnsCount: 1,
      author: { userId: employee },
      savedBy: { userId: colleague },
      savedAt: time.now.toISOString(),
      routeType: pointTypes.of('InternalInformation', 'CompanyInternalSign'),
    })
    const stale = await save(employee, 1, {})
    expect(aliasOf(stale)).toBe('outdated-route')
    expect(stale.error.ClassName).toBe('ConcurrencyException')
    expect(parametersOf(stale)).toEqual({ currentVersion: 2 })
    const { result } = await call(employee, routeCalls.changes, { organizationId, routeId, since: 1 })
    expect(result).toMatchObject({
      before: { version: 1, name: 'Договор поставки', savedBy: { userId: employee } },
      after: { version: 2, name: 'Договор аренды', savedBy: { userId: colleague } },
      fields: ['name'],
      points: [
        { change: 'removed', pointId: approval, name: 'Согласование', order: 1 },
        { change: 'added', pointId: third, name: 'Для сведения', order: 1 },
        { change: 'moved', pointId: signature, name: 'Подпись', from: 2, to: 1 },
      ],
    })
    expect((await save(employee, 2, {})).result.currentVersion).toBe(3)
  })

  test('keeps versions as they were saved when points change', async () => {
    const { employee, organizationId, approval, signature, make, changePoint } = await routesOffice(testApp)
    const { id: routeId } = (await make(employee, routeForm([approval, signature]))).result
    await call(employee, routeCalls.save, {
      organizationId,
      id: routeId,
      currentVersion: 1,
      ...routeForm([signature]),
    })
    await changePoint(approval, { name: 'Другое имя' })
    const read = (version: number) => call(employee, routeCalls.version, { organizationId, routeId, version })
    expect((await read(1)).result.points).toEqual([
      {
        pointId: approval,
        order: 1,
        name: 'Согласование',
        type: 1,
        condition: null,
        termDays: null,
        escalation: null,
      },
      {
        pointId: signature,
        order: 2,
        name: 'Подпись',
        type: 2,
        condition: null,
        termDays: null,
        escalation: null,
      },
    ])
    expect(aliasOf(await read(3))).toBe('route-not-found')
    expect(aliasOf(await read(0))).toBe('route-not-found')
    await expect(
      database.write((tx) =>
        tx.updateTable('routeVersions').set({ name: 'x' }).where('routeId', '=', routeId).execute(),
      ),
    ).rejects.toThrow('append-only')
  })

  test('hides versions from the time when the route was personal', async () => {
    const { employee, colleague, owner, organizationId, approval, point, make } = await routesOffice(testApp)
    const own = await point('EmployeeInternalSign', { visibilityScope: 1, name: 'Личное' })
    const form = routeForm([approval, own], { visibilityScope: 1 })
    const { id: routeId } = (await make(employee, form)).result
    const common = { ...form, visibilityScope: 2 as const, removePersonalPoints: true }
    await call(employee, routeCalls.save, { organizationId, id: routeId, currentVersion: 1, ...common })
    const of = { organizationId, routeId }
    expect((await call(colleague, routeCalls.get, of)).status).toBe(200)
    for (const [personId, alias] of [
      [employee, null],
      [owner, null],
      [colleague, 'route-not-found'],
    ] as const) {
      expect(aliasOf(await call(personId, routeCalls.version, { ...of, version: 1 }))).toBe(alias)
      expect(aliasOf(await call(personId, routeCalls.changes, { ...of, since: 1 }))).toBe(alias)
    }
    expect((await call(colleague, routeCalls.changes, { ...of, since: 2 })).result).toMatchObject({
      fields: [],
      points: [],
    })
  })
})

describe.each(routeKinds)('switching a %s off and on', (kind) => {
  const calls = callsByKind[kind]

  test('creates a version for each change only', async () => {
    const { employee, organizationId, both, make } = await routesOffice(testApp)
    const { id: routeId } = (await make(employee, routeForm(both), kind)).result
    const of = { organizationId, routeId }
    const off = await call(employee, calls.deactivate, { ...of, currentVersion: 1 })
    expect(off.result).toMatchObject({ isActive: false, currentVersion: 2 })
    const again = await call(employee, calls.deactivate, { ...of, currentVersion: 2 })
    expect(again.result).toMatchObject({ isActive: false, currentVersion: 2 })
    expect(aliasOf(await call(employee, calls.activate, { ...of, currentVersion: 1 }))).toBe('outdated-route')
    const on = await call(employee, calls.activate, { ...of, currentVersion: 2 })
    expect(on.result).toMatchObject({ isActive: true, currentVersion: 3 })
    const { result } = await call(employee, calls.changes, { ...of, since: 2 })
    expect(result.fields).toEqual(['isActive'])
  })

  test('is refused while a point has a fault', async () => {
    const { employee, organizationId, both, make, changePoint } = await routesOffice(testApp)
    const { id: routeId } = (await make(employee, routeForm(both), kind)).result
    const of = { organizationId, routeId }
    await changePoint(both[0]!, { isActive: false })
    await call(employee, calls.deactivate, { ...of, currentVersion: 1 })
    const refused = await call(employee, calls.activate, { ...of, currentVersion: 2 })
    expect(aliasOf(refused)).toBe(
      kind === 'route' ? 'error-during-route-activation' : 'template-activation-error',
    )
    expect(parametersOf(refused)['faults']).toEqual([{ fault: 'inactive-point', pointIds: [both[0]] }])
    await changePoint(both[0]!, { isActive: true })
    expect((await call(employee, calls.activate, { ...of, currentVersion: 2 })).status).toBe(200)
  })
})

describe('copying', () => {
  test('creates an own route with the same points', async () => {
    const { employee, colleague, organizationId, both, make } = await routesOffice(testApp)
    const source = (await make(employee, routeForm(both, { description: 'Как принято' }))).result
    const { result } = await call(colleague, routeCalls.copy, {
      organizationId,
      routeId: source.id,
      name: 'Копия',
      visibilityScope: 1,
    })
    expect(result).toMatchObject({
      name: 'Копия',
      description: 'Как принято',
      visibilityScope: 1,
      currentVersion: 1,
      author: { userId: colleague },
      points: source.points,
      templateId: null,
    })
    expect(result.id).not.toBe(source.id)
  })

  test('leaves out personal points of others after the person agrees', async () => {
    const { employee, owner, organizationId, approval, point, make } = await routesOffice(testApp)
    const own = await point('EmployeeInternalSign', { visibilityScope: 1 })
    const { id: routeId } = (await make(employee, routeForm([approval, own], { visibilityScope: 1 }))).result
    const copy = (removePersonalPoints: boolean) =>
      call(owner, routeCalls.copy, {
        organizationId,
        routeId,
        name: 'Копия',
        visibilityScope: 1 as const,
        removePersonalPoints,
      })
    expect(aliasOf(await copy(false))).toBe('common-route-with-personal-points')
    expect((await copy(true)).result.points.map(({ pointId }) => pointId)).toEqual([approval])
  })
})

describe('a route from a template', () => {
  test('has the points of the template and its id', async () => {
    const { employee, colleague, organizationId, both, make } = await routesOffice(testApp)
    const template = (await make(employee, routeForm(both), 'template')).result
    const { result } = await call(colleague, addRouteFromTemplate, {
      organizationId,
      templateId: template.id,
      name: 'По шаблону',
      visibilityScope: 2,
    })
    expect(result).toMatchObject({ templateId: template.id, points: template.points, name: 'По шаблону' })
    const form = routeForm(both.slice(1), { templateId: template.id })
    expect((await make(colleague, form)).result).toMatchObject({ templateId: template.id, pointsCount: 1 })
    const of = { organizationId, routeId: template.id }
    expect(aliasOf(await call(employee, routeCalls.get, of))).toBe('route-not-found')
    expect(aliasOf(await call(employee, templateCalls.get, { ...of, routeId: result.id }))).toBe(
      'route-template-not-found',
    )
    expect((await make(employee, { ...form }, 'template')).result.templateId).toBeNull()
  })

  test('cannot be created if the template is switched off, missing or another member’s personal one', async () => {
    const { employee, colleague, organizationId, both, make } = await routesOffice(testApp)
    const { id: templateId } = (await make(employee, routeForm(both), 'template')).result
    const { id: personal } = (await make(employee, routeForm(both, { visibilityScope: 1 }), 'template'))
      .result
    const of = { organizationId, routeId: templateId, currentVersion: 1 }
    await call(employee, templateCalls.deactivate, of)
    for (const [id, alias] of [
      [templateId, 'unavailable-route'],
      [personal, 'route-template-not-found'],
      [newId(), 'route-template-not-found'],
    ] as const) {
      const at = { organizationId, templateId: id, name: 'x', visibilityScope: 2 as const }
      expect(aliasOf(await call(colleague, addRouteFromTemplate, at))).toBe(alias)
      expect(aliasOf(await make(colleague, routeForm(both, { templateId: id })))).toBe(alias)
    }
  })
})

describe('deleting', () => {
  test('a route is refused while requests use it', async () => {
    const { employee, organizationId, both, make } = await routesOffice(testApp)
    const { id: routeId } = (await make(employee, routeForm(both))).result
    const of = { organizationId, routeId }
    inUse.add(routeId)
    expect(aliasOf(await call(employee, routeCalls.remove, of))).toBe('route-remove-error')
    expect((await call(employee, routeCalls.get, of)).status).toBe(200)
    inUse.delete(routeId)
    expect((await call(employee, routeCalls.remove, of)).status).toBe(200)
    expect(aliasOf(await call(employee, routeCalls.get, of))).toBe('route-not-found')
    const left = await database.db
      .selectFrom('routeVersions')
      .select('version')
      .where('routeId', '=', routeId)
      .execute()
    expect(left).toEqual([])
  })

  test('a template is refused while a route made from it exists', async () => {
    const { employee, organizationId, both, make } = await routesOffice(testApp)
    const { id: templateId } = (await make(employee, routeForm(both), 'template')).result
    const { id: routeId } = (await make(employee, routeForm(both, { templateId }))).result
    const removeTemplate = () => call(employee, templateCalls.remove, { organizationId, routeId: templateId })
    const refused = await removeTemplate()
    expect(aliasOf(refused)).toBe('template-remove-error')
    expect(parametersOf(refused)).toMatchObject({ uses: [{ kind: 'route', id: routeId }], more: 0 })
    await call(employee, routeCalls.remove, { organizationId, routeId })
    expect((await removeTemplate()).status).toBe(200)
    expect(aliasOf(await removeTemplate())).toBe('route-template-not-found')
  })
})

test('the database enforces lengths, scopes and immutable columns', async () => {
  const { employee, organizationId, both, make } = await routesOffice(testApp)
  const { id } = (await make(employee, routeForm(both))).result
  const change = (set: object) =>
    database.write((tx) => tx.updateTable('routes').set(set).where('id', '=', id).execute())
  await expect(change({ name: 'x'.repeat(251) })).rejects.toThrow('check constraint')
  await expect(change({ description: 'x'.repeat(501) })).rejects.toThrow('check constraint')
  await expect(change({ scope: 'everybody' })).rejects.toThrow('check constraint')
  await expect(change({ kind: 'template' })).rejects.toThrow('never changes')
  await expect(change({ authorId: newId() })).rejects.toThrow('never changes')
  await expect(
    database.write((tx) =>
      tx.updateTable('routePoints').set({ order: 0 }).where('routeId', '=', id).execute(),
    ),
  ).rejects.toThrow('check constraint')
  const foreign = await routesOffice(testApp)
  const template = (await foreign.make(foreign.employee, routeForm(foreign.both), 'template')).result
  expect(aliasOf(await make(employee, routeForm(both, { templateId: template.id })))).toBe(
    'route-template-not-found',
  )
  expect(organizationId).not.toBe(foreign.organizationId)
})
