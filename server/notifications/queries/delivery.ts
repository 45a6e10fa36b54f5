/** Events that wait for their notifications (`untold_events`), and the notices made of them. */
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { NotificationMode } from '@kelisim/domain/options/options.ts'

export type PendingEvents = { requestId: string; firstNumber: number; lastNumber: number }

/**
 * Deletes the oldest pending row that no other process holds, and returns it. The choice is materialized so that it
 * is made once: made for each row of a join, it would find another row each time, and all of them would be deleted.
 */
export async function takePendingEvents(tx: Tx): Promise<PendingEvents | undefined> {
  const { rows } = await sql<PendingEvents>`
    with next as materialized (
      select request_id, first_number from untold_events order by at, request_id, first_number
      limit 1 for update skip locked)
    delete from untold_events u using next
    where u.request_id = next.request_id and u.first_number = next.first_number
    returning u.request_id as "requestId", u.first_number as "firstNumber", u.last_number as "lastNumber"`.execute(
    tx,
  )
  return rows[0]
}

/** False: another process has taken the row. */
export async function removePendingEvents(
  tx: Tx,
  { requestId, firstNumber }: PendingEvents,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('untoldEvents')
    .where('requestId', '=', requestId)
    .where('firstNumber', '=', firstNumber)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The events in their order, with the signer and comment of an accepted signature, and how a refused one was judged. */
export function findEventsOf(db: Db, { requestId, firstNumber, lastNumber }: PendingEvents) {
  return db
    .selectFrom('requestEvents as e')
    .leftJoin('requestSignatures as s', (join) =>
      join.on(sql<boolean>`s.id = (e.data ->> 'signatureId')::uuid and e.type = 'signature-accepted'`),
    )
    .select(['e.number', 'e.at', 'e.type', 'e.attempt', 'e.pointId', 'e.comment', 'e.actor', 'e.cause'])
    .leftJoin('requestSignatures as r', (join) =>
      join.on(sql<boolean>`r.id = (e.data ->> 'signatureId')::uuid and e.type = 'signature-refused'`),
    )
    .select(['s.actor as signer', 's.comment as signerComment'])
    .select(['r.actorId as refusedSignerId', 'r.receivedAt as refusedReceivedAt', 'r.tries as refusedTries'])
    .where('e.requestId', '=', requestId)
    .where('e.number', '>=', firstNumber)
    .where('e.number', '<=', lastNumber)
    .orderBy('e.number')
    .execute()
}

/** Adds notices; returns only those that were not added before. */
export function addNoticeRows(tx: Tx, rows: readonly Insertable<Schema['notices']>[]) {
  return tx
    .insertInto('notices')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['requestId', 'occasion', 'kind', 'recipient']).doNothing())
    .returning(['id', 'kind', 'mode', 'userId', 'organizationId', 'email', 'number', 'about'])
    .execute()
}

/** Serialises notifications about the documents of a package, so that the second one sees what the first has sent. */
export function lockPackage(tx: Tx, packageId: string) {
  return tx
    .selectFrom('packages')
    .select(['id', 'isTogether'])
    .where('id', '=', packageId)
    .forUpdate()
    .executeTakeFirst()
}

export function findMailedInPackage(
  db: Db,
  packageId: string,
  { exceptId, since, kinds }: { exceptId: string; since: Date; kinds: readonly string[] },
) {
  return db
    .selectFrom('notices as n')
    .innerJoin('signingRequests as r', 'r.id', 'n.requestId')
    .select(['n.recipient', 'n.kind'])
    .distinct()
    .where('r.packageId', '=', packageId)
    .where('r.id', '<>', exceptId)
    .where('n.kind', 'in', kinds)
    .where('n.mode', '=', 'at-once')
    .where('n.createdAt', '>=', since)
    .execute()
}

export async function saveMailOf(tx: Tx, noticeIds: readonly string[], mailId: string): Promise<void> {
  await tx.updateTable('notices').set({ mailId }).where('id', 'in', noticeIds).execute()
}

export type ChosenMode = { organizationId: string; userId: string; kind: string; mode: NotificationMode }

/** The notification modes that these people have chosen, in all their organisations. */
export function findChosenModes(db: Db, userIds: readonly string[]): Promise<ChosenMode[]> {
  if (userIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('notificationSettings')
    .select(['organizationId', 'userId', 'kind', 'mode'])
    .where('userId', 'in', userIds)
    .execute()
}
