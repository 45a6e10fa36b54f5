import { describe, expect, test } from 'vitest'
import {
  acceptAgreement,
  addOrganization,
  agreementVersion,
  getMyGroups,
  getOrganizations,
  getProfile,
  getRoles,
  setLanguage,
} from '@kelisim/domain/identity/contract.ts'
import { addGroup, getCard, getOrganizationEvents } from '@kelisim/domain/portal/contract.ts'
import { someBin, startTestApp } from '../testing.ts'
import { sweepIdentity } from './core/queries.ts'
import { hour } from '@kelisim/domain/durations.ts'

const { app, call, make, database, time, tokenOf } = await startTestApp()

describe('the profile', () => {
  test('names the person and says whether the agreement was accepted', async () => {
    const person = await make.person('Айгерім Қасымова')
    const { result } = await call(person, getProfile, {})
    expect(result).toEqual({
      UserId: person,
      Login: `${person}@example.kz`,
      FullName: 'Айгерім Қасымова',
      Email: `${person}@example.kz`,
      Language: 'ru',
      IsAgreementAccepted: true,
    })
  })

  test('remembers the language that the person chose', async () => {
    const person = await make.person()
    expect((await call(person, setLanguage, { language: 'kk' })).status).toBe(200)
    expect((await call(person, getProfile, {})).result.Language).toBe('kk')
  })

  test('is refused without signing in', async () => {
    const { status, error } = await call(null, getProfile, {})
    expect(status).toBe(401)
    expect(error.ExceptionData.Alias).toBe('not-signed-in')
  })
})

describe('the organisations of a person', () => {
  test('are listed in order of name, each with the person’s roles', async () => {
    const person = await make.person()
    const second = await make.organization(person, 'Өндіріс')
    const first = await make.organization(undefined, 'Бастау')
    await make.member(first, person, 'PointsAdministrator')
    await make.organization(await make.person(), 'Not mine')
    const { Organizations } = (await call(person, getOrganizations, {})).result
    expect(Organizations.map((o) => o.ShortName)).toEqual(['Бастау', 'Өндіріс'])
    const { UserRolesInfoes } = (await call(person, getRoles, {})).result
    expect(UserRolesInfoes).toEqual([
      { RoleName: 'Employee', OrganizationId: first },
      { RoleName: 'PointsAdministrator', OrganizationId: first },
      { RoleName: 'Employee', OrganizationId: second },
      { RoleName: 'Owner', OrganizationId: second },
    ])
  })

  test('adding an organisation makes the person its owner, and its BIN is not proved', async () => {
    const person = await make.person('Дана Ерлан')
    const bin = '000740000728'
    const { result } = await call(person, addOrganization, {
      bin: '000 740 000 728',
      shortName: '  ТОО Келісім ',
    })
    expect(result).toEqual({
      Id: result.Id,
      ShortName: 'ТОО Келісім',
      Bin: bin,
      IsConfirmed: false,
      LivesAt: null,
    })
    const card = (await call(person, getCard, { organizationId: result.Id })).result
    expect(card).toMatchObject({ bin, isIndividual: false, confirmedAt: null, membersCount: 1 })
    const roles = (await call(person, getRoles, {})).result.UserRolesInfoes.map((r) => r.RoleName)
    expect(roles).toEqual(['Employee', 'Owner'])
    const events = await call(person, getOrganizationEvents, { organizationId: result.Id, skip: 0, take: 10 })
    expect(events.result.items).toMatchObject([
      { type: 'organization-added', by: 'Дана Ерлан', subject: 'ТОО Келісім' },
    ])
  })

  test('an organisation with an IIN is an individual', async () => {
    const person = await make.person()
    const { Id } = (await call(person, addOrganization, { bin: '890403400050', shortName: 'ИП' })).result
    expect((await call(person, getCard, { organizationId: Id })).result.isIndividual).toBe(true)
  })

  test('a number that another organisation has proved cannot be added', async () => {
    const confirmed = await make.organization(await make.person())
    const { bin } = await database.write((tx) =>
      tx
        .updateTable('organizations')
        .set({ confirmedAt: new Date() })
        .where('id', '=', confirmed)
        .returning('bin')
        .executeTakeFirstOrThrow(),
    )
    const refused = await call(await make.person(), addOrganization, { bin, shortName: 'Чужое имя' })
    expect(refused.status).toBe(409)
    expect(refused.error.ExceptionData).toEqual({ Alias: 'organization-of-others', Parameters: { bin } })
  })

  test('adding the same BIN twice is refused, also in simultaneous calls', async () => {
    const person = await make.person()
    const bin = someBin(900)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call(person, addOrganization, { bin, shortName: 'Once' })),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    expect(answers.filter((a) => a.status === 409)).toHaveLength(3)
    const refused = answers.find((a) => a.status === 409)!.error
    expect(refused.ExceptionData).toEqual({ Alias: 'organization-already-yours', Parameters: { bin } })
    expect(refused.Message).toContain(bin)
  })

  test('the same unproved BIN can be added by several people', async () => {
    const bin = someBin(901)
    for (const person of [await make.person(), await make.person()]) {
      expect((await call(person, addOrganization, { bin, shortName: 'Claim' })).status).toBe(200)
    }
  })

  test('a wrong check digit is reported with the name of its field', async () => {
    const person = await make.person()
    const { status, error } = await call(person, addOrganization, { bin: '123456789012', shortName: 'X' })
    expect(status).toBe(400)
    expect(error.ExceptionData.Parameters).toEqual({ fields: [{ path: 'bin', code: 'check-digit' }] })
  })
})

