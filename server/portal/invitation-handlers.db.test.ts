import { afterEach, describe, expect, test } from 'vitest'
import { acceptInvitation, getInvitation, getOrganizations } from '@kelisim/domain/identity/contract.ts'
import {
  getInvitations,
  getMembers,
  getOrganizationEvents,
  invite,
  removeMember,
  resendInvitation,
  setRoles,
  withdrawInvitation,
} from '@kelisim/domain/portal/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { stopEmails } from '@kelisim/domain/mail/stop-contract.ts'
import { strangerLimit } from '@kelisim/domain/mail/stranger-limits.ts'
import { startTestApp } from '../testing.ts'
import { day } from '@kelisim/domain/durations.ts'

const { call, make, emails, time, travel, database } = await startTestApp()
const start = time.now
afterEach(() => travel(start))
const all = { skip: 0, take: 100 }
const week = 7 * day

/** An owner with an organisation, and a person who was invited to it by e-mail. */
async function invited(language: 'ru' | 'kk' | 'en' = 'ru') {
  const [boss, guest] = [await make.person('Бас'), await make.person('Қонақ')]
  const organizationId = await make.organization(boss, 'ТОО Ромашка')
  const email = `${guest}@example.kz`
  const answer = await call(boss, invite, {
    organizationId,
    email,
    roles: roles.of('PointsAdministrator'),
    language,
  })
  return { boss, guest, organizationId, email, invitation: answer.result, token: lastToken() }
}

function lastToken(): string {
  return emails.at(-1)!.button!.url.split('/').at(-1)!
}

const aliasOf = (answer: { error: { ExceptionData: { Alias: string } } }) => answer.error.ExceptionData.Alias

