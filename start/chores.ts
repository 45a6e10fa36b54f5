/**
 * Scheduled work, done by one process at a time. A test ensures that no two of the daily and hourly chores begin in the
 * same minute; those that run more often may coincide with any.
 */
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { sweepDeletions } from '@kelisim/server/deletions/queries.ts'
import { sweepFindings } from '@kelisim/server/documents/check/queries.ts'
import type { Storage } from '@kelisim/server/documents/storage/storage.ts'
import { destroyOrdered } from '@kelisim/server/retention/destroy.ts'
import { sweepFiles } from '@kelisim/server/documents/sweep.ts'
import { sweepIdentity } from '@kelisim/server/identity/core/queries.ts'
import { sweepDeliveries } from '@kelisim/server/integration/webhooks/queries.ts'
import { sweepProgramCalls } from '@kelisim/server/http/programs/queries.ts'
import type { Queue } from '@kelisim/server/jobs/queue.ts'
import { sweepCaptchas } from '@kelisim/server/landing/queries.ts'
import { sweepTransactions } from '@kelisim/server/landing/tracking.ts'
import { sweepCounts } from '@kelisim/server/mail/stranger-queries.ts'
import { goOnWithImports } from '@kelisim/server/member-import/inviting.ts'
import { sweepImports } from '@kelisim/server/member-import/queries.ts'
import { sendDigests } from '@kelisim/server/notifications/digest.ts'
import { sendHeldEmails } from '@kelisim/server/notifications/held-emails.ts'
import { writeReceipts } from '@kelisim/server/notifications/receipts.ts'
import { sendDueReminders } from '@kelisim/server/notifications/reminders.ts'
import type { NotificationDependencies } from '@kelisim/server/notifications/delivery.ts'
import { sweepOrphans } from '@kelisim/server/operator/orphans.ts'
import { archiveChore, archiveNight } from '@kelisim/server/outputs/archive/archiving.ts'
import { sweepOutputs } from '@kelisim/server/outputs/sweep.ts'
import { watchDeadlines } from '@kelisim/server/requests/deadlines/deadlines.ts'
import { recheckSignatures } from '@kelisim/server/requests/judging/rechecks.ts'
import { sweepMobileSignings } from '@kelisim/server/requests/phone/phone-signings.ts'
import { mailNews } from '@kelisim/server/subscriptions/news.ts'
import type { Log } from '@kelisim/server/transparency/checkpoints.ts'
import { mailHead, postHead, type HeadReceivers } from '@kelisim/server/transparency/sent-heads.ts'
import { witnessHead, type Witnessing } from '@kelisim/server/transparency/witnesses.ts'
import { sweep as sweepSignIn } from '@kelisim/sign-in/sweep.ts'
import type { ProductSignatures } from './signatures.ts'
import { sweepActKeys } from '@kelisim/server/requests/core/queries/act-keys.ts'

type ChoresParts = {
  storage: Storage
  transparencyLog: Log
  witnessing: Witnessing
  headsTo: HeadReceivers
  signatures: ProductSignatures | undefined
  hasTimestamps: boolean
  hasOwnSignIn: boolean
  notifying: NotificationDependencies
}

export async function scheduleChores(queue: Queue, parts: ChoresParts): Promise<void> {
  const { storage, transparencyLog, witnessing, headsTo, signatures, hasOwnSignIn, notifying } = parts
  const { hasTimestamps } = parts
  const { database, clock } = notifying
  const { write } = database
  await queue.every('sweep-identity', '3 * * * *', () => write((tx) => sweepIdentity(tx, clock())))
  if (hasOwnSignIn) {
    await queue.every('sweep-sign-in', '8 * * * *', () => write((tx) => sweepSignIn(tx, clock())))
  }
  await queue.every('sweep-act-keys', '13 * * * *', () => write((tx) => sweepActKeys(tx, clock())))
  await queue.every('sweep-mobile-signings', '18 * * * *', () =>
    write((tx) => sweepMobileSignings(tx, clock())),
  )
  await queue.every('sweep-program-calls', '51 3 * * *', () => write((tx) => sweepProgramCalls(tx, clock())))
  await queue.every('sweep-webhook-log', '58 3 * * *', () => write((tx) => sweepDeliveries(tx, clock())))
  await queue.every('sweep-captchas', '33 * * * *', () => write((tx) => sweepCaptchas(tx, clock())))
  await queue.every('sweep-quick-sends', '38 * * * *', () => sweepTransactions(database, storage, clock()))
  await queue.every('sweep-outputs', '28 3 * * *', () => write((tx) => sweepOutputs(tx, clock())))
  await queue.every('sweep-findings', '43 3 * * *', () => write((tx) => sweepFindings(tx, clock())))
  await queue.every('sweep-deletions', '53 * * * *', () => write((tx) => sweepDeletions(tx, clock())))
  // The limits of e-mails begin anew at midnight.
  await queue.every('go-on-with-imports', '4 * * * *', () =>
    write((tx) => goOnWithImports(tx, (importId) => queue.add(tx, 'invite-members', { importId }), clock())),
  )
  await queue.every('sweep-imports', '36 3 * * *', () => write((tx) => sweepImports(tx, clock())))
  await queue.every('sweep-files', '23 * * * *', () => sweepFiles(database, storage, clock()))
  await queue.every('destroy-ordered', '6 * * * *', () => destroyOrdered(database, storage, clock()))
  // Once a day: it lists the whole storage.
  await queue.every('sweep-orphans', '43 4 * * *', () => sweepOrphans(database, storage, clock()))
  await queue.every('sign-log-head', '*/10 * * * *', async () => {
    await witnessHead(database, transparencyLog, witnessing, clock())
  })
  const heads = { ...notifying, log: transparencyLog, witnessing, headsTo }
  await queue.every('send-log-head', '20 8 * * *', () => postHead(heads))
  await queue.every('mail-log-head', '25 8 * * *', () => mailHead(heads))
  await queue.every('tell-subscription-turns', '30 8 * * *', () => mailNews(notifying))
  // A day begins at midnight in Almaty; the chore runs every hour, so that delayed work is soon caught up.
  await queue.every('watch-deadlines', '2 * * * *', () => watchDeadlines(notifying))
  await queue.every('write-receipts', '* * * * *', () => writeReceipts(notifying))
  await queue.every('remind-of-requests', '50 8 * * *', () => sendDueReminders(notifying))
  await queue.every('send-held-emails', '40 8 * * *', () => sendHeldEmails(notifying))
  await queue.every('sweep-mail-counts', '48 3 * * *', () =>
    write((tx) => sweepCounts(tx, dateInAlmaty(clock()))),
  )
  await queue.every('send-digests', '0 9 * * *', () => sendDigests(notifying))
  if (signatures) {
    const { check, takeTimestamp } = signatures
    await queue.every('recheck-signatures', '*/10 * * * *', () => recheckSignatures({ ...notifying, check }))
    if (takeTimestamp) {
      await queue.every(archiveChore, '11 2 * * *', () =>
        archiveNight({ database, storage, takeTimestamp, hasTimestamps, clock }),
      )
    }
  }
}
