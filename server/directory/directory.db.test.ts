/** SCIM as Entra ID and Okta send it: people are invited and dismissed as in the portal, groups are the groups of the portal. */
import { describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { schemas } from '@kelisim/domain/directory/contract.ts'
import { day } from '@kelisim/domain/durations.ts'
import { acceptInvitation } from '@kelisim/domain/identity/contract.ts'
import {
  getGroups,
  getInvitations,
  getMembers,
  getOrganizationEvents,
  removeMember,
} from '@kelisim/domain/portal/contract.ts'
import { programsOf } from '../integration/testing-programs.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, make, emails, database, travel, time } = testApp
const { makeToken } = programsOf(testApp)
const all = { skip: 0, take: 100 }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Reference = { value: string; display: string }
/** The body of any SCIM response: a resource, a list or an error. */
type Body = {
  id: string
  userName: string
  displayName: string
  externalId?: string
  active: boolean
  emails: { value: string }[]
  groups: Reference[]
  members?: Reference[]
  totalResults: number
  startIndex: number
  itemsPerPage: number
  Resources: Body[]
  scimType?: string
  status: string
  detail: string
  [schemas.refusal]?: { alias: string }
}

function directoryWith(secret: string) {
  const ask = async (method: Method, path: string, payload?: object) => {
    const response = await app.inject({
      method,
      url: `/scim/v2${path}`,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(payload && { 'content-type': 'application/scim+json' }),
      },
      ...(payload && { payload: JSON.stringify(payload) }),
    })
    const body = (response.payload === '' ? {} : response.json()) as Body
    return {
      status: response.statusCode,
      body,
      headers: response.headers,
      alias: body[schemas.refusal]?.alias,
    }
  }
  const patch = (path: string, ...Operations: object[]) =>
    ask('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
  return { ask, patch }
}

async function organization() {
  const owner = await make.person('Бас')
  const organizationId = await make.organization(owner, 'ТОО Ромашка')
  await database.pool.query('update organizations set confirmed_at = now() where id = $1', [organizationId])
  const { secret } = await makeToken(owner, organizationId, { scopes: ['people'] })
  const of = { organizationId }
  const members = async () =>
    (await call(owner, getMembers, { ...of, ...all })).result.items.map(({ userId }) => userId)
  return { owner, organizationId, of, members, ...directoryWith(secret) }
}

const person = (userName: string, more: object = {}) => ({
  schemas: [schemas.user],
  userName,
  name: { givenName: 'Әлия', familyName: 'Нұрланова' },
  emails: [{ value: userName, type: 'work', primary: true }],
  active: true,
  ...more,
})

const lastToken = () => emails.at(-1)!.button!.url.split('/').at(-1)!

/** A person who was invited by the directory and joined by the link in the e-mail. */
async function joined(directory: Awaited<ReturnType<typeof organization>>) {
  const guest = await make.person('Қонақ')
  const created = await directory.ask('POST', '/Users', person(`${guest}@example.kz`))
  await call(guest, acceptInvitation, { token: lastToken() })
  return { guest, id: created.body.id }
}

describe('a person of the directory', () => {
  test('is invited, and becomes a member only after accepting the invitation', async () => {
    const directory = await organization()
    const guest = await make.person('Қонақ')
    const email = `${guest}@example.kz`
    const created = await directory.ask('POST', '/Users', person(email, { externalId: '00u1' }))
    expect(created.status).toBe(201)
    expect(created.headers['content-type']).toContain('application/scim+json')
    expect(created.body).toMatchObject({
      schemas: [schemas.user],
      userName: email,
      externalId: '00u1',
      displayName: 'Нұрланова Әлия',
      active: true,
      meta: { resourceType: 'User', location: `http://localhost:3000/scim/v2/Users/${created.body.id}` },
    })
    expect(emails.at(-1)).toMatchObject({ to: email })
    expect(await directory.members()).toEqual([directory.owner])

    await call(guest, acceptInvitation, { token: lastToken() })
    expect(await directory.members()).toContain(guest)
    // The id stays the same when an invited person becomes a member.
    expect((await directory.ask('GET', `/Users/${created.body.id}`)).body).toMatchObject({
      id: created.body.id,
      active: true,
    })
    const { result } = await call(directory.owner, getOrganizationEvents, { ...directory.of, ...all })
    expect(result.items.map(({ type }) => type)).toContain('invited')
  })

  test('is found by name, external id and address, page by page', async () => {
    const directory = await organization()
    const emailsOf = ['a', 'b', 'c'].map((name) => `${name}-${randomUUID()}@example.kz`)
    for (const [i, email] of emailsOf.entries())
      await directory.ask('POST', '/Users', person(email, { externalId: `id-${i}` }))
    const found = async (filter: string) => {
      const { body } = await directory.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      return body.Resources.map(({ userName }) => userName)
    }
    expect(await found(`userName eq "${emailsOf[1]!.toUpperCase()}"`)).toEqual([emailsOf[1]])
    expect(await found('externalId eq "id-2"')).toEqual([emailsOf[2]])
    expect(await found(`emails[type eq "work"].value eq "${emailsOf[0]}"`)).toEqual([emailsOf[0]])
    expect(await found('externalId eq "id-2" and active eq true')).toEqual([emailsOf[2]])
    expect(await found('externalId eq "id-2" and active eq false')).toEqual([])
    expect(await found('userName eq "nobody"')).toEqual([])

    const page = await directory.ask('GET', '/Users?startIndex=2&count=2')
    expect(page.body).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 })
    expect((await directory.ask('GET', '/Users?startIndex=0&count=0')).body).toMatchObject({
      totalResults: 4,
      startIndex: 1,
      Resources: [],
    })
    const odd = await directory.ask('GET', `/Users?filter=${encodeURIComponent('title eq "x"')}`)
    expect(odd).toMatchObject({ status: 400, alias: 'directory-filter-not-understood' })
    expect(odd.body).toMatchObject({ schemas: [schemas.error], status: '400', scimType: 'invalidFilter' })
  })

  test('who is already a member is linked, not invited', async () => {
    const directory = await organization()
    const colleague = await make.person('Ерлан Төлегенов')
    await make.member(directory.organizationId, colleague, 'Employee')
    const sent = emails.length
    const created = await directory.ask('POST', '/Users', {
      ...person('erlan@corp.example', { externalId: 'x7' }),
      emails: [{ value: `${colleague}@example.kz` }],
    })
    expect(created).toMatchObject({ status: 201, body: { id: colleague, active: true } })
    expect(emails).toHaveLength(sent)
    const { body } = await directory.ask('GET', '/Users')
    expect(body.Resources.filter(({ id }) => id === colleague)).toHaveLength(1)
  })

  test('is created once, and needs an e-mail address', async () => {
    const directory = await organization()
    const email = `${randomUUID()}@example.kz`
    await directory.ask('POST', '/Users', person(email, { externalId: 'same' }))
    const again = await directory.ask('POST', '/Users', person(email))
    expect(again).toMatchObject({
      status: 409,
      alias: 'directory-person-exists',
      body: { scimType: 'uniqueness' },
    })
    const other = person(`${randomUUID()}@example.kz`, { externalId: 'same' })
    expect((await directory.ask('POST', '/Users', other)).status).toBe(409)
    const nowhere = await directory.ask('POST', '/Users', person('aliya', { emails: [] }))
    expect(nowhere).toMatchObject({ status: 400, alias: 'directory-address-missing' })
    expect((await directory.ask('POST', '/Users', { active: true })).alias).toBe('validation-failure')
  })

  test('is created and invited once by simultaneous calls', async () => {
    const directory = await organization()
    const email = `${randomUUID()}@example.kz`
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await directory.ask('POST', '/Users', person(email))).status),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })
})

