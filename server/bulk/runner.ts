/**
 * Sends the rows of running bulk sendings, one after the other:
 *
 *   values of the row → PDF of the template → one transaction: document, request, number, "sent"
 *
 * A process that is killed leaves a row either sent or waiting. Its lease ends, and another process continues with
 * the next row.
 */
import { Readable } from 'node:stream'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { PlannedRow } from '@kelisim/domain/bulk/plan.ts'
import { second } from '@kelisim/domain/durations.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import { mayQuickSend } from '@kelisim/domain/identity/permissions.ts'
import { NothingSaved } from '../documents/keep-bytes.ts'
import type { DocumentRow } from '../documents/queries.ts'
import { upload, type Archive } from '../documents/upload.ts'
import { partyOf } from '../requests/core/party.ts'
import { getOrganization } from '../requests/core/queries/people.ts'
import { routeToSend } from '../requests/sending/sendable.ts'
import type { Sender } from '../requests/sending/sender.ts'
import { addRequest } from '../requests/sending/sending.ts'
import { quickPoints } from '../requests/sending/sent-points.ts'
import { keepWrittenText } from '../rich-text/queries.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import { refuseUsedUp, usageOf } from '../subscriptions/quota.ts'
import { plannedRows } from './planned.ts'
import {
  dropLease,
  findSender,
  findWaiting,
  finishBulk,
  getBulk,
  lockWaiting,
  renewLease,
  saveFailed,
  saveSent,
  takeBulk,
  type Bulk,
  type BulkRow,
} from './queries.ts'
import { startLoop, type Loop } from '../jobs/loop.ts'

export type RunnerParts = { database: Database; archive: Archive; richText: RichText; clock: () => Date }

export type BulkRunner = {
  /** Sends until nothing is left, it is paused, or the signal stops it; organisations take turns. */
  runDue: (until?: AbortSignal) => Promise<void>
}

/**
 * Much longer than sending one row takes, yet short enough for another process to continue soon after one was killed.
 */
const lease = 10 * second

/** After so many rows, bulk sendings of other organisations have their turn. */
const rowsInATurn = 20

/** Refusals that say "later": the row keeps waiting. */
const temporary: readonly string[] = [
  'files-queue-full',
  'own-files-queue-full',
  'service-unavailable',
  'file-storage-error',
]

export function openBulkRunner(parts: RunnerParts, mostRows = rowsInATurn): BulkRunner {
  const { database, clock } = parts
  const leaseEnd = () => new Date(clock().getTime() + lease)

  async function runOne(id: string, until: AbortSignal | undefined): Promise<void> {
    for (let sent = 0; ; sent++) {
      if (until?.aborted) return await database.write((tx) => dropLease(tx, id, null))
      if (sent === mostRows) return await database.write((tx) => dropLease(tx, id, clock()))
      if (!(await database.write((tx) => renewLease(tx, id, leaseEnd())))) return
      const row = await findWaiting(database.db, id)
      if (!row) return database.write((tx) => finishBulk(tx, id, clock()))
      await sendRow(parts, await getBulk(database.db, id), row)
    }
  }

  return {
    async runDue(until) {
      for (;;) {
        if (until?.aborted) return
        const id = await database.write((tx) => takeBulk(tx, clock(), leaseEnd()))
        if (id === null) return
        await runOne(id, until)
      }
    },
  }
}

/** Looks for running bulk sendings until `stop` is called, which waits for the current row. */
export function startBulkRunner(
  { runDue }: BulkRunner,
  { everyMs = second, onError }: { everyMs?: number; onError: (error: unknown) => void },
): Loop {
  return startLoop(runDue, { everyMs, onError })
}

/** Another process has sent the row, or sending was paused. */
class NotWaiting extends NothingSaved {}

async function sendRow(parts: RunnerParts, bulk: Bulk, row: BulkRow): Promise<void> {
  const { database } = parts
  try {
    await send(parts, bulk, row)
  } catch (error) {
    if (error instanceof NotWaiting) return
    if (!(error instanceof Refusal) || temporary.includes(error.alias)) throw error
    const { alias, parameters } = error
    await database.write((tx) => saveFailed(tx, row, { alias, parameters }))
  }
}

async function send(
  { database, archive, richText, clock }: RunnerParts,
  bulk: Bulk,
  row: BulkRow,
): Promise<void> {
  const { db } = database
  const now = clock()
  const { organizationId, authorId } = bulk
  const found = (await findSender(db, bulk)) ?? refuse('organization-not-yours')
  const member = { organizationId, ...found }
  const sender: Sender = { organizationId, userId: authorId, member }
  const [planned] = await plannedRows(db, bulk, [row], bulk.variables!, now, null)
  if (!planned || planned.problems.length > 0) refuse('bulk-rows-wrong')
  // Refused before the row is printed: the transaction counts the request only at its end, when the PDF is made
  // already.
  refuseUsedUp(await usageOf(db, { organizationId, userId: authorId }, now))
  const claimant = { organization: organizationId, person: authorId }
  const { html, pdf } = await richText.print(bulk.template!, planned.name, {
    mustBeFilled: true,
    claimant,
    values: planned.values,
  })
  const party = await partyOf(db, { userId: authorId, member }, now)
  const sendInTransaction = async (tx: Tx, document: DocumentRow) => {
    await keepWrittenText(tx, { documentId: document.id, organizationId, templateId: null, html })
    const { route, points, conditions } = await wayOf(tx, sender, bulk, planned, document.id, now)
    const organization = await getOrganization(tx, organizationId)
    const id = newId(now.getTime())
    await addRequest(
      tx,
      sender,
      party,
      {
        id,
        sender: {
          name: organization.shortName,
          bin: organization.bin,
          confirmedAt: organization.confirmedAt,
        },
        document,
        route,
        points,
        conditions,
        isQuick: bulk.plan!.way === 'quick',
        name: planned.name,
        description: '',
        signingDate: undefined,
        isTimestampRequired: false,
        language: bulk.language,
        additionalComponents: 0,
        accessCodeExpiresOn: null,
        classifierIds: [],
        kindId: bulk.plan!.kindId ?? undefined,
        address: bulk.address,
      },
      now,
    )
    await saveSent(tx, row, id)
  }
  await upload(
    archive,
    (work) =>
      database.write(async (tx) => {
        if (!(await lockWaiting(tx, row))) throw new NotWaiting()
        const document = await work(tx)
        await sendInTransaction(tx, document)
        return document
      }),
    {
      organizationId,
      authorId,
      documentId: undefined,
      name: `${planned.name}.pdf`,
      description: '',
      visibility: 'private',
      options: member.options,
      file: Readable.from([pdf]),
      size: pdf.length,
      now,
    },
  )
}

async function wayOf(
  tx: Tx,
  sender: Sender,
  { plan }: Bulk,
  { recipient, route }: PlannedRow,
  documentId: string,
  now: Date,
) {
  const { way, routeId, groupId, kindId } = plan!
  if (way === 'route') {
    return routeToSend(tx, sender, {
      routeId: route?.id ?? routeId ?? refuse('route-not-found'),
      documentId,
      kindId: kindId ?? undefined,
    })
  }
  if (!mayQuickSend(sender.member.roles, sender.member.options)) refuse('quick-send-not-allowed')
  const organization = await getOrganization(tx, sender.organizationId)
  const points = await quickPoints(
    tx,
    { ...sender, ...organization },
    { ...recipient!, groupId: groupId ?? undefined, isForInformation: false },
    now,
  )
  return { route: { id: null, name: '' }, points, conditions: null }
}
