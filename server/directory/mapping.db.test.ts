/** Groups that a configured sign-in service reports are applied at each sign-in, if the organisation wants it. */
import { describe, expect, test } from 'vitest'
import { getGroupMapping, saveGroupMapping } from '@kelisim/domain/directory/mapping-contract.ts'
import { acceptAgreement, agreementVersion, getProfile } from '@kelisim/domain/identity/contract.ts'
import { roles, type RoleName } from '@kelisim/domain/identity/roles.ts'
import {
  addGroup,
  getGroup,
  getMembers,
  getOrganizationEvents,
  removeMember,
  saveGroup,
  setRoles,
} from '@kelisim/domain/portal/contract.ts'
import { client, openBrowser, startProvider, type Someone } from '../identity/sign-in/testing-providers.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'

const people: Record<string, Someone & { groups?: unknown }> = { first: { name: 'Бірінші' } }
const provider = await startProvider(people, { tellsGroups: true })
const testApp = await startRequestsApp({ signIn: { issuer: provider.issuer, ...client } })
const { app, call, make, database } = testApp
provider.open('http://127.0.0.1:9/api-user/backchannel-logout')
const all = { skip: 0, take: 100 }

/** Signs in with these groups and returns the id of the user. */
async function signedIn(sub: string, groups?: unknown, at = app): Promise<string> {
  people[sub] = { name: sub, ...(groups !== undefined && { groups }) }
  provider.seat(sub)
  const browser = openBrowser(at)
  await browser.follow('/api-user/autologin')
  const cookie = `session=${browser.jar.get('session') ?? ''}`
  return (await at.inject({ url: getProfile.path, headers: { cookie } })).json<{ UserId: string }>().UserId
}

let count = 0
async function organization({ isOn = true, role = 'Employee' }: { isOn?: boolean; role?: RoleName } = {}) {
  const owner = await make.person('Бас')
  const organizationId = await make.organization(owner)
  const of = { organizationId }
  const group = async (name: string, participants: string[] = []) =>
    (await call(owner, addGroup, { ...of, name, participants })).result.id
  const sub = `somebody-${++count}`
  const userId = await signedIn(sub)
  await make.member(organizationId, userId, role)
  await call(userId, acceptAgreement, { version: agreementVersion })
  const [accounting, lawyers] = [await group('Бухгалтерия'), await group('Юристы', [userId])]
  const mapping = {
    ...of,
    isOn,
    claim: 'groups',
    mappings: [
      { providerGroup: 'finance', groupId: accounting, role: null },
      { providerGroup: 'legal', groupId: lawyers, role: null },
      { providerGroup: 'admins', groupId: null, role: 'Owner' as const },
    ],
  }
  await call(owner, saveGroupMapping, mapping)
  const place = async () => {
    const { items } = (await call(owner, getMembers, { ...of, ...all })).result
    const member = items.find((one) => one.userId === userId)!
    return { roles: roles.list(member.roles), groups: member.groups.map(({ name }) => name) }
  }
  return { owner, organizationId, of, sub, userId, accounting, lawyers, group, mapping, place }
}

