/** What happens after a commit: the log, notifications, e-mails, timestamps and requested files. */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '@kelisim/db/db.ts'
import type { Queues } from '@kelisim/server/app-parts.ts'
import type { Archive } from '@kelisim/server/documents/upload.ts'
import type { Queue } from '@kelisim/server/jobs/queue.ts'
import type { Mailer } from '@kelisim/server/mail/outbox.ts'
import {
  startNotifying,
  deliverEvents,
  deliverNext,
  type NotificationDependencies,
} from '@kelisim/server/notifications/delivery.ts'
import type { WebhookCaller } from '@kelisim/server/integration/webhooks/caller.ts'
import { startWebhooks } from '@kelisim/server/integration/webhooks/delivery.ts'
import { inviteQueued } from '@kelisim/server/member-import/inviting.ts'
import { stampSignature } from '@kelisim/server/outputs/core/durable-stamping.ts'
import { makersOf } from '@kelisim/server/outputs/makers.ts'
import { makeOutput } from '@kelisim/server/outputs/making.ts'
import type { Revisions } from '@kelisim/server/requests/signed-pdf/revisions.ts'
import type { Printing } from '@kelisim/server/outputs/printable/printing.ts'
import type { Reports } from '@kelisim/server/outputs/report/reports.ts'
import { settleRequestsOf } from '@kelisim/server/requests/judging/settling.ts'
import type { Witnessing } from '@kelisim/server/transparency/witnesses.ts'
import { openSequencer } from '@kelisim/server/transparency/sequencing.ts'
import { openTextReader, startReadingTexts } from '@kelisim/server/search/texts/reading.ts'
import { findRecogniser } from '@kelisim/server/search/texts/recognise.ts'
import type { ProductSignatures } from './signatures.ts'

type JobsParts = {
  database: Database
  archive: Archive
  mailer: Mailer
  signatures: ProductSignatures | undefined
  printing: Printing
  revisions: Revisions
  reports: Reports
  logKey: KeyObject
  logOrigin: string | undefined
  witnessing: Witnessing
  notifying: NotificationDependencies
  webhookCaller: WebhookCaller
  log: Logger
}

/** `hasTimestamps`: a timestamp service is configured, so signatures without a timestamp get one. */
export function queuesOf(queue: Queue, mailer: Mailer, hasTimestamps: boolean): Queues {
  return {
    queueMail: mailer.queueMail,
    queueSettling: async (tx, groupIds) => {
      for (const groupId of groupIds) await queue.add(tx, 'settle-requests', { groupId })
    },
    ...(hasTimestamps && {
      queueStamping: (tx, signatureId) => queue.add(tx, 'stamp-signature', { signatureId }),
    }),
    queueOutput: (tx, outputId, place) => queue.add(tx, 'make-output', { outputId }, place),
    queueImport: (tx, importId) => queue.add(tx, 'invite-members', { importId }),
  }
}

/** Notifies people of the oldest event that they have not been notified of; false: there is none. */
export function notifyOfNextEvent(
  queue: Queue,
  notifying: NotificationDependencies,
  log: Logger,
): Promise<boolean> {
  return deliverNext(notifying, (tx, untold) => queue.add(tx, 'tell-events', untold), warnIn(log))
}

/** Runs until `stop` is called; the queue retries what fails. */
export async function startJobs(queue: Queue, parts: JobsParts): Promise<{ stop: () => Promise<void> }> {
  const {
    database,
    archive,
    signatures,
    printing,
    revisions,
    reports,
    logKey,
    logOrigin,
    witnessing,
    notifying,
    log,
  } = parts
  const { clock, publicUrl } = notifying
  await parts.mailer.startDelivery()
  await queue.run('tell-events', (untold) => database.write((tx) => deliverEvents(tx, untold, notifying)))
  const notifier = startNotifying(() => notifyOfNextEvent(queue, notifying, log), { onError: warnIn(log) })
  await queue.run('settle-requests', ({ groupId }) => settleRequestsOf(groupId, database, clock))
  const { storage } = archive
  if (signatures) {
    const { check, askTimestamp } = signatures
    const stamping = { database, storage, check, askTimestamp, clock }
    // Most of its time is spent waiting for the timestamp service.
    await queue.run('stamp-signature', ({ signatureId }) => stampSignature(stamping, signatureId), {
      concurrency: 4,
    })
  }
  const makers = makersOf({
    database,
    printing,
    revisions,
    reports,
    logKey,
    logOrigin,
    witnessing,
    publicUrl,
  })
  const onFailure = (error: unknown) =>
    log.warn({ err: error }, 'a file that was asked for could not be made of a request')
  const making = { database, storage, makers, clock, onFailure }
  // One at a time in each process: each may take a core and much memory.
  await queue.run('make-output', ({ outputId }, attempt) => makeOutput(making, outputId, attempt), {
    batch: 1,
  })
  await queue.run('invite-members', ({ importId }) => inviteQueued(notifying, importId))
  const texts = startReadingTexts({
    database,
    storage,
    reader: openTextReader(),
    recogniser: await findRecogniser(),
    clock,
    onError: (error) => log.warn({ err: error }, 'the text of a document could not be read for now'),
  })
  const webhooks = startWebhooks(
    { ...notifying, caller: parts.webhookCaller },
    { onError: (error) => log.warn({ err: error }, 'a program could not be called for now') },
  )
  const sequencer = openSequencer(database, {
    onError: (error) => log.warn({ err: error }, 'the transparency log could not be appended to for now'),
  })
  return {
    async stop() {
      await Promise.all([notifier.stop(), texts.stop(), webhooks.stop(), sequencer.stop()])
    },
  }
}

function warnIn(log: Logger): (error: unknown) => void {
  return (error) => log.warn({ err: error }, 'somebody could not be notified for now')
}
