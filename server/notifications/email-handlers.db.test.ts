/** The e-mails about a request, their delivery, and sending them again. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { saveNotificationSettings } from '@kelisim/domain/options/contract.ts'
import {
  getRequestEmails,
  remindOfRequest,
  resendEmail,
} from '@kelisim/domain/notifications/emails-contract.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const app = await startNotificationsApp()
const { call, database, deliverAll, emailsTo, emailOf, travel, noticesOf } = app
const { act, signAt } = actingIn(app)
const company = await app.company()
const other = await app.company()
const { organizationId, employee, colleague, owner } = company
const confirmed = [organizationId, other.organizationId]
await database.write((tx) =>
  tx.updateTable('organizations').set({ confirmedAt: app.time.now }).where('id', 'in', confirmed).execute(),
)
const outside = await company.point('ExternalSign', {
  groupId: null,
  bin: other.bin,
  organizationName: 'ТОО «Другие»',
  emails: ['deals@other.kz'],
})
const route = await company.route(await company.point('CompanyInternalSign'), outside)

/** A request that the sender has signed and that waits for the other side. */
async function sentOut() {
  const { result: sent } = await company.send(route)
  await deliverAll()
  await signAt({ id: colleague, organizationId }, sent, 'CompanyInternalSign', company.stamp)
  await deliverAll()
  return sent
}
const ask = (person: string, id: string, ofOrganization = organizationId) =>
  call(person, getRequestEmails, { organizationId: ofOrganization, signingRequestId: id, skip: 0, take: 10 })
const hours = (n: number) => travel(new Date(app.time.now.getTime() + n * 60 * 60 * 1000))

describe('e-mails of a request', () => {
  test('are shown to its author and owners with recipient, address and delivery', async () => {
    const sent = await sentOut()
    await database.write(async (tx) => {
      const change = { state: 'refused', replyCode: 550, lastError: '550 5.1.1 No such user' } as const
      await tx.updateTable('mails').set(change).where('recipient', '=', 'deals@other.kz').execute()
    })
    for (const person of [employee, owner]) {
      const { items, totalCount } = (await ask(person, sent.id)).result
      expect(totalCount).toBe(4)
      expect(items.find(({ address }) => address === 'deals@other.kz')).toMatchObject({
        recipient: null,
        state: 'refused',
        reason: 'no-such-address',
        canResend: true,
        answer: '550 5.1.1 No such user',
      })
      expect(items.find(({ kind }) => kind === 'signed')).toMatchObject({ state: 'kept', reason: null })
    }
  })

  test('of a point are those that asked its people', async () => {
    const sent = await sentOut()
    const [ours, theirs] = sent.points.map(({ pointId }) => pointId) as [string, string]
    const of = async (pointId: string, process?: 'signing' | 'terminating') => {
      const page = { organizationId, signingRequestId: sent.id, skip: 0, take: 10 }
      const { items, totalCount } = (
        await call(employee, getRequestEmails, { ...page, pointId, ...(process && { process }) })
      ).result
      expect(items).toHaveLength(totalCount)
      return items
    }
    const toUs = await of(ours)
    expect(toUs.map(({ kind, address }) => ({ kind, address }))).toEqual([
      { kind: 'request-for-me', address: await emailOf(colleague) },
    ])
    const toThem = (await of(theirs)).map(({ address }) => address)
    expect(toThem).toContain('deals@other.kz')
    expect(toThem).not.toContain(toUs[0]!.address)
    expect(await of(ours, 'terminating')).toEqual([])
    expect(await of(newId())).toEqual([])
  })

  test('do not show the people of the other side', async () => {
    const sent = await sentOut()
    const theirs = (await ask(employee, sent.id)).result.items.find(({ address }) => address?.includes('…'))!
    const email = await emailOf(other.owner)
    expect(theirs.address).toBe(`${email.slice(0, 1)}…@example.kz`)
    const { shortName } = await database.db
      .selectFrom('organizations')
      .select('shortName')
      .where('id', '=', other.organizationId)
      .executeTakeFirstOrThrow()
    expect(theirs.recipient).toBe(shortName)
  })

  test('are hidden from everybody else', async () => {
    const sent = await sentOut()
    expect((await ask(colleague, sent.id)).status).toBe(404)
    expect((await ask(other.owner, sent.id, other.organizationId)).status).toBe(404)
    const noticeId = (await noticesOf(sent.id))[0]!.id
    const input = { organizationId, signingRequestId: sent.id, noticeId }
    expect((await call(colleague, resendEmail, input)).error.ExceptionData.Alias).toBe(
      'not-enough-permissions',
    )
    const reminding = { organizationId, signingRequestId: sent.id }
    expect((await call(colleague, remindOfRequest, reminding)).error.ExceptionData.Alias).toBe(
      'not-enough-permissions',
    )
  })

  test('are sent again once an hour', async () => {
    const sent = await sentOut()
    const { items } = (await ask(employee, sent.id)).result
    const { noticeId } = items.find(({ address }) => address === 'deals@other.kz')!
    const input = { organizationId, signingRequestId: sent.id, noticeId }
    const before = (await emailsTo('deals@other.kz')).length
    const { result } = await call(employee, resendEmail, input)
    expect(result).toMatchObject({ state: 'kept', canResend: false })
    expect(await emailsTo('deals@other.kz')).toHaveLength(before + 1)
    expect((await call(employee, resendEmail, input)).error.ExceptionData.Alias).toBe(
      'letter-resent-recently',
    )
    await hours(1)
    expect((await call(employee, resendEmail, input)).status).toBe(200)
    const unknown = { ...input, noticeId: newId() }
    expect((await call(employee, resendEmail, unknown)).error.ExceptionData.Alias).toBe('letter-not-found')
  })

  test('that are being delivered are not sent twice', async () => {
    const sent = await sentOut()
    const { items } = (await ask(employee, sent.id)).result
    const { noticeId } = items.find(({ address }) => address === 'deals@other.kz')!
    await database.write((tx) =>
      tx.updateTable('mails').set({ state: 'queued' }).where('recipient', '=', 'deals@other.kz').execute(),
    )
    const input = { organizationId, signingRequestId: sent.id, noticeId }
    expect((await call(employee, resendEmail, input)).error.ExceptionData.Alias).toBe('letter-on-its-way')
  })
})

