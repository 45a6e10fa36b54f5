import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import { startQueue } from '../jobs/queue.ts'
import { openMailer } from './outbox.ts'
import { inAHurry, startSmtp, type Mood } from './testing-smtp.ts'

const mood: Mood = {}
const smtp = await startSmtp(mood)
const { received, until } = smtp
const { database, connection } = await testDatabase()
const logged: string[] = []
const queue = await startQueue(connection, ({ message }) => logged.push(message), {
  ...inAHurry,
  retryLimit: 2,
})
const mailer = openMailer({
  queue,
  database,
  smtpUrl: smtp.url,
  from: 'Келісім <no-reply@kelisim.kz>',
  mustEncrypt: false,
  publicUrl: new URL('https://kelisim.kz'),
  clock: () => new Date('2026-11-15T06:00:00Z'),
})
await mailer.startDelivery()
afterAll(async () => {
  await queue.stop()
  mailer.close()
})

const email = (to: string): Email => ({
  to,
  language: 'kk',
  subject: 'Құжат: «А & Б» <шақыру>',
  paragraphs: ['Сәлеметсіз бе!', '<script>alert(1)</script>'],
  button: { label: 'Ашу', url: 'https://kelisim.kz/invitations/x?a=1&b=2' },
})
const send = (to: string, change: Partial<Email> = {}) =>
  database.write((tx) => mailer.queueMail(tx, { ...email(to), ...change }))
const arrival = (to: string) => until((all) => all.some((mail) => mail.to === to))
const timesFor = (to: string) => received.filter((mail) => mail.to === to).length

const rowOf = (recipient: string) =>
  database.db.selectFrom('mails').selectAll().where('recipient', '=', recipient).executeTakeFirstOrThrow()

/** Waits until the job has saved the result. */
async function settled(recipient: string, state: string) {
  await vi.waitFor(async () => expect((await rowOf(recipient)).state).toBe(state), { timeout: 20_000 })
  return rowOf(recipient)
}

test('the e-mail of a notice is delivered after e-mails that somebody waits for', async () => {
  const notice = { choice: { unsubscribeUrl: 'https://kelisim.kz/stop' } }
  await send('told@example.kz', notice)
  await send('waiting@example.kz')
  const { rows } = await sql<{ recipient: string; priority: number }>`
    select m.recipient, j.priority from pgboss.job j join mails m on m.id::text = j.data->>'mailId'
    order by j.priority desc`.execute(database.db)
  expect(rows).toEqual([
    { recipient: 'waiting@example.kz', priority: 0 },
    { recipient: 'told@example.kz', priority: -1 },
  ])
  await settled('told@example.kz', 'sent')
  await settled('waiting@example.kz', 'sent')
})

describe('an e-mail', () => {
  test('that is refused temporarily is retried and arrives once', async () => {
    let refusals = 1
    mood.toMessage = () => (refusals-- > 0 ? { code: 451, text: '4.3.0 Try again later' } : undefined)
    await send('first@example.kz')
    await arrival('first@example.kz')
    const { source } = received.find(({ to }) => to === 'first@example.kz')!
    expect(source).toContain('To: first@example.kz')
    expect(source).toMatch(/Subject: =\?UTF-8\?/)
    expect(source).toMatch(/Message-ID: <[\w-]+@kelisim>/i)
    // Once delivered, no link stays in the database.
    const sent = await settled('first@example.kz', 'sent')
    expect(sent).toMatchObject({ attempts: 2, lastError: null, replyCode: 250, text: '', html: '' })
    expect(sent.sentAt).not.toBeNull()

    // A job may run twice (its process died before reporting success); its e-mail is not sent twice.
    await database.write((tx) => queue.add(tx, 'deliver-mail', { mailId: sent.id }))
    await send('second@example.kz')
    await arrival('second@example.kz')
    expect(timesFor('first@example.kz')).toBe(1)
  })

  test('to an unknown address is refused and not retried', async () => {
    mood.toAddress = (to) => (to.startsWith('nobody') ? { code: 550, text: '5.1.1 No such user' } : undefined)
    await send('nobody@example.kz')
    const row = await settled('nobody@example.kz', 'refused')
    expect(row).toMatchObject({ attempts: 1, replyCode: 550 })
    expect(row.lastError).toContain('No such user')
  })

  test('that is refused for its content is not retried', async () => {
    mood.toMessage = (to) => (to.startsWith('strict') ? { code: 554, text: '5.7.1 Spam' } : undefined)
    await send('strict@example.kz')
    expect(await settled('strict@example.kz', 'refused')).toMatchObject({ attempts: 1, replyCode: 554 })
  })

  test('that is refused temporarily at every try fails, with the reply of the server', async () => {
    mood.toAddress = (to) => (to.startsWith('busy') ? { code: 450, text: `4.2.1 <${to}>: Busy` } : undefined)
    await send('busy@example.kz')
    const row = await settled('busy@example.kz', 'failed')
    expect(row).toMatchObject({ attempts: 3, replyCode: 450 })
    expect(row.lastError).toContain('<busy@example.kz>: Busy')
    expect(row.html).not.toBe('')
    // The log and the operator see the server's reply without the address.
    const reply = expect.stringContaining('4.2.1 <…>: Busy')
    await vi.waitFor(() => expect(logged).toContainEqual(reply), { timeout: 20_000 })
    expect(logged.join()).not.toContain('busy@example.kz')
  })

  test('whose process died during the handover is uncertain and not sent again', async () => {
    const id = '018f0000-0000-7000-8000-000000000001'
    await database.write(async (tx) => {
      await mailer.queueMail(tx, { ...email('dead@example.kz'), id })
      await tx.updateTable('mails').set({ state: 'handing-over' }).where('id', '=', id).execute()
    })
    await settled('dead@example.kz', 'uncertain')
    expect(timesFor('dead@example.kz')).toBe(0)
  })

  test('of a transaction that failed is never sent', async () => {
    const failing = database.write(async (tx) => {
      await mailer.queueMail(tx, email('ghost@example.kz'))
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await send('after@example.kz')
    await arrival('after@example.kz')
    expect(timesFor('ghost@example.kz')).toBe(0)
  })

  test('cannot get other recipients by line breaks in address or subject', async () => {
    await send('a@example.kz\r\nBcc: victim@example.kz')
    await send('last@example.kz', { subject: 'Шарт\r\nBcc: victim@example.kz' })
    await arrival('last@example.kz')
    expect(received.map(({ to }) => to).join(' ')).not.toContain('victim')
    const [head] = received.find(({ to }) => to === 'last@example.kz')!.source.split('\r\n\r\n')
    expect(head).not.toMatch(/^Bcc:/im)
  })

  test('with a choice has the headers for unsubscribing with one click', async () => {
    const choice = {
      settingsUrl: 'https://kelisim.kz/options/x',
      unsubscribeUrl: 'https://kelisim.kz/unsubscribe/x',
    }
    await send('chooser@example.kz', { choice })
    await arrival('chooser@example.kz')
    const { source } = received.find(({ to }) => to === 'chooser@example.kz')!
    expect(source).toContain('List-Unsubscribe: <https://kelisim.kz/unsubscribe/x>')
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  })
})
