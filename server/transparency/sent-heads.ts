/**
 * Sends the newest head of the log to receivers chosen by the operator: whoever has kept a head notices if the log is
 * rewritten later.
 */
import type { Database } from '@kelisim/db/db.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { OutboundFailure } from '../signatures/outbound/failure.ts'
import { serviceOf } from '../signatures/outbound/target.ts'
import { wholeNote, type Log } from './checkpoints.ts'
import { findHead } from './queries.ts'
import { postText, witnessHead, type Witnessing } from './witnesses.ts'

export type HeadReceivers = { emails: readonly string[]; url: URL | undefined }

type Heads = {
  database: Database
  clock: () => Date
  log: Log
  witnessing: Witnessing
  headsTo: HeadReceivers
}

/**
 * Posts the head to the address. Posting and mailing are separate chores, so that a head is not mailed again, or not
 * at all, because the address fails.
 */
export async function postHead({ database, clock, log, witnessing, headsTo }: Heads): Promise<void> {
  if (!headsTo.url) return
  await post(headsTo.url, wholeNote(await witnessHead(database, log, witnessing, clock())))
}

export async function mailHead(sending: Heads & { queueMail: QueueMail; publicUrl: URL }): Promise<void> {
  const { database, queueMail, publicUrl, clock, log, witnessing, headsTo } = sending
  if (headsTo.emails.length === 0) return
  const checkpoint = await witnessHead(database, log, witnessing, clock())
  const { size, root, at } = (await findHead(database.db, checkpoint.size))!
  // These are the operator's own mailboxes, with no account that would tell a language.
  const language = 'ru'
  const texts = textsOf(language, 'transparency')
  await database.write(async (tx) => {
    for (const to of headsTo.emails) {
      await queueMail(tx, {
        to,
        language,
        subject: texts('email.subject', { size }),
        paragraphs: [texts('email.text')],
        facts: [
          { label: texts('facts.size'), text: String(size) },
          { label: texts('facts.root'), text: root.toString('hex') },
          { label: texts('facts.at'), text: at.toISOString() },
        ],
        button: { label: texts('email.button'), url: new URL(pages.log, publicUrl).href },
      })
    }
  })
}

async function post(url: URL, note: string): Promise<void> {
  const { status } = await postText(url, note)
  if (status >= 300) throw new OutboundFailure('bad-answer', serviceOf(url), `status ${status}`)
}