describe('active: false', () => {
  test.each([
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'replace', value: { active: false } },
  ])('dismisses a member as the portal does: %j', async (operation) => {
    const directory = await organization()
    const { guest, id } = await joined(directory)
    expect((await call(guest, getMembers, { ...directory.of, ...all })).status).toBe(200)
    const changed = await directory.patch(`/Users/${id}`, operation)
    expect(changed).toMatchObject({ status: 200, body: { id, active: false } })
    expect(await directory.members()).toEqual([directory.owner])
    expect((await call(guest, getMembers, { ...directory.of, ...all })).status).toBe(403)
    const { result } = await call(directory.owner, getOrganizationEvents, { ...directory.of, ...all })
    expect(result.items.map(({ type }) => type)).toContain('removed')

    // Reactivating the person sends a new invitation and keeps the id.
    const sent = emails.length
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect(emails).toHaveLength(sent + 1)
    await call(guest, acceptInvitation, { token: lastToken() })
    const { body } = await directory.ask('GET', '/Users')
    expect(body.Resources.map((one) => one.id).toSorted()).toEqual([directory.owner, id].toSorted())
  })

  test('withdraws an invitation; active: true invites again', async () => {
    const directory = await organization()
    const email = `${randomUUID()}@example.kz`
    const { body } = await directory.ask('POST', '/Users', person(email))
    const open = async () =>
      (await call(directory.owner, getInvitations, { ...directory.of, ...all })).result.items
    await directory.ask('PUT', `/Users/${body.id}`, person(email, { active: false }))
    expect(await open()).toEqual([])
    expect((await directory.ask('GET', `/Users/${body.id}`)).body.active).toBe(false)
    await directory.ask('PUT', `/Users/${body.id}`, person(email))
    expect(await open()).toMatchObject([{ email }])
    const sent = emails.length
    await directory.ask('PUT', `/Users/${body.id}`, person(email))
    expect(emails).toHaveLength(sent)

    const now = time.now
    await travel(new Date(now.getTime() + 8 * day))
    await directory.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: true })
    await travel(now)
    expect(emails).toHaveLength(sent + 1)
  })

  test('a person who is only invited is invited again at a changed address', async () => {
    const directory = await organization()
    const [before, after] = [`${randomUUID()}@example.kz`, `${randomUUID()}@example.kz`]
    const { body } = await directory.ask('POST', '/Users', person(before))
    const path = 'emails[type eq "work"].value'
    await directory.patch(`/Users/${body.id}`, { op: 'Add', path, value: after })
    const { result } = await call(directory.owner, getInvitations, { ...directory.of, ...all })
    expect(result.items.map(({ email }) => email)).toEqual([after])
  })

  test('the last owner can be removed neither by PATCH nor by DELETE', async () => {
    const directory = await organization()
    const { owner } = directory
    const changed = await directory.patch(`/Users/${owner}`, { op: 'replace', path: 'active', value: false })
    expect(changed).toMatchObject({ status: 409, alias: 'last-owner', body: { scimType: 'mutability' } })
    expect((await directory.ask('DELETE', `/Users/${owner}`)).alias).toBe('last-owner')
    expect(await directory.members()).toEqual([owner])
  })

  test('a person removed in the portal is not active in the directory', async () => {
    const directory = await organization()
    const { guest, id } = await joined(directory)
    await call(directory.owner, removeMember, { ...directory.of, userId: guest })
    expect((await directory.ask('GET', `/Users/${id}`)).body.active).toBe(false)
  })

  test('DELETE removes the member and the person of the directory', async () => {
    const directory = await organization()
    const { id } = await joined(directory)
    const gone = await directory.ask('DELETE', `/Users/${id}`)
    expect(gone.status).toBe(204)
    expect(await directory.members()).toEqual([directory.owner])
    expect((await directory.ask('GET', `/Users/${id}`)).alias).toBe('user-not-found')
  })

  test('a PATCH with an unknown operation changes nothing', async () => {
    const directory = await organization()
    const { id } = await joined(directory)
    const answer = await directory.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'active', value: false },
      { op: 'swap', path: 'x' },
    )
    expect(answer).toMatchObject({ status: 400, alias: 'directory-change-not-understood' })
    expect(await directory.members()).toHaveLength(2)
  })
})

