/** The archive: its signatures, their timestamps, and what has to be renewed. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'

/**
 * Signatures that are not archived yet, accepted before `before`, with a timestamp or accepted before
 * `withoutTimestampBefore`; the oldest first.
 */
export async function findUnarchived(
  db: Db,
  { before, withoutTimestampBefore }: { before: Date; withoutTimestampBefore: Date },
  except: readonly string[],
  limit: number,
): Promise<{ id: string; requestId: string }[]> {
  return db
    .selectFrom('requestSignatures as s')
    .leftJoin('archivedSignatures as a', 'a.signatureId', 's.id')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select(['s.id', 's.requestId'])
    .where('s.state', '=', 'accepted')
    .where('s.checkedAt', '<', before)
    .where((eb) =>
      eb.or([
        eb('t.signatureId', 'is not', null),
        eb(sql`s.evidence->>'timestampTime'`, 'is not', null),
        eb('s.checkedAt', '<', withoutTimestampBefore),
      ]),
    )
    .where('a.signatureId', 'is', null)
    .where(sql<boolean>`s.id <> all (${[...except]}::uuid[])`)
    .orderBy('s.checkedAt')
    .orderBy('s.id')
    .limit(limit)
    .execute()
}

/** If the chore runs twice, the first row stays. */
export async function addArchived(
  tx: Tx,
  rows: readonly { signatureId: string; cms: Uint8Array }[],
  archivedAt: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('archivedSignatures')
    .values(rows.map(({ signatureId, cms }) => ({ signatureId, cms: Buffer.from(cms), archivedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type ArchivedFile = Awaited<ReturnType<typeof findUnproved>>[number]

/**
 * Archived signatures that are under no timestamp yet. The database computes the hashes, so that no signature has to
 * be sent.
 */
export function findUnproved(db: Db, except: readonly string[], limit: number) {
  return archived(db, except)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('archiveProofs as p')
            .select('p.chain')
            .whereRef('p.signatureId', '=', 'a.signatureId'),
        ),
      ),
    )
    .limit(limit)
    .execute()
}

/** Signatures that have proofs, but none by this hash. */
export function findProvedByOther(db: Db, hash: HashName, except: readonly string[], limit: number) {
  return (
    archived(db, except)
      .where((where) =>
        where.exists(
          where
            .selectFrom('archiveProofs as p')
            .select('p.chain')
            .whereRef('p.signatureId', '=', 'a.signatureId'),
        ),
      )
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('archiveProofs as p')
              .innerJoin('archiveTimestamps as t', 't.id', 'p.timestampId')
              .select('p.chain')
              .whereRef('p.signatureId', '=', 'a.signatureId')
              .where('t.hash', '=', hash),
          ),
        ),
      )
      // A destroyed document cannot be hashed again: its proof stays as it is.
      .where('f.destroyedAt', 'is', null)
      .limit(limit)
      .execute()
  )
}

function archived(db: Db, except: readonly string[]) {
  return db
    .selectFrom('archivedSignatures as a')
    .innerJoin('requestSignatures as s', 's.id', 'a.signatureId')
    .innerJoin('files as f', 'f.id', 's.fileId')
    .select(['a.signatureId', 'f.id as fileId', 'f.organizationId', 'f.sha256', 'f.size'])
    .select(sql<Buffer>`sha256(a.cms)`.as('cmsSha256'))
    .$if(except.length > 0, (query) => query.where('a.signatureId', 'not in', except))
    .orderBy('a.archivedAt')
    .orderBy('a.signatureId')
}

export async function findArchivedCms(db: Db, signatureId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('archivedSignatures')
    .select('cms')
    .where('signatureId', '=', signatureId)
    .executeTakeFirst()
  return row?.cms ?? null
}

export type NewArchiveTimestamp = {
  id: string
  hash: HashName
  token: Uint8Array
  time: Date
  endsAt: Date
  service: string
}

export async function addArchiveTimestamp(tx: Tx, { token, ...row }: NewArchiveTimestamp): Promise<void> {
  await tx
    .insertInto('archiveTimestamps')
    .values({ ...row, token: Buffer.from(token) })
    .execute()
}

export type NewProof = { signatureId: string; chain: number; digests: Uint8Array; siblings: Uint8Array }

/** In portions, because a statement takes a limited number of values. */
export async function addProofs(tx: Tx, timestampId: string, proofs: readonly NewProof[]): Promise<void> {
  for (let from = 0; from < proofs.length; from += 1000) {
    const rows = proofs.slice(from, from + 1000).map(({ signatureId, chain, digests, siblings }) => ({
      signatureId,
      chain,
      timestampId,
      digests: Buffer.from(digests),
      siblings: Buffer.from(siblings),
    }))
    await tx.insertInto('archiveProofs').values(rows).execute()
  }
}

