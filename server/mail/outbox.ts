/**
 * The way of a letter: written in the transaction that causes it, delivered by a job over SMTP. Without an SMTP
 * server (demo) it stays in the table, where the mailbox page shows it.
 */
import { createTransport, type Transporter } from 'nodemailer'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { Letter } from '@kelisim/domain/mail/letter.ts'
import type { Queue } from '../jobs/queue.ts'
import { renderLetter } from './render.ts'

export type QueueMail = (tx: Tx, letter: Letter) => Promise<void>

export type Post = {
  queueMail: QueueMail
  /** Begins to deliver; without an SMTP server there is nothing to begin. */
  startDelivery: () => Promise<void>
}

export function openPost(options: {
  queue: Queue
  database: Database
  publicUrl: URL
  smtpUrl: string | undefined
  from: string
  /** A server that offers no TLS gets no letters of ours. */
  mustEncrypt: boolean
  clock: () => Date
}): Post {
  const { queue, database, publicUrl, smtpUrl, from, clock } = options
  return {
    async queueMail(tx, letter) {
      const now = clock()
      const id = newId(now.getTime())
      await tx
        .insertInto('mails')
        .values({
          id,
          recipient: letter.to,
          language: letter.language,
          subject: letter.subject,
          ...renderLetter(letter, publicUrl),
          createdAt: now,
          sentAt: null,
          lastError: null,
        })
        .execute()
      if (smtpUrl !== undefined) await queue.add(tx, 'deliver-mail', { mailId: id })
    },
    async startDelivery() {
      if (smtpUrl === undefined) return
      const transport = createTransport(
        { url: smtpUrl, requireTLS: options.mustEncrypt, connectionTimeout: 10_000, socketTimeout: 60_000 },
        { disableFileAccess: true, disableUrlAccess: true },
      )
      await queue.run('deliver-mail', ({ mailId }) => deliver(database, transport, from, mailId, clock))
    },
  }
}

async function deliver(
  database: Database,
  transport: Transporter,
  from: string,
  mailId: string,
  clock: () => Date,
): Promise<void> {
  const mail = await database.db.selectFrom('mails').selectAll().where('id', '=', mailId).executeTakeFirst()
  if (!mail || mail.sentAt) return
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: mail.recipient },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      // The same id at every try: a receiver that got it before can tell.
      messageId: `<${mail.id}@kelisim>`,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await note(database, mailId, { lastError: reason.slice(0, 500) })
    throw error
  }
  // Letters hold links that open doors: once delivered, none is left lying here.
  await note(database, mailId, { sentAt: clock(), lastError: null, text: '', html: '' })
}

async function note(
  database: Database,
  mailId: string,
  state: { sentAt?: Date; lastError: string | null; text?: string; html?: string },
): Promise<void> {
  await database.write((tx) =>
    tx
      .updateTable('mails')
      .set((eb) => ({ ...state, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', mailId)
      .execute(),
  )
}