describe('a group', () => {
  test('is a group of the portal, with members who come and go', async () => {
    const directory = await organization()
    const one = await joined(directory)
    const two = await joined(directory)
    const created = await directory.ask('POST', '/Groups', {
      schemas: [schemas.group],
      displayName: 'Бухгалтерия',
      externalId: 'g-1',
      members: [{ value: one.id }],
    })
    expect(created).toMatchObject({ status: 201, body: { displayName: 'Бухгалтерия', externalId: 'g-1' } })
    const at = `/Groups/${created.body.id}`
    const participants = async () =>
      (await call(directory.owner, getGroups, { ...directory.of, ...all })).result.items[0]!.participants.map(
        ({ userId }) => userId,
      ).toSorted()
    expect(await participants()).toEqual([one.guest])

    await directory.patch(at, { op: 'Add', path: 'members', value: [{ value: two.id }] })
    expect(await participants()).toEqual([one.guest, two.guest].toSorted())
    await directory.patch(at, { op: 'remove', path: `members[value eq "${one.id}"]` })
    expect(await participants()).toEqual([two.guest])
    await directory.patch(at, { op: 'replace', value: { id: created.body.id, displayName: 'Учёт' } })
    const filter = encodeURIComponent(`displayName eq "учёт" and members.value eq "${two.id}"`)
    const { body } = await directory.ask('GET', `/Groups?filter=${filter}`)
    expect(body.Resources).toMatchObject([{ displayName: 'Учёт', members: [{ value: two.id }] }])
    const short = await directory.ask('GET', `${at}?excludedAttributes=members`)
    expect(short.body).not.toHaveProperty('members')
    expect((await directory.ask('GET', `/Users/${two.id}`)).body.groups).toMatchObject([{ display: 'Учёт' }])

    await directory.ask('PUT', at, { displayName: 'Учёт', members: [] })
    expect(await participants()).toEqual([])
    expect((await directory.ask('DELETE', at)).status).toBe(204)
    expect((await directory.ask('GET', at)).alias).toBe('organization-group-not-found')
  })

  test('is joined by an invited person together with the organisation', async () => {
    const directory = await organization()
    const guest = await make.person('Қонақ')
    const { body } = await directory.ask('POST', '/Users', person(`${guest}@example.kz`))
    const token = lastToken()
    const members = [{ value: body.id }]
    const group = await directory.ask('POST', '/Groups', { displayName: 'Новички', members })
    expect(group.body.members).toMatchObject(members)
    await call(guest, acceptInvitation, { token })
    const { result } = await call(directory.owner, getGroups, { ...directory.of, ...all })
    expect(result.items[0]!.participants).toMatchObject([{ userId: guest }])
    expect((await directory.ask('GET', `/Groups/${group.body.id}`)).body.members).toMatchObject(members)
  })

  test('gets all members that are added simultaneously', async () => {
    const directory = await organization()
    const people = [await joined(directory), await joined(directory), await joined(directory)]
    const { body } = await directory.ask('POST', '/Groups', { displayName: 'Разом' })
    const added = people.map(({ id }) =>
      directory.patch(`/Groups/${body.id}`, { op: 'add', path: 'members', value: [{ value: id }] }),
    )
    expect((await Promise.all(added)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await directory.ask('GET', `/Groups/${body.id}`)).body.members).toHaveLength(3)
  })

  test('needs a unique name, and takes no unknown members', async () => {
    const directory = await organization()
    const other = await organization()
    await directory.ask('POST', '/Groups', { displayName: 'Архив' })
    const taken = await directory.ask('POST', '/Groups', { displayName: 'Архив' })
    expect(taken).toMatchObject({ alias: 'group-name-already-in-use', body: { scimType: 'uniqueness' } })
    for (const value of [other.owner, randomUUID(), 'nobody']) {
      const answer = await directory.ask('POST', '/Groups', { displayName: 'Чужие', members: [{ value }] })
      expect(answer).toMatchObject({ status: 400, alias: 'group-participants-not-found' })
    }
    const { id } = await joined(directory)
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    const inactive = await directory.ask('POST', '/Groups', {
      displayName: 'Ушедшие',
      members: [{ value: id }],
    })
    expect(inactive.alias).toBe('group-participants-not-found')
    expect((await directory.ask('POST', '/Groups', { displayName: 'Х', members: 'x' })).alias).toBe(
      'validation-failure',
    )
  })

  test('cannot be deleted or emptied while requests wait for it', async () => {
    const company = await testApp.company()
    const { owner, employee, organizationId } = company
    const { secret } = await makeToken(owner, organizationId, { scopes: ['people'] })
    const { ask, patch } = directoryWith(secret)
    const groupId = await company.group('Подписанты', employee)
    const pointId = await company.point('CompanyInternalSign', { groupId })
    await company.send(await company.route(pointId), {}, owner)
    const removal = await patch(`/Groups/${groupId}`, {
      op: 'remove',
      path: `members[value eq "${employee}"]`,
    })
    expect(removal).toMatchObject({
      status: 409,
      alias: 'group-effects-not-seen',
      body: { scimType: 'mutability' },
    })
    expect((await ask('DELETE', `/Groups/${groupId}`)).alias).toBe('group-is-awaited')
    expect((await ask('GET', `/Groups/${groupId}`)).body.members).toMatchObject([{ value: employee }])
  })
})

