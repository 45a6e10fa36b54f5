/** Organisations added and confirmed by real signatures of a small test PKI, checked by the real engine. */
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import {
  acceptJoinRequest,
  askForChallenge,
  confirmOrganization,
  declineJoinRequest,
  getJoinRequests,
  getMyJoinRequests,
} from '@kelisim/domain/identity/confirmation-contract.ts'
import { addOrganization, getOrganizations, getRecipient } from '@kelisim/domain/identity/contract.ts'
import { addToken, getTokens } from '@kelisim/domain/integration/contract.ts'
import {
  getCard,
  getMembers,
  getOrganizationEvents,
  setRoles,
  removeMember,
} from '@kelisim/domain/portal/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { coSign, signAttached, signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { day } from '@kelisim/signature/time/durations.ts'
import { publicUrl, someBin, startTestApp } from '../../testing.ts'
import { checksIn, citizen, sign, type Centre, type Signer } from '../testing-signers.ts'

const nation = await foundNation('gost-kz-512')
const stranger = await foundNation('gost-kz-512', 'Stranger')
const centre: Centre = { answer: 'good' }
const claimants: unknown[] = []
const check = checksIn(nation, centre)
const { app, call, make, emails, time, travel, database } = await startTestApp({
  signatures: {
    check: (job, claimant) => {
      claimants.push(claimant)
      return check(job)
    },
  },
})
const start = time.now
afterEach(async () => {
  centre.answer = 'good'
  await travel(start)
})
const all = { skip: 0, take: 100 }
const employee = roles.of('Employee')
const owner = roles.of('Employee', 'Owner')

let numbers = 10_000
const newBin = () => someBin(++numbers)

type Claim = { kind?: 'organization' | 'individual'; organizationId?: string }

/** Requests a challenge and submits the signature made of it. */
async function show(userId: string, produce: (content: Buffer) => Promise<Uint8Array>, claim: Claim = {}) {
  const challenge = (await call(userId, askForChallenge, {})).result
  const cms = await produce(Buffer.from(challenge.content, 'base64'))
  const signature = `-----BEGIN CMS-----\n${Buffer.from(cms).toString('base64')}\n-----END CMS-----`
  const input = { challengeId: challenge.id, signature, kind: 'organization' as const, ...claim }
  return { input, answer: await call(userId, confirmOrganization, input) }
}

const confirm = async (userId: string, signer: Signer, claim: Claim = {}) =>
  (await show(userId, (content) => sign(signer, content, time.now), claim)).answer

const aliasOf = (answer: { error: { ExceptionData: { Alias: string } } }) => answer.error.ExceptionData.Alias
const codeOf = (answer: { error: { ExceptionData: { Parameters: Record<string, unknown> } } }) =>
  answer.error.ExceptionData.Parameters['code']

const rolesIn = async (viewerId: string, organizationId: string) => {
  const { items } = (await call(viewerId, getMembers, { organizationId, ...all })).result
  return Object.fromEntries(items.map((member) => [member.userId, member.roles]))
}