describe('sending an e-mail again', () => {
  /** A request that waits for one person in a group of their own. */
  async function sentToOne() {
    const person = await app.make.person()
    await app.make.member(organizationId, person)
    const groupId = await company.group(`Отдел ${person}`, person)
    const point = await company.point('InternalApprove', { groupId })
    const { result: sent } = await company.send(await company.route(point))
    await deliverAll()
    const noticeId = (await noticesOf(sent.id)).find(({ userId }) => userId === person)!.id
    const again = () => call(employee, resendEmail, { organizationId, signingRequestId: sent.id, noticeId })
    return { person, groupId, email: await emailOf(person), again }
  }

  test('is refused for a recipient who has turned them off', async () => {
    const { person, email, again } = await sentToOne()
    const settings = [{ kind: 'request-for-me', mode: 'off' } as const]
    await call(person, saveNotificationSettings, { organizationId, settings })
    expect((await again()).error.ExceptionData.Alias).toBe('letter-not-found')
    expect(await emailsTo(email)).toHaveLength(1)
  })

  test('is refused for a recipient who may not see the request any more', async () => {
    const { groupId, email, again } = await sentToOne()
    await database.write((tx) => tx.deleteFrom('groupParticipants').where('groupId', '=', groupId).execute())
    expect((await again()).error.ExceptionData.Alias).toBe('letter-not-found')
    expect(await emailsTo(email)).toHaveLength(1)
  })

  test('uses the current address of the recipient', async () => {
    const { person, email, again } = await sentToOne()
    const set = (values: object) =>
      database.write((tx) => tx.updateTable('users').set(values).where('id', '=', person).execute())
    await set({ email: `new-${email}` })
    expect((await again()).result.address).toBe(`new-${email}`)
    expect([(await emailsTo(email)).length, (await emailsTo(`new-${email}`)).length]).toEqual([1, 1])
    await hours(1)
    await set({ isEmailConfirmed: false })
    expect((await again()).error.ExceptionData.Alias).toBe('letter-not-found')
  })
})

describe('a manual reminder', () => {
  test('reaches everybody the request waits for, once a day', async () => {
    const sent = await sentOut()
    const input = { organizationId, signingRequestId: sent.id }
    expect((await ask(employee, sent.id)).result.reminder).toEqual({ lastAt: null, canRemind: true })
    const { result } = await call(employee, remindOfRequest, input)
    expect(result).toEqual({ lastAt: app.time.now.toISOString(), canRemind: false })
    const reminded = (await noticesOf(sent.id)).filter(({ kind }) => kind === 'reminder')
    expect(reminded.map(({ recipient }) => recipient).toSorted()).toEqual(
      [other.owner, 'mailto:deals@other.kz'].toSorted(),
    )
    expect((await call(owner, remindOfRequest, input)).error.ExceptionData.Alias).toBe('reminded-recently')
    await hours(24)
    expect((await call(owner, remindOfRequest, input)).status).toBe(200)
  })

  test('is refused if the request waits for nobody', async () => {
    const sent = await sentOut()
    const theirs = { id: other.owner, organizationId: other.organizationId }
    await act(theirs, sent, 'ExternalSign', 'reject', { comment: 'Нет' })
    const input = { organizationId, signingRequestId: sent.id }
    expect((await call(employee, remindOfRequest, input)).error.ExceptionData.Alias).toBe('nobody-to-remind')
    expect((await ask(employee, sent.id)).result.reminder).toEqual({ lastAt: null, canRemind: false })
  })
})