describe('access to the directory', () => {
  test('people and groups of another organisation are not found', async () => {
    const [ours, theirs] = [await organization(), await organization()]
    const { id } = await joined(theirs)
    const group = await theirs.ask('POST', '/Groups', { displayName: 'Их группа' })
    for (const at of [`/Users/${id}`, `/Users/${theirs.owner}`, `/Groups/${group.body.id}`]) {
      expect((await ours.ask('GET', at)).status).toBe(404)
      expect((await ours.ask('DELETE', at)).status).toBe(404)
      const change = { op: 'replace', value: { active: false, displayName: 'Наша' } }
      expect((await ours.patch(at, change)).status).toBe(404)
    }
    expect((await ours.ask('GET', '/Users')).body.totalResults).toBe(1)
    expect(await theirs.members()).toHaveLength(2)
  })

  test('needs a token with the scope, in the name of an owner', async () => {
    const directory = await organization()
    const { owner, organizationId } = directory
    const colleague = await make.person()
    await make.member(organizationId, colleague, 'Employee')
    const without = await makeToken(owner, organizationId, { scopes: ['requests.read'] })
    const refused = await directoryWith(without.secret).ask('GET', '/Users')
    expect(refused).toMatchObject({ status: 403, alias: 'token-scope-missing', body: { status: '403' } })
    const ofColleague = await makeToken(owner, organizationId, { scopes: ['people'], actsAs: colleague })
    const employee = directoryWith(ofColleague.secret)
    expect((await employee.ask('GET', '/Users')).alias).toBe('not-enough-permissions')
    const unknown = await directoryWith(`kls_${'x'.repeat(43)}`).ask('GET', '/ServiceProviderConfig')
    expect(unknown).toMatchObject({ status: 401, alias: 'token-not-accepted' })
    expect(unknown.headers['www-authenticate']).toBe('Bearer')
  })

  test('a malformed body is refused with a SCIM error', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/scim/v2/Users',
      headers: { 'content-type': 'application/scim+json' },
      payload: '{',
    })
    expect(answer.json<Body>()).toMatchObject({ schemas: [schemas.error], scimType: 'invalidSyntax' })
  })
})