describe('inviting', () => {
  test('sends an e-mail in the chosen language with a link that only it holds', async () => {
    const { email, token, invitation } = await invited('kk')
    const message = emails.at(-1)!
    expect(message).toMatchObject({ to: email, language: 'kk' })
    expect(message.button!.url).toBe(`http://localhost:3000/invitations/${token}`)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(message.paragraphs.join(' ')).toContain('22.11.2026')
    expect(JSON.stringify(invitation)).not.toContain(token)
    const { rows } = await database.pool.query<{ row: string }>('select i::text as row from invitations i')
    expect(rows.map((r) => r.row).join()).not.toContain(token)
  })

  test('for an unconfirmed organisation puts nothing that it typed into the e-mail', async () => {
    const boss = await make.person('Служба поддержки: kelisim-kz.example')
    const organizationId = await make.organization(boss, 'Пароль истёк, войдите: kelisim-kz.example')
    const email = 'stranger@example.kz'
    await call(boss, invite, { organizationId, email, roles: 1, language: 'ru' })
    const message = emails.at(-1)!
    expect(message.subject).toBe('Приглашение в Келісім')
    expect(JSON.stringify(message)).not.toMatch(/Служба|Пароль|kelisim-kz/)
  })

  test('for a confirmed organisation names it as its certificate does, and quotes the name of the inviter', async () => {
    const boss = await make.person('Бас Директор')
    const organizationId = await make.organization(boss, 'ТОО Ромашка')
    await database.pool.query('update organizations set confirmed_at = $1 where id = $2', [
      time.now,
      organizationId,
    ])
    await call(boss, invite, { organizationId, email: 'stranger@example.kz', roles: 1, language: 'ru' })
    const message = emails.at(-1)!
    expect(message.subject).toBe('ТОО Ромашка: приглашение в Келісім')
    expect(message.paragraphs.join(' ')).not.toContain('Бас')
    expect(message.quotes).toEqual([{ label: 'Пригласивший, как он себя назвал', text: 'Бас Директор' }])
  })

  test('has a daily limit: the next invitation is refused until midnight and not saved', async () => {
    const boss = await make.person()
    const organizationId = await make.organization(boss)
    const limit = strangerLimit('organization', { domain: 'example.kz', isConfirmed: false })
    const send = (i: number) =>
      call(boss, invite, { organizationId, email: `g${i}-${boss}@example.kz`, roles: 1, language: 'ru' })
    const sent = await Promise.all(Array.from({ length: limit + 5 }, (_, i) => send(i)))
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(limit)
    const refused = sent.find(({ status }) => status !== 200)!
    expect([refused.status, aliasOf(refused)]).toEqual([429, 'email-limit-reached'])
    expect(refused.error.ExceptionData.Parameters['seconds']).toBe(13 * 60 * 60)
    expect((await call(boss, getInvitations, { organizationId, ...all })).result.totalCount).toBe(limit)
    await travel(new Date(start.getTime() + day))
    expect((await send(99)).status).toBe(200)
  })

  test('to an address that stopped e-mails is refused, and the link in the e-mail stops them', async () => {
    const { boss, organizationId, invitation, email } = await invited()
    const token = new URL(emails.at(-1)!.choice!.unsubscribeUrl).pathname.split('/').at(-1)!
    await call(null, stopEmails, { token, of: 'sender' })
    const again = { organizationId, email, roles: 1, language: 'ru' as const }
    expect(aliasOf(await call(boss, invite, again))).toBe('address-refuses-emails')
    const resent = await call(boss, resendInvitation, { organizationId, invitationId: invitation.id })
    expect([resent.status, aliasOf(resent)]).toEqual([409, 'address-refuses-emails'])
    // The address still accepts e-mails of other organisations.
    const other = await invited()
    expect((await call(other.boss, invite, { ...again, organizationId: other.organizationId })).status).toBe(
      200,
    )
  })

  test('the invitation shows in the list until it is accepted or withdrawn', async () => {
    const { boss, organizationId, invitation } = await invited()
    const list = async () => (await call(boss, getInvitations, { organizationId, ...all })).result
    expect(await list()).toEqual({ totalCount: 1, items: [invitation] })
    expect(invitation).toMatchObject({ invitedBy: 'Бас', roles: roles.of('Employee', 'PointsAdministrator') })
    await call(boss, withdrawInvitation, { organizationId, invitationId: invitation.id })
    expect(await list()).toEqual({ totalCount: 0, items: [] })
  })

  test('a second invitation to the same address replaces the first, also when both are sent at once', async () => {
    const { boss, organizationId, email, token: first } = await invited()
    const again = { organizationId, email: email.toUpperCase(), roles: 1, language: 'en' as const }
    await Promise.all([call(boss, invite, again), call(boss, invite, again)])
    expect((await call(boss, getInvitations, { organizationId, ...all })).result.totalCount).toBe(1)
    expect(aliasOf(await call(null, getInvitation, { token: first }))).toBe('invitation-not-found')
  })

  test('a person who belongs already is not invited again', async () => {
    const { boss, organizationId } = await invited()
    const input = { organizationId, email: `${boss}@example.kz`, roles: 1, language: 'ru' as const }
    expect(aliasOf(await call(boss, invite, input))).toBe('already-member')
  })

  test('sent again, an invitation has a new link and a new term; the old link stops working', async () => {
    const { boss, organizationId, invitation, token: old } = await invited()
    await travel(new Date(start.getTime() + week + 1))
    const again = await call(boss, resendInvitation, { organizationId, invitationId: invitation.id })
    expect(again.result.expiresAt).toBe(new Date(time.now.getTime() + week).toISOString())
    expect(aliasOf(await call(null, getInvitation, { token: old }))).toBe('invitation-not-found')
    expect((await call(null, getInvitation, { token: lastToken() })).result.isExpired).toBe(false)
  })

  test("another organisation's invitation is not found by its id", async () => {
    const { invitation } = await invited()
    const { boss: other, organizationId } = await invited()
    const input = { organizationId, invitationId: invitation.id }
    expect(aliasOf(await call(other, resendInvitation, input))).toBe('invitation-not-found')
    expect(aliasOf(await call(other, withdrawInvitation, input))).toBe('invitation-not-found')
  })
})

