import { describe, expect, test } from 'vitest'
import {
  addGroup,
  getCard,
  getGroup,
  getGroups,
  getMembers,
  getOrganizationEvents,
  removeGroup,
  removeMember,
  saveCard,
  saveGroup,
  setRoles,
} from '@kelisim/domain/portal/contract.ts'
import { getUserOptions, saveUserOptions } from '@kelisim/domain/options/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { startTestApp } from '../testing.ts'

const { call, make, database, time, emails } = await startTestApp()
const all = { skip: 0, take: 100 }
const owner = roles.of('Owner', 'Employee')
const card = { shortName: 'Новое имя', fullName: '', address: '', phone: '', email: '', currentVersion: 1 }

const historyOf = async (ownerId: string, organizationId: string) =>
  (await call(ownerId, getOrganizationEvents, { organizationId, ...all })).result.items

describe('when two owners edit at once', () => {
  test('saving an outdated card is refused, and the first change is kept', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const first = await call(boss, saveCard, { organizationId, ...card, address: 'Астана' })
    const second = await call(boss, saveCard, { organizationId, ...card, phone: '+7 717 000 00 00' })
    expect(second.status).toBe(409)
    expect(second.error).toMatchObject({ ClassName: 'ConcurrencyException' })
    expect((await call(boss, getCard, { organizationId })).result).toMatchObject({
      address: 'Астана',
      phone: '',
    })
    const { currentVersion } = first.result
    const third = await call(boss, saveCard, { organizationId, ...card, currentVersion, phone: '+7 717 000' })
    expect(third.status).toBe(200)
  })

  test('saving an outdated group is refused', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const { id: groupId } = (await call(boss, addGroup, { organizationId, name: 'A', participants: [] }))
      .result
    const save = { organizationId, groupId, name: 'A', currentVersion: 1 }
    expect((await call(boss, saveGroup, { ...save, participants: [boss] })).status).toBe(200)
    const late = await call(boss, saveGroup, { ...save, participants: [] })
    expect(late.error.ExceptionData.Alias).toBe('request-changed')
    expect((await call(boss, getGroup, { organizationId, groupId })).result.participants).toHaveLength(1)
  })
})

describe('the card', () => {
  test('is visible to all members and changed by owners; each change is in the history', async () => {
    const [boss, clerk] = [await make.person('Бас'), await make.person()]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    expect((await call(clerk, getCard, { organizationId })).result.allowed).toEqual({ edit: false })
    expect((await call(clerk, saveCard, { organizationId, ...card })).status).toBe(403)
    const saved = await call(boss, saveCard, { organizationId, ...card, email: ' Office@Example.KZ ' })
    expect(saved.result).toMatchObject({
      shortName: 'Новое имя',
      email: 'office@example.kz',
      membersCount: 2,
    })
    expect(saved.result.allowed).toEqual({ edit: true })
    expect(await historyOf(boss, organizationId)).toMatchObject([
      { type: 'card-changed', by: 'Бас', subject: 'Новое имя' },
    ])
  })

  test('keeps the name of the certificate in a confirmed organisation', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    await database.write((tx) =>
      tx
        .updateTable('organizations')
        .set({ confirmedAt: time.now })
        .where('id', '=', organizationId)
        .execute(),
    )
    const { shortName } = (await call(boss, getCard, { organizationId })).result
    const refused = await call(boss, saveCard, { organizationId, ...card })
    expect(refused.error.ExceptionData.Alias).toBe('organization-name-proved')
    const saved = await call(boss, saveCard, { organizationId, ...card, shortName })
    expect(saved.result).toMatchObject({ shortName, email: card.email })
  })

  test('ignores fields that the contract does not name', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const before = (await call(boss, getCard, { organizationId })).result
    const extra = { bin: '000000000000', confirmedAt: '2020-01-01T00:00:00Z', isIndividual: true }
    await call(boss, saveCard, { organizationId, ...card, ...extra })
    const { bin, confirmedAt, isIndividual } = (await call(boss, getCard, { organizationId })).result
    expect({ bin, confirmedAt, isIndividual }).toEqual({
      bin: before.bin,
      confirmedAt: null,
      isIndividual: false,
    })
  })
})