describe('a sign-in with mapped groups', () => {
  test('adds a member to the mapped groups and roles, removes them from others, and is in the history', async () => {
    const { owner, of, sub, place } = await organization()
    await signedIn(sub, ['finance', 'admins', 'unknown'])
    expect(await place()).toEqual({ roles: ['Employee', 'Owner'], groups: ['Бухгалтерия'] })
    const { items } = (await call(owner, getOrganizationEvents, { ...of, ...all })).result
    const told = items.filter(({ by }) => by === sub).map(({ type, subject }) => `${type} ${subject}`)
    expect(told.toSorted()).toEqual([
      'group-changed Бухгалтерия',
      'group-changed Юристы',
      `roles-changed ${sub}`,
    ])

    await signedIn(sub, [])
    expect(await place()).toEqual({ roles: ['Employee'], groups: [] })
  })

  test('is not undone when an owner saves a page opened before it', async () => {
    const { owner, of, sub, userId, accounting, lawyers, place } = await organization()
    const [joined, left] = await Promise.all(
      [accounting, lawyers].map(async (groupId) => (await call(owner, getGroup, { ...of, groupId })).result),
    )
    await signedIn(sub, ['finance'])
    for (const [{ id: groupId, name, currentVersion }, participants] of [
      [joined!, []],
      [left!, [userId]],
    ] as const) {
      const change = { ...of, groupId, name, currentVersion, participants: [...participants] }
      expect((await call(owner, saveGroup, change)).status).toBe(409)
    }
    expect((await place()).groups).toEqual(['Бухгалтерия'])
  })

  test('changes nothing if the service sends no groups, or if the mapping is off', async () => {
    const silent = await organization()
    await signedIn(silent.sub)
    expect((await silent.place()).groups).toEqual(['Юристы'])
    const off = await organization({ isOn: false })
    await signedIn(off.sub, ['finance', 'admins'])
    expect(await off.place()).toEqual({ roles: ['Employee'], groups: ['Юристы'] })
  })

  test('changes nothing in another organisation of the same member', async () => {
    const { sub, userId, place } = await organization()
    const head = await make.person('Басқа')
    const other = { organizationId: await make.organization(head) }
    await make.member(other.organizationId, userId, 'PointsAdministrator')
    const name = 'Бухгалтерия'
    const { result } = await call(head, addGroup, { ...other, name, participants: [] })
    await signedIn(sub, ['finance', 'admins'])
    expect((await place()).roles).toContain('Owner')
    const { items } = (await call(head, getMembers, { ...other, ...all })).result
    const member = items.find((one) => one.userId === userId)!
    expect([roles.list(member.roles), member.groups]).toEqual([['Employee', 'PointsAdministrator'], []])
    expect((await call(head, getGroup, { ...other, groupId: result.id })).result.participants).toEqual([])
  })

  test('makes nobody a member of an organisation', async () => {
    const { owner, of } = await organization()
    const stranger = await signedIn('stranger', ['finance', 'admins'])
    const { items } = (await call(owner, getMembers, { ...of, ...all })).result
    expect(items.map(({ userId }) => userId)).not.toContain(stranger)
  })

  test('keeps the last owner an owner', async () => {
    const { owner, organizationId, userId, sub, mapping, place } = await organization({ role: 'Owner' })
    await call(userId, saveGroupMapping, mapping)
    await database.pool.query(
      'update memberships set roles = 1 where organization_id = $1 and user_id = $2',
      [organizationId, owner],
    )
    await signedIn(sub, [])
    await database.pool.query(
      'update memberships set roles = 3 where organization_id = $1 and user_id = $2',
      [organizationId, owner],
    )
    expect((await place()).roles).toContain('Owner')
    expect(userId).not.toBe(owner)
    // Once there is another owner, the role is taken away.
    await signedIn(sub, [])
    expect((await place()).roles).toEqual(['Employee'])
  })

  test('removes nobody from a group that requests wait for', async () => {
    const company = await testApp.company()
    const { owner, organizationId } = company
    const sub = 'signer'
    const userId = await signedIn(sub)
    await make.member(organizationId, userId, 'Employee')
    const groupId = await company.group('Подписанты', userId)
    const pointId = await company.point('CompanyInternalSign', { groupId })
    await company.send(await company.route(pointId), {}, owner)
    const mappings = [{ providerGroup: 'signers', groupId, role: null }]
    await call(owner, saveGroupMapping, { organizationId, isOn: true, claim: 'groups', mappings })
    await signedIn(sub, [])
    const { items } = (await call(owner, getMembers, { organizationId, ...all })).result
    expect(items.find((one) => one.userId === userId)!.groups).toMatchObject([{ id: groupId }])
  })

  test('at the embedded service changes no groups', async () => {
    const { organizationId, owner } = await organization()
    const own = await startRequestsApp({
      database,
      signIn: { issuer: provider.issuer, ...client, keptAs: 'embedded' },
    })
    const userId = await signedIn('embedded-person', undefined, own.app)
    await make.member(organizationId, userId, 'Employee')
    await signedIn('embedded-person', ['admins'], own.app)
    const { items } = (await call(owner, getMembers, { organizationId, ...all })).result
    expect(items.find((one) => one.userId === userId)!.roles).toBe(roles.of('Employee'))
    expect((await own.call(owner, getGroupMapping, { organizationId })).result.isOffered).toBe(false)
    const input = { organizationId, isOn: true, claim: 'groups', mappings: [] }
    const refused = await own.call(owner, saveGroupMapping, input)
    expect(refused.error.ExceptionData.Alias).toBe('group-mapping-not-offered')
  })
})

