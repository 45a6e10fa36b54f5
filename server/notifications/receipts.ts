/**
 * Records in the history of requests to whom the news of their turn was delivered. Receipts follow the responses of
 * the mail server, so neither an act nor an e-mail waits for them. Events and notices are saved in one transaction
 * that locks the request: a process that dies has written either both or nothing, and of two concurrent processes the
 * second finds nothing left.
 */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { newReceipts, receiptType, type Receipt } from '@kelisim/domain/requests/receipts/receipt.ts'
import { findReceipts } from '../requests/core/queries/events.ts'
import { recordEvents } from '../requests/core/saving.ts'
import { lockedRequest } from '../requests/core/state.ts'
import {
  findRequestsWithReceipts,
  findSettledNotices,
  forgetAwaited,
  inboxModes,
  saveReceipts,
} from './queries/receipts.ts'

/** How many requests are looked up at once. */
const batch = 200
/** Longer than an e-mail is retried at any mail server. */
const awaitedFor = 30 * day

/** Goes on with the other requests if one fails; the next run tries the failed one again. */
export async function writeReceipts({
  database,
  clock,
}: {
  database: Database
  clock: () => Date
}): Promise<void> {
  const failures: unknown[] = []
  for (let after = emptyId; ;) {
    const ids = await findRequestsWithReceipts(database.db, { after, limit: batch })
    for (const id of ids) {
      try {
        await database.write((tx) => writeReceiptsOf(tx, id, clock()))
      } catch (error) {
        failures.push(error)
      }
    }
    if (ids.length < batch) break
    after = ids.at(-1)!
  }
  await database.write((tx) => forgetAwaited(tx, new Date(Number(clock()) - awaitedFor)))
  if (failures.length > 0) throw new AggregateError(failures, 'receipts of some requests were not written')
}

export async function writeReceiptsOf(tx: Tx, requestId: string, now: Date): Promise<void> {
  const loaded = await lockedRequest(tx, requestId)
  if (!loaded) return
  const { row } = loaded
  const notices = await findSettledNotices(tx, requestId)
  const settled = notices.flatMap((notice) => {
    const isByEmail = notice.userId === null || !inboxModes.includes(notice.mode)
    const type = receiptType(isByEmail, notice.state)
    return type === null ? [] : [{ ...notice, isByEmail, type }]
  })
  const found = settled.flatMap(({ pointId, attempt, isCurrent, organizationId, ...notice }) => {
    const isOver = !isCurrent || (attempt > 0 && attempt !== row.attempt)
    if (pointId === null || isOver) return []
    // The acknowledgement sheet tells which of hundreds of people confirmed, so the history of a campaign has only
    // what was not delivered.
    const isAudience = loaded.signing.some((point) => point.pointId === pointId && point.isAudience === true)
    if (isAudience && notice.type === 'delivered') return []
    const isOfColleague = organizationId === row.organizationId
    const receipt: Receipt = {
      by: notice.isByEmail ? 'email' : 'here',
      at: notice.at.toISOString(),
      ...(isOfColleague && { to: notice.fullName ?? '' }),
    }
    return [{ type: notice.type, attempt, pointId, isOfColleague, receipt }]
  })
  const known = await findReceipts(tx, requestId)
  const events = newReceipts(known, found).map(({ type, attempt, pointId, receipt }) => ({
    type,
    process: attempt === 0 ? ('signing' as const) : ('terminating' as const),
    pointId,
    receipt,
  }))
  await recordEvents(tx, loaded, events, { actor: null, address: null, comment: '' }, now)
  await saveReceipts(tx, settled)
}
