/** Every fault of a route occurs under its condition: when it is saved, validated and rehearsed. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { removeGroup, saveGroup } from '@kelisim/domain/portal/contract.ts'
import { deletePoint } from '@kelisim/domain/points/contract.ts'
import { rehearse, routeCalls, templateCalls, validatePoints } from '@kelisim/domain/routes/contract.ts'
import { startTestApp } from '../testing.ts'
import { aliasOf, counterparty, parametersOf, routeForm, routesOffice } from './testing-routes.ts'

const testApp = await startTestApp()
const { call, database, make } = testApp

type Office = Awaited<ReturnType<typeof routesOffice>>

/** Creates a point that cannot be used in a route of the employee. */
const unfit: Record<string, (here: Office) => Promise<string>> = {
  'points-not-found': async () => newId(),
  counter_party_targets_creator_organization: ({ point }) => point('CounterParty'),
  'inactive-point': async ({ point, changePoint }) => {
    const pointId = await point('InternalApprove')
    await changePoint(pointId, { isActive: false })
    return pointId
  },
  unsuccessful_point_state: async ({ point, group, employee, owner, organizationId }) => {
    const groupId = await group('На время', employee)
    const pointId = await point('InternalApprove', { groupId })
    await call(owner, removeGroup, { organizationId, groupId })
    return pointId
  },
  'group-smaller-than-quorum': async ({ point, group, employee, colleague, owner, organizationId }) => {
    const groupId = await group('Комиссия', employee, colleague)
    const pointId = await point('InternalApprove', { groupId, quorum: 2 })
    const change = { organizationId, groupId, name: 'Комиссия', participants: [employee], currentVersion: 1 }
    await call(owner, saveGroup, change)
    return pointId
  },
  'organization-point-not-found': async () => {
    const { pointId, organizationId } = await counterparty(testApp)
    await database.write((tx) =>
      tx.updateTable('organizations').set({ confirmedAt: null }).where('id', '=', organizationId).execute(),
    )
    return pointId
  },
  forbidden_counter_party_point_by_options: async () => {
    const { pointId, options } = await counterparty(testApp)
    await options({ allowedPointTypesForIncomingSigningRequests: 1 })
    return pointId
  },
  'receiver-paused': async ({ point }) => {
    const { bin, options } = await counterparty(testApp)
    const pointId = await point('ExternalSign', { bin })
    await options({ allowedPointTypesForIncomingSigningRequests: 0 })
    return pointId
  },
  forbidden_external_point_by_options: async ({ point }) => {
    const { bin, options } = await counterparty(testApp)
    const pointId = await point('ExternalSign', { bin })
    await options({ allowedPointTypesForIncomingSigningRequests: 2 })
    return pointId
  },
  internal_point_not_belong_to_organization: async ({ employee }) => {
    const there = await routesOffice(testApp)
    await make.member(there.organizationId, employee)
    return there.approval
  },
}

describe.each(Object.entries(unfit))('%s', (alias, prepared) => {
  test('is reported when saving, validating and rehearsing, with its point', async () => {
    const here = await routesOffice(testApp)
    const { employee, organizationId, signature } = here
    const pointId = await prepared(here)
    const faults = [{ fault: alias, pointIds: [pointId] }]
    const form = routeForm([signature, pointId])
    for (const kind of ['route', 'template'] as const) {
      const made = await here.make(employee, form, kind)
      expect(aliasOf(made)).toBe(alias)
      expect(parametersOf(made)).toEqual({ pointIds: [pointId], faults })
    }
    const validated = await call(employee, validatePoints, { organizationId, pointsId: [signature, pointId] })
    expect(validated.result).toEqual({ isValid: false, faults })
    const { points } = form
    const rehearsed = await call(employee, rehearse, { organizationId, visibilityScope: 2, points })
    if (alias === 'points-not-found') expect(aliasOf(rehearsed)).toBe(alias)
    else {
      expect(rehearsed.result.faults).toEqual(faults)
      expect(rehearsed.result.turns[1]?.steps[0]?.faults).toEqual([alias])
    }
    // Nothing was stored.
    const { result } = await call(employee, routeCalls.list, { organizationId, skip: 0, take: 10 })
    expect(result).toEqual({ items: [], totalCount: 0 })
  })
})