describe('the agreement', () => {
  test('accepted while signed in, is stored with the person, without a cookie', async () => {
    const person = await make.person()
    const organizationId = await make.organization(person)
    await database.write((tx) =>
      tx.updateTable('users').set({ agreementVersion: null }).where('id', '=', person).execute(),
    )
    expect((await call(person, getProfile, {})).result.IsAgreementAccepted).toBe(false)
    // Before accepting the agreement they get nothing of an organisation, whatever they call.
    const refused = await call(person, getCard, { organizationId })
    expect([refused.status, refused.error.ExceptionData.Alias]).toEqual([403, 'agreement-needed'])
    const { headers } = await call(person, acceptAgreement, { version: agreementVersion })
    expect((await call(person, getCard, { organizationId })).status).toBe(200)
    expect(headers['set-cookie']).toBeUndefined()
    expect((await call(person, getProfile, {})).result.IsAgreementAccepted).toBe(true)
  })

  test('accepted before signing in, is kept in a cookie', async () => {
    const { status, headers } = await call(null, acceptAgreement, { version: agreementVersion })
    expect(status).toBe(200)
    expect(String(headers['set-cookie'])).toMatch(/^agreement=2025-01-01; Max-Age=3600; Path=\/; HttpOnly/)
  })

  test('in another version than the current one cannot be accepted', async () => {
    const { error, headers } = await call(null, acceptAgreement, { version: '2019-01-01' })
    expect(error.ExceptionData.Alias).toBe('agreement-not-found')
    expect(headers['set-cookie']).toBeUndefined()
  })
})

test('the groups of a person come from all their organisations, with the names of the members', async () => {
  const [me, other] = [await make.person('Әлия'), await make.person('Берік')]
  const a = await make.organization(me, 'А')
  const b = await make.organization(me, 'Б')
  await make.member(a, other)
  await call(me, addGroup, { organizationId: a, name: 'Бухгалтерия', participants: [me, other] })
  await call(me, addGroup, { organizationId: a, name: 'Not mine', participants: [other] })
  await call(me, addGroup, { organizationId: b, name: 'Директор', participants: [me] })
  const { items, totalCount } = (await call(me, getMyGroups, { skip: 0, take: 10 })).result
  expect(totalCount).toBe(2)
  expect(items).toMatchObject([
    { name: 'Бухгалтерия', organizationId: a, organizationName: 'А', participants: ['Әлия', 'Берік'] },
    { name: 'Директор', organizationId: b, organizationName: 'Б', participants: ['Әлия'] },
  ])
  const second = (await call(me, getMyGroups, { skip: 1, take: 1 })).result
  expect(second).toMatchObject({ totalCount: 2, items: [{ name: 'Директор' }] })
})

describe('a session', () => {
  const profile = (token: string) =>
    app.inject({ url: '/api-user/profile', headers: { cookie: `session=${token}` } })

  test('ends twelve hours after its last call', async () => {
    const start = time.now
    const token = await tokenOf(await make.person())
    for (let i = 1; i <= 3; i++) {
      time.now = new Date(start.getTime() + i * 11 * hour)
      expect((await profile(token)).statusCode).toBe(200)
    }
    time.now = new Date(time.now.getTime() + 12 * hour + 1)
    expect((await profile(token)).statusCode).toBe(401)
    time.now = start
  })

  test('is deleted by the sweep with old rate-limit counters after its end, not before', async () => {
    const [ended, living] = [await tokenOf(await make.person()), await tokenOf(await make.person())]
    const start = time.now
    time.now = new Date(start.getTime() + 10 * hour)
    expect((await profile(living)).statusCode).toBe(200)
    const later = new Date(start.getTime() + 13 * hour)
    await database.write(async (tx) => {
      await tx
        .insertInto('rateLimits')
        .values([
          { key: 'old', expire: later.getTime() - 1 },
          { key: 'new', expire: later.getTime() + 1 },
        ])
        .execute()
      await sweepIdentity(tx, later)
    })
    const keys = await database.db
      .selectFrom('rateLimits')
      .select('key')
      .where('key', 'in', ['old', 'new'])
      .execute()
    expect(keys).toEqual([{ key: 'new' }])
    time.now = start // both would be valid again, had they been kept
    expect((await profile(ended)).statusCode).toBe(401)
    expect((await profile(living)).statusCode).toBe(200)
  })

  test('is not found for an invalid cookie', async () => {
    for (const token of ['', 'x', '%00', 'a'.repeat(5000)])
      expect((await profile(token)).statusCode).toBe(401)
  })
})
