/** E-mails about requests to people without an account: stopped by them, or held back by the limits of a day. */
import { expect, test } from 'vitest'
import { getStopped, stopEmails } from '@kelisim/domain/mail/stop-contract.ts'
import { strangerLimit } from '@kelisim/domain/mail/stranger-limits.ts'
import { getRequestEmails, resendEmail } from '@kelisim/domain/notifications/emails-contract.ts'
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { countStrangerEmails } from '../mail/stranger-limits.ts'
import { newId } from '@kelisim/db/id.ts'
import { day } from '@kelisim/domain/durations.ts'
import { someBin } from '../testing.ts'
import { startNotificationsApp } from './testing-notifications.ts'
import { sendHeldEmails } from './held-emails.ts'

const app = await startNotificationsApp()
const { app: server, call, database, dependencies, deliverAll, emailsTo, time, travel } = app
const company = await app.company()
const { organizationId, employee } = company
await database.pool.query('update organizations set confirmed_at = $1, short_name = $2 where id = $3', [
  time.now,
  'ТОО «Алтын Дала»',
  organizationId,
])

let outsiders = 0
/** A request that waits for somebody without an account. */
async function sendTo(email: string) {
  const point = await company.point('ExternalSign', {
    groupId: null,
    bin: someBin(7000 + ++outsiders),
    organizationName: 'ТОО «Другие»',
    emails: [email],
  })
  const { result } = await company.send(await company.route(point))
  await deliverAll()
  return result.id
}

const shown = async (signingRequestId: string) =>
  (await call(employee, getRequestEmails, { organizationId, signingRequestId, skip: 0, take: 10 })).result
    .items

/** Others have sent so many e-mails to the address today that no further one is sent. */
async function fillLimit(email: string): Promise<void> {
  const limit = strangerLimit('address', { domain: 'example.kz', isConfirmed: true })
  const others = Array.from({ length: limit }, () => ({
    to: email,
    userId: newId(),
    organizationId: newId(),
    isConfirmed: true,
  }))
  await database.write((tx) => countStrangerEmails(tx, others, time.now))
}

test('an e-mail over the daily limit is held until the next day, and the sender sees it', async () => {
  const start = time.now
  await fillLimit('full@example.kz')
  const id = await sendTo('full@example.kz')
  expect(await emailsTo('full@example.kz')).toHaveLength(0)
  expect(await shown(id)).toMatchObject([
    { state: 'held', reason: 'day-limit', address: 'full@example.kz', canResend: false },
  ])

  await sendHeldEmails(dependencies)
  expect(await emailsTo('full@example.kz')).toHaveLength(0)
  await travel(new Date(start.getTime() + day))
  await Promise.all([sendHeldEmails(dependencies), sendHeldEmails(dependencies)])
  expect(await emailsTo('full@example.kz')).toHaveLength(1)
  expect(await shown(id)).toMatchObject([{ state: 'kept' }])
  await travel(start)
})

test('a held e-mail is not sent if its reader is not asked any more', async () => {
  const start = time.now
  await fillLimit('late@example.kz')
  const id = await sendTo('late@example.kz')
  const input = { organizationId, signingRequestId: id, comment: 'Ошибка' }
  expect((await call(employee, revokeRequest, input)).status).toBe(200)
  await travel(new Date(start.getTime() + day))
  await sendHeldEmails(dependencies)
  expect(await emailsTo('late@example.kz')).toHaveLength(0)
  expect((await shown(id)).map(({ state }) => state)).toContain('outdated')
  await travel(start)
})

test('sending an e-mail again counts towards the daily limit', async () => {
  const id = await sendTo('again@example.kz')
  await fillLimit('again@example.kz')
  const [email] = await shown(id)
  const input = { organizationId, signingRequestId: id, noticeId: email!.noticeId }
  const refused = await call(employee, resendEmail, input)
  expect([refused.status, aliasOf(refused)]).toEqual([429, 'email-limit-reached'])
})

test('by the link a reader can stop e-mails of one sender or all, and undo it; opening it changes nothing', async () => {
  const to = 'quiet@example.kz'
  await sendTo(to)
  const { text, unsubscribeUrl } = (await emailsTo(to)).at(-1)!
  expect(text).toContain(unsubscribeUrl)
  const path = new URL(unsubscribeUrl!).pathname
  const token = path.split('/').at(-1)!
  const state = async () => (await call(null, getStopped, { token })).result
  const on = { sender: { name: 'ТОО «Алтын Дала»', isOff: false }, isAllOff: false }

  await server.inject({ method: 'GET', url: path })
  await server.inject({ method: 'HEAD', url: path })
  expect(await state()).toEqual(on)

  // A mail program unsubscribes twice.
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const oneClick = { method: 'POST', url: path, payload: 'List-Unsubscribe=One-Click', headers } as const
  for (let i = 0; i < 2; i++) expect((await server.inject(oneClick)).statusCode).toBe(200)
  expect(await state()).toEqual({ ...on, sender: { ...on.sender, isOff: true } })
  const before = (await emailsTo(to)).length
  const id = await sendTo('quiet+tag@example.kz')
  expect(await shown(id)).toMatchObject([{ state: 'off', reason: 'address-stopped', canResend: false }])

  expect((await call(null, stopEmails, { token, of: 'sender', isOff: false })).result).toEqual(on)
  expect((await call(null, stopEmails, { token, of: 'all' })).result).toEqual({ ...on, isAllOff: true })
  await sendTo(to)
  expect(await emailsTo(to)).toHaveLength(before)
  await call(null, stopEmails, { token, of: 'all', isOff: false })
  await sendTo(to)
  expect(await emailsTo(to)).toHaveLength(before + 1)
  expect(aliasOf(await call(null, getStopped, { token: `${token.slice(0, -3)}AAA` }))).toBe('page-not-found')
})