describe('accepting', () => {
  test('the link shows who invites whom, even before signing in', async () => {
    const { token, email } = await invited()
    expect((await call(null, getInvitation, { token })).result).toEqual({
      organizationName: 'ТОО Ромашка',
      bin: expect.stringMatching(/^\d{12}$/) as unknown,
      isConfirmed: false,
      roles: roles.of('Employee', 'PointsAdministrator'),
      invitedBy: 'Бас',
      email,
      expiresAt: '2026-11-22T06:00:00.000Z',
      isExpired: false,
    })
  })

  test('makes the invited person a member with the given roles, and is in the history', async () => {
    const { boss, guest, organizationId, token } = await invited()
    expect((await call(guest, acceptInvitation, { token })).result).toEqual({ organizationId })
    expect((await call(guest, getOrganizations, {})).result.Organizations).toMatchObject([
      { Id: organizationId },
    ])
    const { items } = (await call(boss, getMembers, { organizationId, ...all, name: 'Қонақ' })).result
    expect(items).toMatchObject([{ roles: roles.of('Employee', 'PointsAdministrator') }])
    const history = (await call(boss, getOrganizationEvents, { organizationId, ...all })).result.items
    expect(history.map((e) => [e.type, e.by])).toEqual([
      ['joined', 'Қонақ'],
      ['invited', 'Бас'],
    ])
  })

  test('works once, also for ten calls at once; then the link is not found', async () => {
    const { guest, token } = await invited()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(guest, acceptInvitation, { token })),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    expect(aliasOf(await call(null, getInvitation, { token }))).toBe('invitation-not-found')
  })

  test('a member who was removed cannot come back by the old link', async () => {
    const { boss, guest, organizationId, token } = await invited()
    await call(guest, acceptInvitation, { token })
    await call(boss, removeMember, { organizationId, userId: guest })
    expect(aliasOf(await call(guest, acceptInvitation, { token }))).toBe('invitation-not-found')
  })

  test('a forwarded link does not let another person in, and shows them only the beginning of the address', async () => {
    const { token, email } = await invited()
    const refused = await call(await make.person(), acceptInvitation, { token })
    expect(refused.error.ExceptionData).toEqual({
      Alias: 'invitation-for-another-email',
      Parameters: { email: `${email[0]}***@example.kz` },
    })
    expect(JSON.stringify(refused.error)).not.toContain(email)
  })

  test('is refused to a person whose e-mail is not confirmed', async () => {
    const { guest, token } = await invited()
    await database.pool.query('update users set is_email_confirmed = false where id = $1', [guest])
    expect(aliasOf(await call(guest, acceptInvitation, { token }))).toBe('invitation-for-another-email')
  })

  test('is refused after a week', async () => {
    const { guest, token } = await invited()
    await travel(new Date(start.getTime() + week))
    expect((await call(null, getInvitation, { token })).result.isExpired).toBe(true)
    expect(aliasOf(await call(guest, acceptInvitation, { token }))).toBe('invitation-expired')
  })

  test('an invitation is void once its author has left the organisation', async () => {
    const { boss, guest, organizationId, token } = await invited()
    const other = await make.member(organizationId, await make.person('Тағы бір ие'), 'Owner')
    await call(other, removeMember, { organizationId, userId: boss })
    expect(aliasOf(await call(guest, acceptInvitation, { token }))).toBe('invitation-not-found')
    expect((await call(other, getInvitations, { organizationId, ...all })).result.totalCount).toBe(0)
  })

  test('an invitation is void once its author is no longer an owner', async () => {
    const { boss, guest, organizationId, token } = await invited()
    const other = await make.member(organizationId, await make.person('Тағы бір ие'), 'Owner')
    await call(other, setRoles, { organizationId, userId: boss, roles: roles.of('Employee') })
    expect(aliasOf(await call(guest, acceptInvitation, { token }))).toBe('invitation-not-found')
  })

  test('accepting and inviting again at once leave no open invitation for a member', async () => {
    for (let round = 0; round < 6; round++) {
      const { boss, guest, organizationId, email, token } = await invited()
      const again = { organizationId, email, roles: roles.of('Owner'), language: 'ru' } as const
      await Promise.all([call(guest, acceptInvitation, { token }), call(boss, invite, again)])
      const isMember = (await call(guest, getOrganizations, {})).result.Organizations.length > 0
      const open = (await call(boss, getInvitations, { organizationId, ...all })).result.totalCount
      expect(open, `round ${round}`).toBe(isMember ? 0 : 1)
    }
  })

  test('is refused to a person who is already a member', async () => {
    const { guest, organizationId, token } = await invited()
    await make.member(organizationId, guest)
    expect(aliasOf(await call(guest, acceptInvitation, { token }))).toBe('already-member')
  })

  test('a token is not found in another letter case, cut short or made up', async () => {
    const { token } = await invited()
    const swapped = token.replaceAll(/[a-z]/gi, (c) =>
      c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
    )
    for (const wrong of [swapped, token.slice(1), 'x'.repeat(43)]) {
      expect(aliasOf(await call(null, getInvitation, { token: wrong }))).toBe('invitation-not-found')
    }
  })
})
