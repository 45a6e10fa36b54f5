import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { newId } from '@kelisim/db/id.ts'
import { removeGroup, saveGroup } from '@kelisim/domain/portal/contract.ts'
import { deletePoint, getPoint, savePoint } from '@kelisim/domain/points/contract.ts'
import { pointTypes, selectableTypes, sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { someBin, startTestApp } from '../testing.ts'
import { office, pointForm, type PointForm } from './testing-points.ts'

const testApp = await startTestApp()
const { call, database } = testApp

const outside = { bin: someBin(9000), emails: ['boss@example.kz'] }
const aliasOf = (response: { status: number; error: { ExceptionData: { Alias: string } } }) =>
  response.status === 200 ? null : response.error.ExceptionData.Alias

describe('creating a point', () => {
  test.each(selectableTypes)('of the kind %s', async (type) => {
    const { employee, add, groupId, bin, organizationId } = await office(testApp)
    const form = pointForm(type, { groupId, organizationName: 'Контрагент', ...outside })
    const { result, status } = await add(employee, form)
    expect(status).toBe(200)
    const isExternal = sideOf(type) === 'external'
    expect(result).toMatchObject({
      type: pointTypes.of(type),
      pointType: { internal: 0, external: 1, counterParty: 2 }[sideOf(type)],
      visibilityScope: 2,
      bin: isExternal ? outside.bin : bin,
      emails: isExternal ? outside.emails : [],
      group: isExternal ? null : { id: groupId, name: 'Бухгалтерия' },
      isActive: true,
      creator: { userId: employee },
      allowed: { edit: true, delete: true },
    })
    expect((await call(employee, getPoint, { organizationId, pointId: result.id })).result).toEqual(result)
  })

  test.each(['QuickCompanyInternalSign', 'QuickExternalSign', 'QuickDirectInformation'] as const)(
    'a quick kind cannot be chosen: %s',
    async (type) => {
      const { employee, add, groupId } = await office(testApp)
      expect(aliasOf(await add(employee, pointForm(type, { groupId, ...outside })))).toBe(
        'validation-failure',
      )
    },
  )

  test.each([
    ['no name', { name: ' ' }, 'name', 'required'],
    ['a long name', { name: 'ұ'.repeat(251) }, 'name', 'too-long'],
    ['a long description', { description: 'x'.repeat(251) }, 'description', 'too-long'],
    ['no scope', { visibilityScope: 0 as 1 }, 'visibilityScope', 'required'],
    ['both scopes', { visibilityScope: 3 as 1 }, 'visibilityScope', 'required'],
    ['no type', { type: 0 }, 'type', 'required'],
    ['two types', { type: 12 }, 'type', 'required'],
    ['an unknown type', { type: 8192 }, 'type', 'required'],
    ['no number', { bin: '' }, 'bin', 'required'],
    ['eleven digits', { bin: '12345678901' }, 'bin', 'twelve-digits'],
    ['letters', { bin: 'abcdefghijkl' }, 'bin', 'twelve-digits'],
    ['no e-mail', { emails: [] }, 'emails', 'email-not-chosen'],
    ['one e-mail twice', { emails: ['a@example.kz', ' A@example.kz'] }, 'emails', 'emails-repeat'],
    ['no e-mail address', { emails: ['a@'] }, 'emails.0', 'email-incorrect'],
    ['a long organisation name', { organizationName: 'x'.repeat(251) }, 'organizationName', 'too-long'],
  ] satisfies [string, Partial<PointForm>, string, string][])(
    'an external point with %s is refused at its field',
    async (_, change, path, code) => {
      const { employee, add } = await office(testApp)
      const { status, error } = await add(employee, pointForm('ExternalSign', { ...outside, ...change }))
      expect(status).toBe(400)
      expect(error.ExceptionData.Parameters['fields']).toEqual([{ path, code }])
    },
  )

  test('all invalid fields are listed at once', async () => {
    const { employee, add } = await office(testApp)
    const { error } = await add(employee, pointForm('ExternalSign', { name: '' }))
    expect(error.ExceptionData.Parameters['fields']).toEqual([
      { path: 'name', code: 'required' },
      { path: 'bin', code: 'required' },
      { path: 'emails', code: 'email-not-chosen' },
    ])
  })

  test('a number may have spaces; a wrong check digit and the own number are accepted', async () => {
    const { employee, add, bin } = await office(testApp)
    for (const [typed, kept] of [
      [' 240 540 017 348 ', '240540017348'],
      ['240540017349', '240540017349'],
      [bin, bin],
    ] as const) {
      const { result } = await add(employee, pointForm('ExternalSign', { ...outside, bin: typed }))
      expect(result.bin).toBe(kept)
    }
  })

  test('a description may have several lines', async () => {
    const { employee, add } = await office(testApp)
    const form = pointForm('ExternalSign', { ...outside, description: 'Счета\r\nи акты' })
    expect((await add(employee, form)).result.description).toBe('Счета\nи акты')
  })

  test('texts of the longest allowed length are accepted', async () => {
    const { employee, add } = await office(testApp)
    const longest = { name: 'ұ'.repeat(250), description: 'ө'.repeat(250), organizationName: 'і'.repeat(250) }
    expect((await add(employee, pointForm('ExternalSign', { ...outside, ...longest }))).result).toMatchObject(
      longest,
    )
  })
})

describe('the group', () => {
  test('belongs to the organisation and has members', async () => {
    const [ours, theirs] = [await office(testApp), await office(testApp)]
    const empty = await ours.group('Пустая')
    const add = async (groupId: string | null, responsiblePersons: string[] = []) =>
      ours.add(ours.employee, pointForm('CompanyInternalSign', { groupId, responsiblePersons }))
    expect(aliasOf(await add(theirs.groupId))).toBe('group-not-in-organization')
    expect(aliasOf(await add(newId()))).toBe('group-not-in-organization')
    expect(aliasOf(await add(empty))).toBe('group-empty')
    expect((await add(null)).error.ExceptionData.Parameters['fields']).toEqual([
      { path: 'groupId', code: 'required' },
    ])
    expect(aliasOf(await add(ours.groupId, [ours.administrator]))).toBe('responsible-not-in-group')
    const { result } = await add(ours.groupId, [ours.employee, ours.employee])
    expect(result.responsiblePersons.map(({ userId }) => userId)).toEqual([ours.employee])
    expect(result.participants?.map(({ userId }) => userId).toSorted()).toEqual(
      [ours.employee, ours.colleague].toSorted(),
    )
  })

  test('is at least as large as the quorum, which is kept by a save without it', async () => {
    const { owner, organizationId, add, group, employee, colleague, administrator } = await office(testApp)
    const groupId = await group('Комиссия', employee, colleague, administrator)
    const form = (quorum?: number) =>
      pointForm('InternalApprove', { groupId, ...(quorum !== undefined && { quorum }) })
    expect(aliasOf(await add(owner, form(4)))).toBe('group-smaller-than-quorum')
    for (const wrong of [0, 1, 101, 1.5]) {
      const { error } = await add(owner, form(wrong))
      expect(error.ExceptionData.Parameters['fields']).toEqual([{ path: 'quorum', code: 'quorum-number' }])
    }
    const { result: point } = await add(owner, form(2))
    expect(point).toMatchObject({ agreementCondition: 'any', quorum: 2 })
    const save = (change: object, currentVersion: number) =>
      call(owner, savePoint, {
        organizationId,
        pointId: point.id,
        ...form(),
        isActive: true,
        currentVersion,
        ...change,
      })
    expect((await save({}, 1)).result.quorum).toBe(2)
    expect((await save({ agreementCondition: 'all' }, 2)).result.quorum).toBeNull()
    expect((await save({ quorum: 3 }, 3)).result.quorum).toBe(3)
    expect((await save({ quorum: null }, 4)).result.quorum).toBeNull()
  })

  test('loses responsible people who leave it, and the point has no group after it is removed', async () => {
    const { owner, employee, colleague, organizationId, add, groupId } = await office(testApp)
    const form = pointForm('CompanyInternalSign', { groupId, responsiblePersons: [employee] })
    const { id: pointId } = (await add(owner, form)).result
    await call(owner, saveGroup, {
      organizationId,
      groupId,
      name: 'Бухгалтерия',
      participants: [colleague],
      currentVersion: 1,
    })
    const read = async () => (await call(owner, getPoint, { organizationId, pointId })).result
    expect(await read()).toMatchObject({ responsiblePersons: [], group: { id: groupId } })
    expect((await call(owner, removeGroup, { organizationId, groupId })).status).toBe(200)
    expect(await read()).toMatchObject({ group: null, participants: [] })
  })
})

describe('changing', () => {
  test('needs the current version, and cannot change the type', async () => {
    const { employee, organizationId, add, groupId } = await office(testApp)
    const form = pointForm('InternalApprove', { groupId, agreementCondition: 'all' })
    const { id: pointId, currentVersion } = (await add(employee, form)).result
    const save = (change: object) =>
      call(employee, savePoint, {
        organizationId,
        pointId,
        ...form,
        isActive: true,
        currentVersion,
        ...change,
      })
    expect(aliasOf(await save({ type: pointTypes.of('CompanyInternalSign') }))).toBe('validation-failure')
    const changed = {
      name: 'Другое',
      isEdsPresentationRequired: true,
      isActive: false,
      visibilityScope: 1 as const,
    }
    expect((await save(changed)).result).toMatchObject({ ...changed, agreementCondition: 'all' })
    expect(aliasOf(await save({}))).toBe('request-changed')
  })

  test('replaces the e-mail addresses', async () => {
    const { employee, organizationId, add } = await office(testApp)
    const form = pointForm('ExternalSign', { ...outside, emails: ['b@example.kz', 'a@example.kz'] })
    const { id: pointId, currentVersion, emails } = (await add(employee, form)).result
    expect(emails).toEqual(['b@example.kz', 'a@example.kz'])
    const { result } = await call(employee, savePoint, {
      organizationId,
      pointId,
      ...form,
      isActive: true,
      currentVersion,
      emails: ['c@example.kz', 'B@example.kz'],
    })
    expect(result.emails).toEqual(['c@example.kz', 'b@example.kz'])
  })
})

describe('deleting', () => {
  test('a point that something refers to is refused', async () => {
    const { employee, organizationId, add, groupId } = await office(testApp)
    const form = pointForm('CompanyInternalSign', { groupId, responsiblePersons: [employee] })
    const { result: point } = await add(employee, form)
    const of = { organizationId, pointId: point.id }
    await database.write(async (tx) => {
      await sql`create table if not exists stands_on_points (point_id uuid references points)`.execute(tx)
      await sql`insert into stands_on_points values (${point.id})`.execute(tx)
    })
    expect(aliasOf(await call(employee, deletePoint, of))).toBe('point-remove-error')
    expect((await call(employee, getPoint, of)).result).toEqual(point)
    await database.write((tx) => sql`drop table stands_on_points`.execute(tx))
    expect((await call(employee, deletePoint, of)).status).toBe(200)
    expect(aliasOf(await call(employee, getPoint, of))).toBe('point-not-found')
    expect(aliasOf(await call(employee, deletePoint, of))).toBe('point-not-found')
  })
})

describe('rights by role, option, author, scope and endpoint', () => {
  type Role = 'owner' | 'employee' | 'administrator' | 'routesAdministrator'
  const missing = 'point-not-found'
  const denied = 'not-enough-permissions'
  /** The aliases of reading, changing and deleting: with points open to all, then reserved for administrators. */
  const table: [Role, 'own' | 'another’s', 1 | 2, (string | null)[], (string | null)[]][] = [
    ['employee', 'own', 1, [null, null, null], [null, denied, denied]],
    ['employee', 'own', 2, [null, null, null], [null, denied, denied]],
    ['employee', 'another’s', 1, [missing, missing, missing], [missing, missing, missing]],
    ['employee', 'another’s', 2, [null, null, denied], [null, denied, denied]],
    ['routesAdministrator', 'another’s', 2, [null, null, denied], [null, denied, denied]],
    ['administrator', 'own', 1, [null, null, null], [null, null, null]],
    ['administrator', 'another’s', 1, [missing, missing, missing], [missing, missing, missing]],
    ['administrator', 'another’s', 2, [null, null, null], [null, null, null]],
    ['owner', 'another’s', 1, [null, null, null], [null, null, null]],
    ['owner', 'another’s', 2, [null, null, null], [null, null, null]],
  ]
  test.each(table)('%s, %s, scope %i', async (role, whose, visibilityScope, open, kept) => {
    for (const [usePointsRolePermission, expected] of [
      [false, open],
      [true, kept],
    ] as const) {
      const { people, organizationId, add, options, groupId } = await office(testApp)
      const form = pointForm('CompanyInternalSign', { groupId, visibilityScope })
      const author = whose === 'own' ? people[role] : people.colleague
      const { id: pointId, currentVersion } = (await add(author, form)).result
      await options({ usePointsRolePermission })
      const of = { organizationId, pointId }
      const read = await call(people[role], getPoint, of)
      const changed = await call(people[role], savePoint, { ...of, ...form, isActive: true, currentVersion })
      const deleted = await call(people[role], deletePoint, of)
      expect([read, changed, deleted].map(aliasOf)).toEqual(expected)
      if (read.status === 200) {
        expect(read.result.allowed).toEqual({ edit: expected[1] === null, delete: expected[2] === null })
      }
    }
  })

  test.each([
    ['employee', null, denied],
    ['routesAdministrator', null, denied],
    ['administrator', null, null],
    ['owner', null, null],
  ] as const)('creating as %s', async (role, open, kept) => {
    const { people, add, options, groupId } = await office(testApp)
    const form = pointForm('CompanyInternalSign', { groupId })
    expect(aliasOf(await add(people[role], form))).toBe(open)
    await options({ usePointsRolePermission: true })
    expect(aliasOf(await add(people[role], form))).toBe(kept)
  })

  test('a point of another organisation is not found, even by an owner', async () => {
    const [ours, theirs] = [await office(testApp), await office(testApp)]
    const form = pointForm('CounterParty', { groupId: theirs.groupId })
    const { id: pointId, currentVersion } = (await theirs.add(theirs.owner, form)).result
    const { organizationId, owner, groupId } = ours
    const of = { organizationId, pointId }
    const responses = [
      await call(owner, getPoint, of),
      await call(owner, savePoint, { ...of, ...form, groupId, isActive: true, currentVersion }),
      await call(owner, deletePoint, of),
    ]
    expect(responses.map(aliasOf)).toEqual([missing, missing, missing])
  })
})

test('the database accepts only points with one type and the fields of that type', async () => {
  const { owner, organizationId } = await office(testApp)
  expect(typeOf(3)).toBeNull()
  const row = (type: number, more: object) => ({
    id: newId(),
    organizationId,
    authorId: owner,
    name: 'x',
    description: '',
    type,
    scope: 'common' as const,
    groupId: null,
    agreementCondition: 'any' as const,
    isEdsPresentationRequired: false,
    keyHolder: 'employee' as const,
    bin: null,
    organizationName: '',
    createdAt: new Date(),
    ...more,
  })
  const insert = (type: number, more: object = {}) =>
    database.write((tx) => tx.insertInto('points').values(row(type, more)).execute())
  await expect(insert(3)).rejects.toThrow('check constraint')
  await expect(insert(4)).rejects.toThrow('check constraint') // an external one without a number
  await expect(insert(2, { bin: '240540017348' })).rejects.toThrow('check constraint')
  await expect(insert(4096, { scope: 'personal' })).rejects.toThrow('check constraint')
  await expect(insert(2, { name: 'x'.repeat(251) })).rejects.toThrow('check constraint')
  expect(await insert(512)).toHaveLength(1)
})