describe('points that the person may not see are reported as missing', () => {
  test('personal points of others, also for an owner, and internal points of other organisations', async () => {
    const [here, there] = [await routesOffice(testApp), await routesOffice(testApp)]
    const { employee, colleague, owner, organizationId, point } = here
    const personal = await point('InternalApprove', { visibilityScope: 1 }, colleague)
    for (const pointId of [personal, there.approval]) {
      for (const personId of [employee, owner]) {
        const form = routeForm([pointId], { visibilityScope: 1 })
        expect(aliasOf(await here.make(personId, form))).toBe('points-not-found')
        const { result } = await call(personId, validatePoints, { organizationId, pointsId: pointId })
        expect(result.faults).toEqual([{ fault: 'points-not-found', pointIds: [pointId] }])
      }
    }
    // The personal point is in another organisation, to which the person belongs, too.
    await make.member(there.organizationId, employee)
    const theirs = await there.point('InternalApprove', { visibilityScope: 1 })
    expect(aliasOf(await here.make(employee, routeForm([theirs])))).toBe('points-not-found')
  })

  test('an owner who changes a member’s personal route can use that member’s personal points', async () => {
    const { employee, owner, organizationId, approval, point, make: add } = await routesOffice(testApp)
    const own = await point('EmployeeInternalSign', { visibilityScope: 1 })
    const ownersOwn = await point('EmployeeInternalSign', { visibilityScope: 1 }, owner)
    const form = routeForm([own], { visibilityScope: 1 })
    const { id } = (await add(employee, form)).result
    const save = (pointIds: string[]) =>
      call(owner, routeCalls.save, {
        organizationId,
        id,
        currentVersion: 1,
        ...routeForm(pointIds, { visibilityScope: 1 }),
      })
    expect(aliasOf(await save([own, ownersOwn]))).toBe('points-not-found')
    expect((await save([own, approval])).result).toMatchObject({
      author: { userId: employee },
      pointsCount: 2,
    })
  })
})

describe('validating', () => {
  test('accepts ids as a list or separated by commas, and refuses invalid input', async () => {
    const { employee, organizationId, both } = await routesOffice(testApp)
    const ask = (pointsId: string | string[], more: object = {}) =>
      call(employee, validatePoints, { organizationId, pointsId, ...more })
    const fine = { isValid: true, faults: [] }
    expect((await ask(both)).result).toEqual(fine)
    expect((await ask(both.join(','))).result).toEqual(fine)
    expect((await ask([both[0]!, both[0]!])).result).toEqual(fine)
    expect(aliasOf(await ask('x'))).toBe('validation-failure')
    expect(aliasOf(await ask(both, { visibilityScope: '3' }))).toBe('validation-failure')
  })

  test('accepts a personal point only in a personal route', async () => {
    const { employee, organizationId, point } = await routesOffice(testApp)
    const own = await point('InternalApprove', { visibilityScope: 1 })
    const ask = async (visibilityScope: number) => {
      const input = { organizationId, pointsId: own, visibilityScope: String(visibilityScope) }
      return (await call(employee, validatePoints, input)).result.faults
    }
    expect(await ask(1)).toEqual([])
    expect(await ask(2)).toEqual([{ fault: 'private_point_in_public_route', pointIds: [own] }])
  })

  test('checks a saved route against the current state of its points', async () => {
    const { employee, organizationId, both, point, make: add, changePoint } = await routesOffice(testApp)
    const { bin, options } = await counterparty(testApp)
    const client = await point('ExternalApprove', { bin })
    const { id: routeId } = (await add(employee, routeForm([...both, client]))).result
    const of = { organizationId, routeId }
    const validate = async () => (await call(employee, routeCalls.validate, of)).result
    expect(await validate()).toEqual({ isValid: true, faults: [] })
    await changePoint(both[0]!, { isActive: false })
    await options({ allowedPointTypesForIncomingSigningRequests: 0 })
    await call(employee, routeCalls.deactivate, { ...of, currentVersion: 1 })
    const ofPoints = [
      { fault: 'inactive-point', pointIds: [both[0]] },
      { fault: 'receiver-paused', pointIds: [client] },
    ]
    const switchedOff = { fault: 'unsuccessful_route_state', pointIds: [] }
    expect(await validate()).toEqual({ isValid: false, faults: [switchedOff, ...ofPoints] })
    expect((await call(employee, routeCalls.get, of)).result.faults).toEqual(ofPoints)
  })
})