describe('a mapping whose maker is no longer an owner', () => {
  const employee = roles.of('Employee')
  const inForce = async (userId: string, of: { organizationId: string }) =>
    (await call(userId, getGroupMapping, of)).result.isInForce

  test('gives the demoted owner no role back, until an owner saves it again', async () => {
    const { owner, of, sub, userId, mapping, place } = await organization({ role: 'Owner' })
    const own = { providerGroup: sub, groupId: null, role: 'Owner' as const }
    const backDoor = { ...mapping, claim: 'sub', mappings: [own] }
    expect((await call(userId, saveGroupMapping, backDoor)).status).toBe(200)
    expect((await call(owner, setRoles, { ...of, userId, roles: employee })).status).toBe(200)
    await signedIn(sub)
    expect((await place()).roles).toEqual(['Employee'])
    expect(await inForce(owner, of)).toBe(false)

    expect((await call(owner, saveGroupMapping, mapping)).result.isInForce).toBe(true)
    await signedIn(sub, ['admins'])
    expect((await place()).roles).toEqual(['Employee', 'Owner'])
  })

  test('moves nobody after the maker was removed', async () => {
    const { owner, of, sub, mapping, place } = await organization()
    const second = await make.person('Екінші')
    await make.member(of.organizationId, second, 'Owner')
    await call(second, saveGroupMapping, mapping)
    expect((await call(owner, removeMember, { ...of, userId: second })).status).toBe(200)
    await signedIn(sub, ['finance', 'admins'])
    expect(await place()).toEqual({ roles: ['Employee'], groups: ['Юристы'] })
    expect(await inForce(owner, of)).toBe(false)
  })

  test('moves nobody where no maker is known, as after a save by an older version', async () => {
    const { owner, of, sub, place } = await organization()
    const unknown = 'update group_mapping_rows set saved_by = null where organization_id = $1'
    await database.pool.query(unknown, [of.organizationId])
    await signedIn(sub, ['finance', 'admins'])
    expect(await place()).toEqual({ roles: ['Employee'], groups: ['Юристы'] })
    expect(await inForce(owner, of)).toBe(false)
  })
})

describe('the mapping of groups', () => {
  test('is saved by owners only, for groups of their own organisation', async () => {
    const ours = await organization()
    const theirs = await organization()
    const input = { ...ours.of, isOn: true, claim: 'groups' }
    const foreign = [{ providerGroup: 'x', groupId: theirs.accounting, role: null }]
    const refused = await call(ours.owner, saveGroupMapping, { ...input, mappings: foreign })
    expect(refused.error.ExceptionData.Alias).toBe('group-not-in-organization')
    const neither = [{ providerGroup: 'x', groupId: null, role: null }]
    expect((await call(ours.owner, saveGroupMapping, { ...input, mappings: neither })).status).toBe(400)
    expect((await call(ours.userId, getGroupMapping, ours.of)).status).toBe(403)
    const { result } = await call(ours.owner, getGroupMapping, ours.of)
    expect(result).toMatchObject({ isOffered: true, isOn: true, claim: 'groups' })
    expect(result.mappings).toHaveLength(3)
    expect(result.groups.map(({ name }) => name)).toEqual(['Бухгалтерия', 'Юристы'])
  })
})
