import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { getMail, getMails, mailPage } from '@kelisim/domain/mail/contract.ts'
import { startQueue } from '../jobs/queue.ts'
import { publicUrl, startTestApp } from '../testing.ts'
import { openMailer } from './outbox.ts'

const { database, connection } = await testDatabase()
const queue = await startQueue(connection, () => {})
afterAll(() => queue.stop())
const { app, call, time } = await startTestApp({ database, about: { isDemo: true } })
const clock = () => time.now
const mailer = openMailer({
  queue,
  database,
  publicUrl,
  smtpUrl: undefined,
  from: 'x',
  mustEncrypt: false,
  clock,
})

async function send(to: string, subject: string): Promise<void> {
  time.now = new Date(time.now.getTime() + 1000)
  await database.write((tx) =>
    mailer.queueMail(tx, {
      to,
      subject,
      language: 'ru' as const,
      paragraphs: ['<b>Текст</b> & «знаки»'],
      button: { label: 'Открыть', url: `${publicUrl.origin}/invitations/1?a=1&b="` },
    }),
  )
}

await send('a@example.kz', 'Первое')
await send('b@example.kz', 'Второе')
await send('a@example.kz', 'Третье')

describe('the mailbox of the demo', () => {
  test('lists the e-mails, the newest first', async () => {
    const { result } = await call(null, getMails, { skip: 0, take: 2 })
    expect(result.totalCount).toBe(3)
    expect(result.items.map((m) => m.subject)).toEqual(['Третье', 'Второе'])
    expect(Object.keys(result.items[0]!).toSorted()).toEqual(
      ['createdAt', 'id', 'language', 'recipient', 'sentAt', 'subject'].toSorted(),
    )
  })

  test('shows the e-mails of one address', async () => {
    const { result } = await call(null, getMails, { skip: 0, take: 10, recipient: 'A@example.kz' })
    expect(result.items.map((m) => m.subject)).toEqual(['Третье', 'Первое'])
  })

  test('shows an e-mail as text', async () => {
    const { items } = (await call(null, getMails, { skip: 0, take: 1 })).result
    const { text } = (await call(null, getMail, { id: items[0]!.id })).result
    expect(text).toContain('<b>Текст</b> & «знаки»')
    expect(text).toContain('Открыть: http://localhost:3000/invitations/1?a=1&b="')
  })

  test('shows an e-mail as a sandboxed page whose links open in the whole window', async () => {
    const { items } = (await call(null, getMails, { skip: 0, take: 1 })).result
    const response = await app.inject(mailPage(items[0]!.id))
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['x-frame-options']).toBeUndefined()
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
        'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; ' +
        "frame-ancestors 'self'",
    )
    expect(response.body).toContain('<base target="_top">')
    expect(response.body).toContain('&lt;b&gt;Текст&lt;/b&gt; &amp; «знаки»')
    expect(response.body).toContain('href="http://localhost:3000/invitations/1?a=1&amp;b=&quot;"')
    expect(response.body).not.toContain('<b>Текст')
  })

  test('does not find unknown e-mails', async () => {
    expect((await call(null, getMail, { id: newId() })).status).toBe(404)
    for (const id of [newId(), 'x', '%00']) expect((await app.inject(mailPage(id))).statusCode).toBe(404)
  })
})