test('points of the route that became invalid get another refusal than newly added ones', async () => {
  const { employee, organizationId, both, point, make: add, changePoint } = await routesOffice(testApp)
  const { id } = (await add(employee, routeForm(both))).result
  await changePoint(both[0]!, { isActive: false })
  const another = await point('InternalApprove')
  await changePoint(another, { isActive: false })
  const save = (pointIds: string[]) =>
    call(employee, routeCalls.save, { organizationId, id, currentVersion: 1, ...routeForm(pointIds) })
  const before = await save(both)
  expect(aliasOf(before)).toBe('error-during-route-update')
  expect(parametersOf(before)['faults']).toEqual([{ fault: 'inactive-point', pointIds: [both[0]] }])
  expect(aliasOf(await save([...both, another]))).toBe('inactive-point')
  expect((await save([both[1]!])).result.currentVersion).toBe(2)
})

test('a rehearsal shows turns, acts and participants', async () => {
  const {
    employee,
    colleague,
    organizationId,
    signature,
    point,
    groupId,
    make: add,
    bin,
  } = await routesOffice(testApp)
  const approval = await point('InternalApprove', {
    name: 'Согласование',
    isEdsPresentationRequired: true,
    agreementCondition: 'all',
    responsiblePersons: [colleague],
  })
  const client = await point('ExternalSign', { organizationName: 'Клиент' })
  const { pointId: theirs, bin: theirBin } = await counterparty(testApp)
  const points = [
    { pointId: client, order: 5 },
    { pointId: theirs, order: 5 },
    { pointId: approval, order: 1 },
    { pointId: signature, order: 3 },
  ]
  const { result } = await call(employee, rehearse, { organizationId, visibilityScope: 2, points })
  expect(result.faults).toEqual([])
  expect(result.turns.map(({ order, steps }) => [order, steps.map(({ pointId }) => pointId)])).toEqual([
    [1, [approval]],
    [3, [signature]],
    [5, [client, theirs]],
  ])
  expect(result.turns[0]?.steps[0]).toMatchObject({
    act: 'approve',
    certificate: 'person',
    agreementCondition: 'all',
    group: { id: groupId },
    bin,
    addressed: [{ userId: colleague }],
    participants: [{}, {}],
    faults: [],
  })
  expect(result.turns[1]?.steps[0]).toMatchObject({
    act: 'sign',
    certificate: 'organization',
    addressed: [{}, {}],
  })
  expect(result.turns[2]?.steps).toMatchObject([
    { bin: '880315300123', organizationName: 'Клиент', emails: ['a@example.kz'], addressed: [] },
    { bin: theirBin, group: null, participants: [], addressed: [], emails: [] },
  ])
  const { id: routeId } = (await add(employee, routeForm([], { points }))).result
  const saved = await call(employee, routeCalls.rehearseSaved, { organizationId, routeId })
  expect(saved.result).toEqual(result)
})

describe('a point in use', () => {
  test('cannot be deleted, and the refusal names the routes that the person may see', async () => {
    const { employee, colleague, owner, organizationId, both, make: add } = await routesOffice(testApp)
    const common = (await add(employee, routeForm(both, { name: 'Б' }), 'template')).result
    const personal = (await add(colleague, routeForm(both, { name: 'А', visibilityScope: 1 }))).result
    const remove = (personId: string) => call(personId, deletePoint, { organizationId, pointId: both[0]! })
    const asEmployee = await remove(employee)
    expect(aliasOf(asEmployee)).toBe('point-remove-error')
    const template = { kind: 'routeTemplate', id: common.id, name: 'Б', status: null }
    const route = { kind: 'route', id: personal.id, name: 'А', status: null }
    expect(parametersOf(asEmployee)).toEqual({ uses: [template], more: 1 })
    expect(parametersOf(await remove(owner))).toEqual({ uses: [route, template], more: 0 })
    await call(owner, routeCalls.remove, { organizationId, routeId: personal.id })
    await call(owner, templateCalls.remove, { organizationId, routeId: common.id })
    expect((await remove(employee)).status).toBe(200)
  })

  test('of another organisation’s route cannot be deleted, and the refusal names no route', async () => {
    const { employee, make: add } = await routesOffice(testApp)
    const { pointId, organizationId, owner } = await counterparty(testApp)
    await add(employee, routeForm([pointId]))
    const response = await call(owner, deletePoint, { organizationId, pointId })
    expect(aliasOf(response)).toBe('point-remove-error')
    expect(parametersOf(response)).toEqual({ uses: [], more: 1 })
  })
})