describe('the head confirms an organisation with its key', () => {
  test('a number that nobody has is added and confirmed, with the name in the certificate', async () => {
    const bin = newBin()
    const head = await make.person()
    const signer = await citizen(nation, { bin })
    const { status, result } = await confirm(head, signer)
    expect(status).toBe(200)
    expect(claimants.at(-1)).toEqual({ organization: head, person: head })
    expect(result).toMatchObject({ status: 'added', bin, shortName: 'ТОО «Алтын Дала»', formerOwners: [] })
    const id = result.organization!.Id
    expect((await call(head, getOrganizations, {})).result.Organizations).toEqual([
      { Id: id, ShortName: 'ТОО «Алтын Дала»', Bin: bin, IsConfirmed: true, LivesAt: null },
    ])
    expect(await rolesIn(head, id)).toEqual({ [head]: owner })
    // the key has proved whose number it is
    expect((await call(head, getRecipient, {})).result.iin).toBe(signer.iin)
  })

  test('a holder of the right to sign can confirm an organisation, too', async () => {
    const signer = await citizen(nation, { bin: newBin(), role: 'signing-right' })
    expect((await confirm(await make.person(), signer)).result.status).toBe('added')
  })

  test('the signature is stored with the evidence of its check, and cannot be changed', async () => {
    const head = await make.person()
    const signer = await citizen(nation, { bin: newBin() })
    const { answer, input } = await show(head, (content) => sign(signer, content, time.now))
    const kept = await database.db
      .selectFrom('organizationSignatures')
      .selectAll()
      .where('organizationId', '=', answer.result.organization!.Id)
      .executeTakeFirstOrThrow()
    expect(input.signature).toContain(kept.cms.toString('base64'))
    expect(kept).toMatchObject({ by: head, at: time.now, verdict: 'TOTAL-PASSED' })
    expect(kept.content.toString()).toContain(publicUrl.origin)
    expect(kept.evidence).toMatchObject({
      owner: { fullName: 'Серікова Айгерім Нұрланқызы', iin: signer.iin },
      certificates: [
        Buffer.from(signer.certificate.der).toString('base64'),
        expect.any(String),
        expect.any(String),
      ],
    })
    await expect(database.pool.query('update organization_signatures set verdict = verdict')).rejects.toThrow(
      'append-only',
    )
  })

  test('an organisation that the signer added before is the one that is confirmed', async () => {
    const bin = newBin()
    const head = await make.person()
    const typed = (await call(head, addOrganization, { bin, shortName: 'Моё ТОО' })).result
    const { result } = await confirm(head, await citizen(nation, { bin }))
    expect(result).toMatchObject({
      status: 'confirmed',
      // The typed name is replaced by the proved one.
      organization: { Id: typed.Id, ShortName: 'ТОО «Алтын Дала»' },
    })
    const events = (await call(head, getOrganizationEvents, { organizationId: typed.Id, ...all })).result
      .items
    expect(events[0]).toMatchObject({
      type: 'organization-confirmed',
      subject: 'Серікова Айгерім Нұрланқызы',
    })
  })

  test('an organisation that strangers added with the same number stays unconfirmed, and they do not become members', async () => {
    const bin = newBin()
    const [squatter, head] = [await make.person(), await make.person()]
    const theirs = (await call(squatter, addOrganization, { bin, shortName: 'Чужое' })).result
    const { result } = await confirm(head, await citizen(nation, { bin }))
    expect(result.status).toBe('added')
    expect(result.organization!.Id).not.toBe(theirs.Id)
    expect(await rolesIn(head, result.organization!.Id)).toEqual({ [head]: owner })
    const [left] = (await call(squatter, getOrganizations, {})).result.Organizations
    expect(left).toMatchObject({ Id: theirs.Id, IsConfirmed: false })
  })

  test('when the signer chooses an existing organisation, its former owners become employees', async () => {
    const bin = newBin()
    const [accountant, head] = [await make.person('Бухгалтер'), await make.person()]
    const { Id: organizationId } = (await call(accountant, addOrganization, { bin, shortName: 'Дала' }))
      .result
    await make.member(organizationId, head)
    const { token } = (
      await call(accountant, addToken, {
        organizationId,
        name: 'Склад',
        actsAs: head,
        scopes: ['requests.read'],
        addresses: [],
        validUntil: '2027-01-31',
      })
    ).result
    const { result } = await confirm(head, await citizen(nation, { bin }), { organizationId })
    expect(result).toMatchObject({ status: 'confirmed', formerOwners: ['Бухгалтер'] })
    // The token is revoked, because whoever made it in the head's name has seen its secret.
    const { items } = (await call(head, getTokens, { organizationId, ...all })).result
    expect(items.map(({ id, state }) => [id, state])).toEqual([[token.id, 'revoked']])
    expect(await rolesIn(head, organizationId)).toEqual({ [head]: owner, [accountant]: employee })
    const given = { organizationId, userId: accountant, roles: owner }
    expect((await call(head, setRoles, given)).status).toBe(200)
  })

  test('the group mapping saved by the former owners is switched off', async () => {
    const [accountant, head] = [await make.person('Бухгалтер'), await make.person('Директор')]
    const bin = newBin()
    const { Id: organizationId } = (await call(accountant, addOrganization, { bin, shortName: 'Дала' }))
      .result
    await make.member(organizationId, head)
    const before = { organizationId, isOn: true, claim: 'sub' }
    await database.write((tx) => tx.insertInto('groupMappings').values(before).execute())
    await confirm(head, await citizen(nation, { bin }), { organizationId })
    const { isOn } = await database.db
      .selectFrom('groupMappings')
      .select('isOn')
      .where('organizationId', '=', organizationId)
      .executeTakeFirstOrThrow()
    expect(isOn).toBe(false)
    const { items } = (await call(head, getOrganizationEvents, { organizationId, ...all })).result
    expect(items.map(({ type, subject }) => `${type} ${subject}`)).toContain('options-changed groupMapping')
  })

  test('a personal key adds its holder as an individual', async () => {
    const person = await make.person()
    const signer = await citizen(nation)
    const { result } = await confirm(person, signer, { kind: 'individual' })
    expect(result).toMatchObject({
      status: 'added',
      bin: signer.iin,
      shortName: 'Серікова Айгерім Нұрланқызы',
    })
  })
})

