/** Signatures of requests: storing, taking them for judging, and settling them. */
import { sql, type ExpressionBuilder, type Insertable, type Updateable } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { SignatureUse } from '@kelisim/domain/signatures/reuse.ts'
import { keptDigests } from '../../documents/digest-queries.ts'
import { currentPointStatuses, pointStatusNumbers } from '@kelisim/domain/requests/status.ts'

export async function addSignature(tx: Tx, row: Insertable<Schema['requestSignatures']>): Promise<void> {
  await tx.insertInto('requestSignatures').values(row).execute()
}

export type UnjudgedSignature = NonNullable<Awaited<ReturnType<typeof findUnjudgedSignature>>>

/** The signature with the document it covers and the point it belongs to; undefined if it is already judged. */
export function findUnjudgedSignature(db: Db, signatureId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('requestPoints as p', (join) =>
      join
        .onRef('p.requestId', '=', 's.requestId')
        .onRef('p.attempt', '=', 's.attempt')
        .onRef('p.pointId', '=', 's.pointId'),
    )
    .innerJoin('files as f', 'f.id', 's.fileId')
    .innerJoin('signingRequests as r', 'r.id', 's.requestId')
    .select([
      's.id',
      's.requestId',
      'r.version',
      's.attempt',
      's.pointId',
      's.actor',
      's.comment',
      's.cms',
      's.timestampedCms',
      's.receivedAt',
    ])
    .select([
      's.tries',
      's.fileId',
      's.gapFrom',
      's.gapTo',
      'f.organizationId',
      'f.sha256',
      'f.size',
      'p.type',
      'p.bin',
    ])
    .select(['p.keyHolder', 'p.keyHolderIin', keptDigests.as('digests')])
    .where('s.id', '=', signatureId)
    .where('s.state', '=', 'checking')
    .modifyEnd(byKey)
    .executeTakeFirst()
}

/**
 * Takes a due signature that no other process is judging, and reserves it until `leaseEnd`. A time after `latest` is
 * later than any that is set by a right clock, so the signature is due too.
 */
export async function takeDueSignature(
  tx: Tx,
  { now, leaseEnd, latest }: { now: Date; leaseEnd: Date; latest: Date },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update request_signatures set next_try_at = ${leaseEnd}
    where id = (
      select id from request_signatures where state = 'checking'
        and (next_try_at <= ${now} or next_try_at > ${latest})
      order by next_try_at limit 1 for update skip locked)
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** False: another process has judged it in the meantime. */
export async function updateUnjudgedSignature(
  tx: Tx,
  signatureId: string,
  {
    valueDigests,
    ...changes
  }: Omit<Updateable<Schema['requestSignatures']>, 'valueDigests'> & { valueDigests?: readonly string[] },
): Promise<boolean> {
  const updated = await tx
    .updateTable('requestSignatures')
    .set({ ...changes, ...(valueDigests && { valueDigests: sql`${valueDigests}::text[]` }) })
    .where('id', '=', signatureId)
    .where('state', '=', 'checking')
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Two transactions with the same signature value run one after the other. */
export async function lockSignatureValues(tx: Tx, values: readonly string[]): Promise<void> {
  for (const value of values.toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`signature ${value}`}, 0))`.execute(tx)
  }
}

/**
 * Where one of these signature values was accepted, including this request: a substitute signs at one point for
 * several.
 */
export function findAcceptedUses(db: Db, values: readonly string[]): Promise<SignatureUse[]> {
  return db
    .selectFrom('requestSignatures')
    .select(['requestId', 'actorId', 'receivedAt'])
    .where(sql<boolean>`value_digests && ${values}::text[]`)
    .where('state', '=', 'accepted')
    .execute()
}

/** False for a signer without an account, who has no row in `users`. */
export async function isUser(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Whether this signature value was received here before, or the same CMS is being checked. */
export async function isSignatureKnown(
  db: Db,
  { actDigest, cms }: { actDigest: string; cms: Buffer },
): Promise<boolean> {
  const known = await db
    .selectFrom('requestSignatures')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('valueDigests', '@>', eb.val([actDigest])),
        eb.and([eb('state', '=', 'checking'), eb('cms', '=', cms)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return known !== undefined
}

export async function saveValueDigests(
  tx: Tx,
  signatureId: string,
  digests: readonly string[],
): Promise<void> {
  await tx
    .updateTable('requestSignatures')
    .set({ valueDigests: sql`${digests}::text[]` })
    .where('id', '=', signatureId)
    .execute()
}

/**
 * What preceded a new signature of this person at this point: whether the same bytes were submitted in the same
 * request and not refused (a repeated call never gets here), and when the latest refused ones were received.
 */
export async function findEarlierSignatures(
  db: Db,
  at: { requestId: string; attempt: number; pointId: string; actorId: string },
  cms: Buffer,
  limit: number,
): Promise<{ isSubmitted: boolean; refusedAt: Date[] }> {
  const inRequest = (eb: ExpressionBuilder<Schema, never>) =>
    eb.selectFrom('requestSignatures').where('requestId', '=', at.requestId)
  const { isSubmitted, refusedAt } = await db
    .selectNoFrom((eb) => [
      eb
        .exists(inRequest(eb).select('id').where('state', '<>', 'refused').where('cms', '=', cms))
        .as('isSubmitted'),
      sql<Date[]>`array(${inRequest(eb)
        .select('receivedAt')
        .where('attempt', '=', at.attempt)
        .where('pointId', '=', at.pointId)
        .where('actorId', '=', at.actorId)
        .where('state', '=', 'refused')
        .orderBy('receivedAt', 'desc')
        .limit(limit)})`.as('refusedAt'),
    ])
    .executeTakeFirstOrThrow()
  return { isSubmitted: isSubmitted === true, refusedAt }
}

/** Requests whose current point waits for more than one participant of the group. */
export async function findRequestsWaitingForAll(db: Db, groupId: string): Promise<string[]> {
  const found = await db
    .selectFrom('requestPoints')
    .select('requestId')
    .distinct()
    .where('groupId', '=', groupId)
    .where((eb) => eb.or([eb('condition', '=', 'all'), eb('quorum', 'is not', null)]))
    .where('status', 'in', pointStatusNumbers(currentPointStatuses))
    .execute()
  return found.map(({ requestId }) => requestId)
}
