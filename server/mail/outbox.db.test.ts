import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import type { Letter } from '@kelisim/domain/mail/letter.ts'
import { startQueue } from '../jobs/queue.ts'
import { openPost } from './outbox.ts'

type Received = { to: string[]; source: string }
const received: Received[] = []
let refusals = 0
let onReceived: (mail: Received) => void = () => {}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      if (refusals-- > 0) return done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
      const mail = {
        to: session.envelope.rcptTo.map((r) => r.address),
        source: Buffer.concat(chunks).toString(),
      }
      received.push(mail)
      done()
      onReceived(mail)
    })
  },
})
smtp.listen(0, '127.0.0.1')
await once(smtp.server, 'listening')
const smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`

const { database, connection } = await testDatabase()
const queue = await startQueue(connection, () => {}, {
  retryDelay: 0,
  retryBackoff: false,
  lookEverySeconds: 0.5,
})
const post = openPost({
  mustEncrypt: false,
  ...{
    queue,
    database,
    smtpUrl,
    from: 'Келісім <no-reply@kelisim.kz>',
    publicUrl: new URL('https://kelisim.kz'),
  },
  clock: () => new Date('2026-11-15T06:00:00Z'),
})
await post.startDelivery()

afterAll(async () => {
  await queue.stop()
  await new Promise<void>((done) => smtp.close(done))
})

const letter = (to: string): Letter => ({
  to,
  language: 'kk',
  subject: 'Құжат: «А & Б» <шақыру>',
  paragraphs: ['Сәлеметсіз бе!', '<script>alert(1)</script>'],
  button: { label: 'Ашу', url: 'https://kelisim.kz/invitations/x?a=1&b=2' },
})

/** Resolves when a letter to this address has arrived. */
function arrivalAt(address: string): Promise<Received> {
  return new Promise((resolve) => {
    onReceived = (mail) => void (mail.to.includes(address) && resolve(mail))
  })
}

const stateOf = (recipient: string) =>
  database.db.selectFrom('mails').selectAll().where('recipient', '=', recipient).executeTakeFirstOrThrow()

test('a letter that the mail server refused at first is tried again and arrives once', async () => {
  refusals = 1
  const arrived = arrivalAt('first@example.kz')
  await database.write((tx) => post.queueMail(tx, letter('first@example.kz')))
  const { source } = await arrived
  expect(source).toContain('To: first@example.kz')
  expect(source).toMatch(/Subject: =\?UTF-8\?/)
  expect(source).toMatch(/Message-ID: <[\w-]+@kelisim>/i)

  // A job may run twice (its process died before it said "done"); the letter behind it is not sent twice.
  const { id } = await stateOf('first@example.kz')
  const next = arrivalAt('second@example.kz')
  await database.write((tx) => queue.add(tx, 'deliver-mail', { mailId: id }))
  await database.write((tx) => post.queueMail(tx, letter('second@example.kz')))
  await next
  expect(received.map((mail) => mail.to)).toEqual([['first@example.kz'], ['second@example.kz']])
  const sent = await stateOf('first@example.kz')
  // Delivered, nothing of its links is left lying in the database.
  expect(sent).toMatchObject({ attempts: 2, lastError: null, text: '', html: '' })
  expect(sent.sentAt).not.toBeNull()
})

test('a letter of a transaction that failed is never sent', async () => {
  const failing = database.write(async (tx) => {
    await post.queueMail(tx, letter('ghost@example.kz'))
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  const next = arrivalAt('after@example.kz')
  await database.write((tx) => post.queueMail(tx, letter('after@example.kz')))
  await next
  expect(received.flatMap((mail) => mail.to)).not.toContain('ghost@example.kz')
})

test('a name in an address cannot add another recipient', async () => {
  const sneaky = 'a@example.kz\r\nBcc: victim@example.kz'
  const next = arrivalAt('last@example.kz')
  await database.write((tx) => post.queueMail(tx, letter(sneaky)))
  await database.write((tx) => post.queueMail(tx, letter('last@example.kz')))
  await next
  expect(received.flatMap((mail) => mail.to)).not.toContain('victim@example.kz')
})
