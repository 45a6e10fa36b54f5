/**
 * The states of an e-mail: saved in the transaction that causes it, delivered by a job over SMTP.
 *
 *                 ┌───────── certainly not delivered: retried after a pause ──────┐
 *                 ▼                                                               │
 *   queueMail ─▶ queued ── all but the final dot is sent, marked ─▶ handing-over ─┤── accepted ─▶ sent
 *                 │                                                               ├── rejected ─▶ refused
 *                 └── every attempt failed ─▶ failed (a dead letter)              └── no reply ─▶ uncertain
 *
 * A process killed before the mark cannot have delivered the e-mail, so it is sent again. After the mark it may have been
 * delivered, so it is not sent again automatically. Without an SMTP server (demo) it stays in the table as `kept`, where
 * the mailbox page shows it.
 */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { withoutAddresses } from '@kelisim/domain/mail/delivery.ts'
import { subjectLine, type Email } from '@kelisim/domain/mail/email.ts'
import type { Queue, Attempt } from '../jobs/queue.ts'
import { addMail, claimMails, markMails, settleMails, type Claim, type SettledMail } from './queries.ts'
import { renderEmail } from './rendering/render.ts'
import { openSmtp, type SendResult, type Smtp } from './smtp.ts'
import { batched } from './batched.ts'

export type QueueMail = (tx: Tx, email: Email) => Promise<void>

export type Mailer = {
  queueMail: QueueMail
  /** Starts delivery; does nothing without an SMTP server. */
  startDelivery: () => Promise<void>
  close: () => void
}

/** Enough to keep one mail server busy; few enough not to look like an attack. */
const connections = 10
/** How many e-mails are taken at once; their rows are read and written together. */
const batchSize = 100

export function openMailer(options: {
  queue: Queue
  database: Database
  publicUrl: URL
  smtpUrl: string | undefined
  from: string
  mustEncrypt: boolean
  clock: () => Date
}): Mailer {
  const { queue, database, publicUrl, smtpUrl, from, clock } = options
  let smtp: Smtp | undefined
  return {
    async queueMail(tx, input) {
      const now = clock()
      const email = { ...input, subject: subjectLine(input.subject) }
      const id = email.id ?? newId(now.getTime())
      await addMail(tx, {
        id,
        recipient: email.to,
        language: email.language,
        subject: email.subject,
        ...renderEmail(email, publicUrl),
        unsubscribeUrl: email.choice?.unsubscribeUrl ?? null,
        replyTo: email.replyTo ?? null,
        state: smtpUrl === undefined ? 'kept' : 'queued',
        createdAt: now,
        sentAt: null,
        lastError: null,
      })
      // A person who resets a password or was invited waits for the e-mail; notices, of which a bulk sending makes
      // thousands, are delivered after it.
      const place = email.choice ? 1 : 0
      if (smtpUrl !== undefined) await queue.add(tx, 'deliver-mail', { mailId: id }, place)
    },
    async startDelivery() {
      if (smtpUrl === undefined) return
      smtp = openSmtp({ url: smtpUrl, mustEncrypt: options.mustEncrypt, connections })
      const deliver = deliveryOf({ database, smtp, from, clock })
      await queue.run('deliver-mail', ({ mailId }, attempt) => deliver(mailId, attempt), {
        batch: batchSize,
        concurrency: batchSize,
      })
    },
    close: () => smtp?.close(),
  }
}

type DeliveryDependencies = { database: Database; smtp: Smtp; from: string; clock: () => Date }

export function deliveryOf({ database, smtp, from, clock }: DeliveryDependencies) {
  const claim = batched((mailIds: readonly string[]) => claimMails(database, mailIds))
  const mark = batched((claims: readonly Claim[]) => markMails(database, claims, clock()))
  const settle = batched((results: readonly SettledMail[]) => settleMails(database, results, clock()))

  return async (mailId: string, { isLast }: Attempt): Promise<void> => {
    const mail = await claim(mailId)
    // Another process died while delivering it, or it was settled before.
    if (mail?.state !== 'queued') return
    const result = await smtp.send(
      {
        from,
        to: { name: '', address: mail.recipient },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // The same Message-ID at every attempt, so that a receiver can recognise a duplicate.
        messageId: `<${mail.id}@kelisim>`,
        ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
        ...(mail.unsubscribeUrl !== null && { headers: unsubscribing(mail.unsubscribeUrl) }),
      },
      () => mark({ id: mail.id, attempts: mail.attempts }),
    )
    const state = stateAfter(result, isLast)
    await settle({ id: mail.id, attempts: mail.attempts, state, code: result.code, answer: result.answer })
    if (result.outcome === 'again') throw new Error(withoutAddresses(result.answer))
  }
}

/** RFC 8058: mail programs show their own unsubscribe button that works with one click. */
function unsubscribing(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function stateAfter({ outcome }: SendResult, isLast: boolean): SettledMail['state'] {
  if (outcome === 'accepted') return 'sent'
  if (outcome === 'again') return isLast ? 'failed' : 'queued'
  return outcome
}