describe('an organisation that another person has confirmed', () => {
  async function claimedTwice() {
    const bin = newBin()
    const [first, second] = [await make.person('Бірінші'), await make.person('Екінші')]
    const { result } = await confirm(first, await citizen(nation, { bin }))
    emails.length = 0
    const answer = await confirm(second, await citizen(nation, { bin, role: 'signing-right' }))
    const organizationId = result.organization!.Id
    const waiting = async () => (await call(first, getJoinRequests, { organizationId, ...all })).result
    return { bin, first, second, organizationId, answer, waiting }
  }

  test('asks its owners, by e-mail and in the portal; until they answer the claimant is not a member', async () => {
    const { bin, first, second, organizationId, answer, waiting } = await claimedTwice()
    expect(answer.result).toMatchObject({ status: 'waiting', bin, organization: null })
    expect((await call(second, getOrganizations, {})).result.Organizations).toEqual([])
    expect((await call(second, getMyJoinRequests, {})).result.items).toMatchObject([{ bin }])
    expect(emails).toHaveLength(1)
    expect(emails[0]).toMatchObject({
      to: `${first}@example.kz`,
      button: { url: `${publicUrl.href}portal/${organizationId}/invitations` },
    })
    expect((await waiting()).items).toMatchObject([
      { fullName: 'Екінші', email: `${second}@example.kz`, signedBy: 'Серікова Айгерім Нұрланқызы' },
    ])
  })

  test('the owner can accept the join request, with chosen roles', async () => {
    const { first, second, organizationId, waiting } = await claimedTwice()
    const joinRequestId = (await waiting()).items[0]!.id
    const answer = { organizationId, joinRequestId, roles: owner }
    expect((await call(first, acceptJoinRequest, answer)).status).toBe(200)
    expect(await rolesIn(first, organizationId)).toEqual({ [first]: owner, [second]: owner })
    expect((await waiting()).totalCount).toBe(0)
    expect((await call(second, getMyJoinRequests, {})).result.items).toEqual([])
    expect(emails.at(-1)).toMatchObject({ to: `${second}@example.kz` })
    expect(aliasOf(await call(first, acceptJoinRequest, answer))).toBe('join-request-not-found')
  })

  test('the owner can decline the join request, and the person can ask again', async () => {
    const { bin, first, second, organizationId, waiting } = await claimedTwice()
    const joinRequestId = (await waiting()).items[0]!.id
    expect((await call(first, declineJoinRequest, { organizationId, joinRequestId })).status).toBe(200)
    expect((await call(second, getOrganizations, {})).result.Organizations).toEqual([])
    expect(emails.at(-1)!.subject).toContain('отклонён')
    const { iin } = (await call(second, getRecipient, {})).result
    await confirm(second, await citizen(nation, { bin, iin: iin! }))
    expect((await waiting()).totalCount).toBe(1)
  })

  test('asking twice makes one join request and one e-mail', async () => {
    const { bin, second, waiting } = await claimedTwice()
    const { iin } = (await call(second, getRecipient, {})).result
    expect((await confirm(second, await citizen(nation, { bin, iin: iin! }))).result.status).toBe('waiting')
    expect((await waiting()).totalCount).toBe(1)
    expect(emails).toHaveLength(1)
  })

  test('when one owner accepts and another declines at once, only one answer counts', async () => {
    const { first, organizationId, waiting } = await claimedTwice()
    const other = await make.member(organizationId, await make.person(), 'Owner')
    const joinRequestId = (await waiting()).items[0]!.id
    const answers = await Promise.all([
      call(first, acceptJoinRequest, { organizationId, joinRequestId, roles: employee }),
      call(other, declineJoinRequest, { organizationId, joinRequestId }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  })

  test('a member who is not an owner gains no role by confirming it with its key', async () => {
    const { bin, organizationId } = await claimedTwice()
    const signer = await citizen(nation, { bin })
    const member = await make.person()
    await make.member(organizationId, member)
    expect(aliasOf(await confirm(member, signer))).toBe('organization-already-yours')
  })

  test('an owner can update its name from a newer certificate', async () => {
    const { bin, first, organizationId } = await claimedTwice()
    const { iin } = (await call(first, getRecipient, {})).result
    await travel(new Date(start.getTime() + 60_000))
    const renamed = await citizen(nation, { bin, iin: iin!, organization: 'ТОО «Жаңа Дала»' })
    const { result } = await confirm(first, renamed)
    expect(result).toMatchObject({ status: 'confirmed', organization: { ShortName: 'ТОО «Жаңа Дала»' } })
    const card = (await call(first, getCard, { organizationId })).result
    expect(card).toMatchObject({ shortName: 'ТОО «Жаңа Дала»', confirmedAt: time.now.toISOString() })
    expect(await rolesIn(first, organizationId)).toMatchObject({ [first]: owner })
  })

  test('the owner of another organisation cannot answer a join request', async () => {
    const { waiting } = await claimedTwice()
    const outsideOwner = await make.person()
    const organizationId = await make.organization(outsideOwner)
    const joinRequestId = (await waiting()).items[0]!.id
    const answer = await call(outsideOwner, acceptJoinRequest, {
      organizationId,
      joinRequestId,
      roles: owner,
    })
    expect(aliasOf(answer)).toBe('join-request-not-found')
  })

  test('a person who was accepted and removed is not a member', async () => {
    const { first, second, organizationId, waiting } = await claimedTwice()
    const joinRequestId = (await waiting()).items[0]!.id
    await call(first, acceptJoinRequest, { organizationId, joinRequestId, roles: employee })
    await call(first, removeMember, { organizationId, userId: second })
    expect((await call(second, getOrganizations, {})).result.Organizations).toEqual([])
  })
})

test('when two heads confirm an organisation at once, one becomes the owner, the other makes a join request', async () => {
  const bin = newBin()
  const [left, right] = [await make.person(), await make.person()]
  const signers = [await citizen(nation, { bin }), await citizen(nation, { bin })]
  const answers = await Promise.all([confirm(left, signers[0]!), confirm(right, signers[1]!)])
  expect(answers.map(({ result }) => result.status).toSorted()).toEqual(['added', 'waiting'])
})

describe('an organisation is not confirmed by', () => {
  test('the key of another person, once the own IIN is known', async () => {
    const person = await make.person()
    await confirm(person, await citizen(nation, { bin: newBin() }))
    const answer = await confirm(person, await citizen(nation, { bin: newBin() }))
    expect(aliasOf(answer)).toBe('signature-refused')
    expect(codeOf(answer)).toBe('DS-705')
    expect(answer.error.Message).toContain('Выбрана ЭЦП другого человека')
  })

  test('a key whose IIN belongs to another account', async () => {
    const signer = await citizen(nation, { bin: newBin() })
    await confirm(await make.person(), signer)
    const answer = await confirm(
      await make.person(),
      await citizen(nation, { bin: newBin(), iin: signer.iin }),
    )
    expect(aliasOf(answer)).toBe('iin-already-in-use')
  })

  test('a key that does not bind an organisation', async () => {
    const person = await make.person()
    expect(codeOf(await confirm(person, await citizen(nation)))).toBe('DS-704')
    const worker = await citizen(nation, { bin: newBin(), role: 'employee' })
    expect(codeOf(await confirm(person, worker))).toBe('DS-708')
    const system = await citizen(nation, { subject: makeName({ commonName: 'SYSTEM', country: 'KZ' }) })
    expect(codeOf(await confirm(person, system, { kind: 'individual' }))).toBe('DS-703')
    // refused keys must not link a number
    expect((await call(person, getRecipient, {})).result.iin).toBeNull()
  })

  test('the key of another organisation than the chosen one', async () => {
    const person = await make.person()
    const mine = (await call(person, addOrganization, { bin: newBin(), shortName: 'Моё' })).result
    const signer = await citizen(nation, { bin: newBin() })
    expect(codeOf(await confirm(person, signer, { organizationId: mine.Id }))).toBe('DS-706')
    // nor somebody else's organisation with the right number
    const bin = newBin()
    const theirs = (await call(await make.person(), addOrganization, { bin, shortName: 'Чужое' })).result
    const right = await citizen(nation, { bin })
    expect(codeOf(await confirm(person, right, { organizationId: theirs.Id }))).toBe('DS-706')
  })

  test('a signature of other content: a document, a sign-in, a challenge of another site', async () => {
    const person = await make.person()
    const signer = await citizen(nation, { bin: newBin() })
    const document = Buffer.from('Договор займа')
    const detached = await show(person, () => sign(signer, document, time.now))
    expect(codeOf(detached.answer)).toBe('DS-202')
    const attached = await show(person, () => signAttached(document, signer, { signingTime: time.now }))
    expect(codeOf(attached.answer)).toBe('DS-201')
    const elsewhere = await show(person, (content) => {
      const text = content.toString().replace(publicUrl.origin, 'https://evil.example')
      return sign(signer, Buffer.from(text), time.now)
    })
    expect(codeOf(elsewhere.answer)).toBe('DS-202')
  })

  test('a signature with two signers, without attributes or without a certificate, or a malformed one', async () => {
    const person = await make.person()
    const bin = newBin()
    const [signer, other] = [await citizen(nation, { bin }), await citizen(nation, { bin })]
    const signingTime = time.now
    const both = await show(person, async (content) =>
      coSign(await signAttached(content, signer, { signingTime }), other, { signingTime }),
    )
    expect(codeOf(both.answer)).toBe('DS-103')
    const bare = await show(person, (c) => signDetached(c, signer, { signingTime, form: 'no-attributes' }))
    expect(codeOf(bare.answer)).toBe('DS-306')
    const plain = await show(person, (c) => signDetached(c, signer, { signingTime, form: 'plain' }))
    expect(codeOf(plain.answer)).toBe('DS-404')
    const nonsense = await show(person, () => Promise.resolve(Buffer.from('not a signature')))
    expect(codeOf(nonsense.answer)).toBe('DS-101')
    const { id: challengeId } = (await call(person, askForChallenge, {})).result
    const unreadable = { challengeId, signature: 'ы', kind: 'organization' } as const
    expect(codeOf(await call(person, confirmOrganization, unreadable))).toBe('DS-101')
  })

  test('a key that is expired, of another centre, revoked, or not for signing', async () => {
    const person = await make.person()
    const parts = { bin: newBin() }
    const [from, to] = [new Date(time.now.getTime() - 2 * day), new Date(time.now.getTime() - day)]
    const expired = await citizen(nation, { ...parts, notBefore: from, notAfter: to })
    expect(codeOf(await confirm(person, expired))).toBe('DS-413')
    expect(codeOf(await confirm(person, await citizen(stranger, parts)))).toBe('DS-406')
    const login = await citizen(nation, { ...parts, extensions: [keyUsage('digitalSignature')] })
    expect(codeOf(await confirm(person, login))).toBe('DS-412')
    centre.answer = { revokedAt: from }
    expect(codeOf(await confirm(person, await citizen(nation, parts)))).toBe('DS-501')
    expect((await call(person, getOrganizations, {})).result.Organizations).toEqual([])
  })

  test('a key whose revocation cannot be checked now; the error says what to do', async () => {
    const person = await make.person()
    const signer = await citizen(nation, { bin: newBin() })
    centre.answer = undefined
    const answer = await confirm(person, signer)
    expect(aliasOf(answer)).toBe('signature-not-checked')
    expect(answer.status).toBe(503)
    expect(codeOf(answer)).toBe('DS-901')
    // a list from before the signing says nothing about that moment
    centre.list = (at) => nation.crl([], new Date(at.getTime() - day / 4))
    const byOldList = await confirm(person, signer)
    delete centre.list
    expect([aliasOf(byOldList), codeOf(byOldList)]).toEqual(['signature-not-checked', 'DS-511'])
    centre.answer = 'good'
    expect((await confirm(person, signer)).status).toBe(200)
  })

  test('a signature that was used before, or twice at the same time', async () => {
    const person = await make.person()
    const signer = await citizen(nation, { bin: newBin() })
    const { input } = await show(person, (content) => sign(signer, content, time.now))
    expect(aliasOf(await call(person, confirmOrganization, input))).toBe('challenge-not-found')

    const fresh = await make.person()
    const other = await citizen(nation, { bin: newBin() })
    const { id: challengeId, content } = (await call(fresh, askForChallenge, {})).result
    const cms = await sign(other, Buffer.from(content, 'base64'), time.now)
    const twice = {
      challengeId,
      signature: Buffer.from(cms).toString('base64'),
      kind: 'organization',
    } as const
    const answers = await Promise.all([
      call(fresh, confirmOrganization, twice),
      call(fresh, confirmOrganization, twice),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('a challenge of another session, also of the same person', async () => {
    const [person, thief] = [await make.person(), await make.person()]
    const signer = await citizen(nation, { bin: newBin() })
    const { id: challengeId, content } = (await call(person, askForChallenge, {})).result
    const signature = Buffer.from(await sign(signer, Buffer.from(content, 'base64'), time.now)).toString(
      'base64',
    )
    const input = { challengeId, signature, kind: 'organization' } as const
    expect(aliasOf(await call(thief, confirmOrganization, input))).toBe('challenge-not-found')
    const elsewhere = await app.inject({
      method: 'POST',
      url: confirmOrganization.path,
      payload: input,
      headers: { origin: publicUrl.origin, cookie: `session=${await anotherSessionOf(person)}` },
    })
    expect(elsewhere.json()).toMatchObject({ ExceptionData: { Alias: 'challenge-not-found' } })
    // and the refused calls did not use up the challenge
    expect((await call(person, confirmOrganization, input)).status).toBe(200)
  })

  test('a signature that comes too late', async () => {
    const person = await make.person()
    const signer = await citizen(nation, { bin: newBin() })
    const { id: challengeId, content } = (await call(person, askForChallenge, {})).result
    const cms = await sign(signer, Buffer.from(content, 'base64'), time.now)
    await travel(new Date(start.getTime() + 5 * 60_000))
    const signature = Buffer.from(cms).toString('base64')
    const answer = await call(person, confirmOrganization, { challengeId, signature, kind: 'organization' })
    expect(aliasOf(answer)).toBe('challenge-not-found')
  })
})

test('an installation that cannot check signatures gives no challenge to sign', async () => {
  const without = await startTestApp()
  const answer = await without.call(await without.make.person(), askForChallenge, {})
  expect(answer.status).toBe(503)
})

async function anotherSessionOf(userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await database.write((tx) =>
    tx
      .insertInto('sessions')
      .values({
        tokenHash: createHash('sha256').update(token).digest(),
        userId,
        createdAt: time.now,
        lastSeenAt: time.now,
        expiresAt: new Date(time.now.getTime() + 1e9),
      })
      .execute(),
  )
  return token
}