describe('members', () => {
  test('are listed by name with their groups, page by page', async () => {
    const boss = await make.person('Ермек')
    const organizationId = await make.organization(boss)
    const others = await Promise.all(['Әсем', 'Дәурен', 'Жанна'].map((name) => make.person(name)))
    for (const person of others) await make.member(organizationId, person)
    await call(boss, addGroup, { organizationId, name: 'Заңгерлер', participants: others })
    const first = (await call(boss, getMembers, { organizationId, skip: 0, take: 2 })).result
    expect(first.totalCount).toBe(4)
    expect(first.items.map((m) => m.fullName)).toEqual(['Әсем', 'Дәурен'])
    expect(first.items[0]!.groups.map((g) => g.name)).toEqual(['Заңгерлер'])
    const rest = (await call(boss, getMembers, { organizationId, skip: 2, take: 2 })).result
    expect(rest.items.map((m) => m.fullName)).toEqual(['Ермек', 'Жанна'])
    const beyond = (await call(boss, getMembers, { organizationId, skip: 50, take: 2 })).result
    expect(beyond).toEqual({ items: [], totalCount: 4 })
  })

  test.each([
    ['ҚАЙРАТ', ['Қайрат Нұр']],
    ['100%', ['100% Person']],
    ['a_b', ['a_b Person']],
    ['\\', ['back\\slash']],
    ['%', ['100% Person']],
    ["'; drop table users; --", []],
  ])('a search for %s finds exactly what is written', async (name, found) => {
    const boss = await make.person('Zed')
    const organizationId = await make.organization(boss)
    for (const fullName of ['Қайрат Нұр', '100% Person', 'a_b Person', 'axb Person', 'back\\slash']) {
      await make.member(organizationId, await make.person(fullName))
    }
    const { result } = await call(boss, getMembers, { organizationId, ...all, name })
    expect(result.items.map((m) => m.fullName)).toEqual(found)
    expect(result.totalCount).toBe(found.length)
  })

  test('are listed with what the reader may do with each', async () => {
    const [boss, clerk] = [await make.person('A'), await make.person('B')]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    const allowed = async (reader: string) =>
      (await call(reader, getMembers, { organizationId, ...all })).result.items.map((m) => m.allowed)
    expect(await allowed(boss)).toEqual([
      { changeRoles: true, remove: false }, // the last owner
      { changeRoles: true, remove: true },
    ])
    expect(await allowed(clerk)).toEqual([
      { changeRoles: false, remove: false },
      { changeRoles: false, remove: true }, // may leave
    ])
  })

  test('appointed for incoming documents get one e-mail, in their language', async () => {
    const [boss, clerk] = [await make.person('Владелец'), await make.person('Клерк')]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    await database.pool.query(`update users set language = 'kk' where id = $1`, [clerk])
    const before = emails.length
    const appoint = (userId: string, isAppointed: boolean, given: number = roles.of('Employee')) =>
      call(boss, setRoles, { organizationId, userId, roles: given, isAppointed })
    await appoint(clerk, true)
    await appoint(clerk, true, roles.of('PointsAdministrator'))
    await appoint(clerk, false)
    await appoint(boss, true, roles.of('Owner'))
    expect(emails.slice(before).map(({ to, language, subject }) => [to, language, subject])).toEqual([
      [`${clerk}@example.kz`, 'kk', 'Сіз кіріс құжаттарға тағайындалдыңыз'],
    ])
  })

  test('get roles from owners, and always keep the role of employee', async () => {
    const [boss, clerk] = [await make.person(), await make.person('Клерк')]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    await call(boss, setRoles, { organizationId, userId: clerk, roles: roles.of('PointsAdministrator') })
    await call(boss, setRoles, { organizationId, userId: clerk, roles: roles.of('PointsAdministrator') })
    const { items } = (await call(boss, getMembers, { organizationId, ...all, name: 'Клерк' })).result
    expect(items[0]!.roles).toBe(roles.of('Employee', 'PointsAdministrator'))
    const history = await historyOf(boss, organizationId)
    expect(history.map((e) => [e.type, e.subject])).toEqual([['roles-changed', 'Клерк']]) // applied only once
  })

  test('the last owner can neither step down nor leave, in any letter case of the id', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    for (const userId of [boss, boss.toUpperCase()]) {
      const steppedDown = await call(boss, setRoles, { organizationId, userId, roles: 1 })
      expect(steppedDown.error.ExceptionData.Alias).toBe('last-owner')
      expect((await call(boss, removeMember, { organizationId, userId })).error.ExceptionData.Alias).toBe(
        'last-owner',
      )
    }
  })

  test('two owners who demote each other at once leave one owner, in twenty rounds', async () => {
    for (let i = 0; i < 20; i++) {
      const [a, b] = [await make.person(), await make.person()]
      const organizationId = await make.organization(a)
      await make.member(organizationId, b, 'Owner')
      const answers = await Promise.all([
        call(a, setRoles, { organizationId, userId: b, roles: 1 }),
        i % 2
          ? call(b, setRoles, { organizationId, userId: a, roles: 1 })
          : call(b, removeMember, { organizationId, userId: a }),
      ])
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
      const { rows } = await database.pool.query(
        'select from memberships where organization_id = $1 and roles = $2',
        [organizationId, owner],
      )
      expect(rows).toHaveLength(1)
    }
  })

  test('anyone may leave, only an owner removes others; a former member loses access at once', async () => {
    const [boss, clerk, other] = [await make.person(), await make.person('Клерк'), await make.person('Өзге')]
    const organizationId = await make.organization(boss)
    for (const person of [clerk, other]) await make.member(organizationId, person)
    const group = await call(boss, addGroup, { organizationId, name: 'G', participants: [clerk, other] })
    const refused = await call(clerk, removeMember, { organizationId, userId: other })
    expect(refused.error.ExceptionData.Alias).toBe('not-enough-permissions')
    expect((await call(clerk, removeMember, { organizationId, userId: clerk })).status).toBe(200)
    expect((await call(boss, removeMember, { organizationId, userId: other })).status).toBe(200)
    expect((await call(clerk, getCard, { organizationId })).status).toBe(403)
    const { participants } = (await call(boss, getGroup, { organizationId, groupId: group.result.id })).result
    expect(participants).toEqual([])
    const history = (await historyOf(boss, organizationId)).map((e) => [e.type, e.subject])
    expect(history).toEqual([
      ['removed', 'Өзге'],
      ['left', 'Клерк'],
      ['group-added', 'G'],
    ])
  })

  test('a person of another organisation is not found', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const stranger = await make.person()
    await make.organization(stranger)
    for (const refused of [
      await call(boss, setRoles, { organizationId, userId: stranger, roles: 1 }),
      await call(boss, removeMember, { organizationId, userId: stranger }),
    ]) {
      expect(refused.error.ExceptionData.Alias).toBe('user-not-found')
    }
  })
})

