/** The daily digest and reminders, with a moved clock and two processes at once. */
import { describe, expect, test } from 'vitest'
import { saveNotificationSettings } from '@kelisim/domain/options/contract.ts'
import { readNotices } from '@kelisim/domain/notifications/contract.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { sendDigests } from './digest.ts'
import { sendDueReminders } from './reminders.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const app = await startNotificationsApp()
const { call, dependencies, deliverAll, noticesOf, emailsTo, emailOf, travel } = app
const { act } = actingIn(app)
const company = await app.company()
const { organizationId, employee, colleague } = company
const address = await emailOf(colleague)
const route = await company.route(await company.point('InternalApprove'))
const choose = (mode: 'at-once' | 'daily' | 'off') =>
  call(colleague, saveNotificationSettings, { organizationId, settings: [{ kind: 'request-for-me', mode }] })

async function send(name: string) {
  const { result } = await company.send(route, { name })
  await deliverAll()
  return result
}

const day = 24 * 60 * 60 * 1000
const later = (days: number) => travel(new Date(app.time.now.getTime() + days * day))

describe('the daily e-mail', () => {
  test('contains all notices, and is sent once by several processes', async () => {
    await choose('daily')
    await send('Договор <один>')
    await send('Договор два')
    const read = await send('Прочитанный')
    await call(colleague, readNotices, { organizationId, signingRequestId: read.id })
    expect(await emailsTo(address)).toHaveLength(0)
    await Promise.all([sendDigests(dependencies), sendDigests(dependencies)])
    await sendDigests(dependencies)
    const [email, ...more] = await emailsTo(address)
    expect(more).toEqual([])
    expect(email!.subject).toMatch(/^2 новости о документах: /)
    expect(email!.html).toContain('На согласование: «Договор &lt;один&gt;»')
    expect(email!.html).not.toContain('Прочитанный')
    expect(email!.unsubscribeUrl).not.toBeNull()
  })

  test('leaves out what the person may not see any more', async () => {
    const person = await app.make.person()
    await app.make.member(organizationId, person)
    const groupId = await company.group('Отдел', person)
    const settings = [{ kind: 'request-for-me', mode: 'daily' } as const]
    await call(person, saveNotificationSettings, { organizationId, settings })
    await company.send(await company.route(await company.point('InternalApprove', { groupId })))
    await deliverAll()
    await dependencies.database.write((tx) =>
      tx.deleteFrom('groupParticipants').where('groupId', '=', groupId).execute(),
    )
    await sendDigests(dependencies)
    expect(await emailsTo(await emailOf(person))).toEqual([])
  })

  test('leaves out what the person has turned off', async () => {
    await choose('daily')
    const sent = await send('Ненужный')
    await choose('off')
    const before = (await emailsTo(address)).length
    await sendDigests(dependencies)
    expect(await emailsTo(address)).toHaveLength(before)
    expect((await noticesOf(sent.id))[0]!.mode).toBe('off')
    await choose('at-once')
  })
})

describe('reminders', () => {
  const remindersOf = async (id: string) =>
    (await noticesOf(id)).filter(({ kind, userId }) => kind === 'reminder' && userId === colleague).length

  test('come after ten weeks and then every seven days while somebody must act', async () => {
    const sent = await send('Забытый')
    await later(69)
    await sendDueReminders(dependencies)
    expect(await remindersOf(sent.id)).toBe(0)
    await later(1)
    await Promise.all([sendDueReminders(dependencies), sendDueReminders(dependencies)])
    expect(await remindersOf(sent.id)).toBe(1)
    await later(6)
    await sendDueReminders(dependencies)
    expect(await remindersOf(sent.id)).toBe(1)
    await later(1)
    await sendDueReminders(dependencies)
    await sendDueReminders(dependencies)
    expect(await remindersOf(sent.id)).toBe(2)
    const email = (await emailsTo(address)).at(-1)!
    expect(email.text).toContain('всё ещё ждёт вашего согласования')

    await act({ id: colleague, organizationId }, sent, 'InternalApprove', 'approve')
    await later(80)
    await sendDueReminders(dependencies)
    expect(await remindersOf(sent.id)).toBe(2)
  })

  test('are not sent to people who have acted', async () => {
    const both = await company.route(await company.point('InternalApprove', { agreementCondition: 'all' }))
    const { result: sent } = await company.send(both)
    await act({ id: colleague, organizationId }, sent, 'InternalApprove', 'approve')
    await deliverAll()
    await later(71)
    await sendDueReminders(dependencies)
    const reminded = (await noticesOf(sent.id)).filter(({ kind }) => kind === 'reminder')
    expect(reminded.map(({ userId }) => userId)).not.toContain(colleague)
    expect(reminded.map(({ userId }) => userId)).toContain(employee)
  })
})