/** Timestamps with this hash that are not renewed yet and end before that time. */
export function findEnding(db: Db, hash: HashName, before: Date, limit: number) {
  return db
    .selectFrom('archiveTimestamps as t')
    .leftJoin('archiveRenewals as r', 'r.timestampId', 't.id')
    .select(['t.id', 't.token', 't.endsAt'])
    .where('r.timestampId', 'is', null)
    .where('t.hash', '=', hash)
    .where('t.endsAt', '<', before)
    .orderBy('t.time')
    .limit(limit)
    .execute()
}

export async function addRenewals(
  tx: Tx,
  renewedBy: string,
  renewals: readonly { timestampId: string; siblings: Uint8Array }[],
): Promise<void> {
  await tx
    .insertInto('archiveRenewals')
    .values(
      renewals.map(({ timestampId, siblings }) => ({
        timestampId,
        renewedBy,
        siblings: Buffer.from(siblings),
      })),
    )
    .execute()
}

export function findProofs(db: Db, signatureId: string) {
  return db
    .selectFrom('archiveProofs')
    .select(['timestampId', 'digests', 'siblings'])
    .where('signatureId', '=', signatureId)
    .orderBy('chain')
    .execute()
}

/**
 * A timestamp and those that renewed it, the oldest first, each with the hashes that lead from the previous one up to
 * its root.
 */
export async function findTimestampLine(db: Db, timestampId: string) {
  const { rows } = await sql<{
    hash: HashName
    token: Buffer
    endsAt: Date
    siblings: Buffer | null
  }>`
    with recursive line (id, number, siblings) as (
      select ${timestampId}::uuid, 0, null::bytea
      union all
      select r.renewed_by, number + 1, r.siblings from line join archive_renewals r on r.timestamp_id = line.id
    )
    select t.hash, t.token, t.ends_at as "endsAt", line.siblings
    from line join archive_timestamps t on t.id = line.id
    order by line.number
  `.execute(db)
  return rows
}

export type ArchiveState = Awaited<ReturnType<typeof findArchiveState>>

/** The whole archive at a glance, for the operator. */
export async function findArchiveState(db: Db) {
  const { rows } = await sql<{
    archived: number
    waiting: number
    unproved: number
    /** When the oldest signature that no timestamp covers was accepted; null: there is none. */
    waitingSince: Date | null
    timestamps: number
    newest: Date | null
    endsAt: Date | null
    hash: string | null
    service: string | null
  }>`
    select
      (select count(*)::int from archived_signatures) as archived,
      (select count(*)::int from request_signatures s where s.state = 'accepted'
        and not exists (select from archived_signatures a where a.signature_id = s.id)) as waiting,
      (select count(*)::int from archived_signatures a
        where not exists (select from archive_proofs p where p.signature_id = a.signature_id)) as unproved,
      (select min(s.checked_at) from request_signatures s where s.state = 'accepted'
        and not exists (select from archive_proofs p where p.signature_id = s.id)) as "waitingSince",
      (select count(*)::int from archive_timestamps) as timestamps,
      (select max(time) from archive_timestamps) as newest,
      (select min(ends_at) from archive_timestamps t
        where not exists (select from archive_renewals r where r.timestamp_id = t.id)) as "endsAt",
      (select hash from archive_timestamps order by time desc limit 1) as hash,
      (select service from archive_timestamps order by time desc limit 1) as service
  `.execute(db)
  return rows[0]!
}

/** The end of the weakest proof of a request; null: not all of its accepted signatures are proved yet. */
export async function findProofEnd(db: Db, requestId: string): Promise<Date | null> {
  const { rows } = await sql<{ endsAt: Date | null; isWhole: boolean | null }>`
    with recursive line (signature, id, number) as (
      select * from (
        select distinct on (p.signature_id) p.signature_id, p.timestamp_id, 0
        from archive_proofs p join request_signatures s on s.id = p.signature_id
        where s.request_id = ${requestId} and s.state = 'accepted'
        order by p.signature_id, p.chain desc
      ) newest
      union all
      select signature, r.renewed_by, number + 1 from line join archive_renewals r on r.timestamp_id = line.id
    ), ends as (
      select distinct on (signature) t.ends_at from line join archive_timestamps t on t.id = line.id
      order by signature, number desc
    )
    select min(ends_at) as "endsAt",
      count(*) = (select count(*) from request_signatures where request_id = ${requestId} and state = 'accepted') as "isWhole"
    from ends
  `.execute(db)
  const { endsAt, isWhole } = rows[0]!
  return isWhole ? endsAt : null
}