describe('groups', () => {
  test('are made, found, changed and removed by owners, and each change is in the history', async () => {
    const [boss, clerk] = [await make.person('A'), await make.person('B')]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    const made = await call(boss, addGroup, { organizationId, name: 'Подпись', participants: [boss, boss] })
    expect(made.result.participants).toEqual([{ userId: boss, fullName: 'A' }])
    const { id: groupId } = made.result
    await call(boss, saveGroup, {
      organizationId,
      groupId,
      name: 'Қол қою',
      participants: [clerk],
      currentVersion: 1,
    })
    const seen = (await call(clerk, getGroups, { organizationId, ...all, name: 'ҚОЛ' })).result
    expect(seen.items).toMatchObject([
      { name: 'Қол қою', participants: [{ userId: clerk, fullName: 'B' }], allowed: { edit: false } },
    ])
    expect((await call(boss, getGroups, { organizationId, ...all, mine: 'true' })).result.items).toEqual([])
    expect((await call(clerk, getGroups, { organizationId, ...all, mine: 'true' })).result.totalCount).toBe(1)
    await call(boss, removeGroup, { organizationId, groupId })
    expect((await call(boss, getGroup, { organizationId, groupId })).error.ExceptionData.Alias).toBe(
      'organization-group-not-found',
    )
    const history = (await historyOf(boss, organizationId)).map((e) => e.type)
    expect(history).toEqual(['group-removed', 'group-changed', 'group-added'])
  })

  test('have unique names in an organisation, ignoring case, also when made at once', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const answers = await Promise.all(
      ['Әкімшілік', 'ӘКІМШІЛІК', 'әкімшілік'].map((name) =>
        call(boss, addGroup, { organizationId, name, participants: [] }),
      ),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    expect(answers.filter((a) => a.status === 409)).toHaveLength(2)
    const other = await call(boss, addGroup, { organizationId, name: 'Other', participants: [] })
    const renamed = await call(boss, saveGroup, {
      organizationId,
      groupId: other.result.id,
      name: 'Әкімшілік',
      participants: [],
      currentVersion: 1,
    })
    expect(renamed.error.ExceptionData.Alias).toBe('group-name-already-in-use')
    const elsewhere = await make.organization(boss)
    const same = await call(boss, addGroup, {
      organizationId: elsewhere,
      name: 'Әкімшілік',
      participants: [],
    })
    expect(same.status).toBe(200)
  })

  test('take only members of the organisation, and a refused change changes nothing', async () => {
    const [boss, stranger] = [await make.person(), await make.person()]
    const organizationId = await make.organization(boss)
    const made = await call(boss, addGroup, { organizationId, name: 'Bad', participants: [stranger] })
    expect(made.error.ExceptionData).toEqual({
      Alias: 'group-participants-not-found',
      Parameters: { participants: [stranger] },
    })
    expect((await call(boss, getGroups, { organizationId, ...all })).result.totalCount).toBe(0)
    expect(await historyOf(boss, organizationId)).toEqual([])
  })

  test('of another organisation are not found by their id', async () => {
    const [boss, stranger] = [await make.person(), await make.person()]
    const organizationId = await make.organization(boss)
    const theirs = await make.organization(stranger)
    const made = await call(stranger, addGroup, { organizationId: theirs, name: 'Theirs', participants: [] })
    const groupId = made.result.id
    for (const refused of [
      await call(boss, getGroup, { organizationId, groupId }),
      await call(boss, saveGroup, {
        organizationId,
        groupId,
        name: 'Mine',
        participants: [],
        currentVersion: 1,
      }),
      await call(boss, removeGroup, { organizationId, groupId }),
    ]) {
      expect(refused.error.ExceptionData.Alias).toBe('organization-group-not-found')
    }
  })

  test('stay the quick-send group of those who stay in a changed group, not of those who leave it', async () => {
    const [boss, clerk] = [await make.person(), await make.person()]
    const organizationId = await make.organization(boss)
    await make.member(organizationId, clerk)
    const group = { name: 'Quick', participants: [boss, clerk] }
    const { id: groupId } = (await call(boss, addGroup, { organizationId, ...group })).result
    for (const person of [boss, clerk]) {
      await call(person, saveUserOptions, { organizationId, quickSendGroupId: groupId })
    }
    await call(boss, saveGroup, {
      organizationId,
      groupId,
      name: 'Quick',
      participants: [clerk],
      currentVersion: 1,
    })
    const groupOf = async (person: string) =>
      (await call(person, getUserOptions, { organizationId })).result.quickSendGroupId
    expect([await groupOf(boss), await groupOf(clerk)]).toEqual([null, groupId])
  })
})

test('the history of an organisation cannot be changed, not even by the database account of the product', async () => {
  const boss = await make.person()
  const organizationId = await make.organization(boss)
  await call(boss, saveCard, { organizationId, ...card })
  for (const statement of [
    "update organization_events set subject = 'x'",
    'delete from organization_events',
    'truncate organization_events',
  ]) {
    await expect(database.pool.query(statement)).rejects.toThrow('append-only')
  }
})