test('the SCIM server describes its features, resource types and schemas', async () => {
  const { ask } = await organization()
  expect((await ask('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: false },
  })
  const types = await ask('GET', '/ResourceTypes')
  expect(types.body.Resources).toMatchObject([{ endpoint: '/Users' }, { endpoint: '/Groups' }])
  expect((await ask('GET', '/Schemas')).body.Resources).toMatchObject([
    { id: schemas.user },
    { id: schemas.group },
  ])
})

test('two directories with the same employee do not overwrite each other', async () => {
  const [one, other] = [await organization(), await organization()]
  const both = await make.person('Ортақ')
  for (const { organizationId } of [one, other]) await make.member(organizationId, both, 'Employee')
  const { email } = await database.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', both)
    .executeTakeFirstOrThrow()
  const told = person(email, { emails: [{ value: email, primary: true }] })
  expect((await one.ask('POST', '/Users', told)).body.id).toBe(both)
  const change = person('other@example.kz', { emails: [{ value: 'other@example.kz', primary: true }] })
  expect((await other.ask('PUT', `/Users/${both}`, change)).status).toBe(200)
  expect((await one.ask('GET', `/Users/${both}`)).body.userName).toBe(email)
  expect((await other.ask('GET', `/Users/${both}`)).body.userName).toBe('other@example.kz')
})
