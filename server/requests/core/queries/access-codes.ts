/** Hashes of access codes, and the count of wrong ones. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { CodeKind, CodeTries } from '@kelisim/domain/requests/access-code.ts'

export type HashedCode = { kind: CodeKind; hash: Buffer }

/** Each printing makes new codes; the oldest ones of a request are deleted. */
const mostKept = 50

export async function addCodeHash(
  tx: Tx,
  requestId: string,
  { kind, hash }: HashedCode,
  now: Date,
): Promise<void> {
  await tx.insertInto('requestAccessCodes').values({ requestId, kind, hash, createdAt: now }).execute()
  await sql`delete from request_access_codes where request_id = ${requestId} and kind = ${kind} and hash not in (
    select hash from request_access_codes where request_id = ${requestId} and kind = ${kind}
    order by created_at desc limit ${mostKept})`.execute(tx)
}

/** Codes that were switched off open nothing again, whatever is switched on later. */
export async function removeCodes(tx: Tx, requestId: string, kind: CodeKind): Promise<void> {
  await tx
    .deleteFrom('requestAccessCodes')
    .where('requestId', '=', requestId)
    .where('kind', '=', kind)
    .execute()
}

export async function findCodeHashes(db: Db, requestId: string, kind: CodeKind): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('requestAccessCodes')
    .select('hash')
    .where('requestId', '=', requestId)
    .where('kind', '=', kind)
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Two at most: whoever asks needs to know only whether the code is ambiguous. */
export async function findRequestsByCode(db: Db, { kind, hash }: HashedCode): Promise<string[]> {
  const rows = await db
    .selectFrom('requestAccessCodes')
    .select('requestId')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .limit(2)
    .execute()
  return rows.map(({ requestId }) => requestId)
}

/** Tries from one source are counted one after another. */
export async function lockTries(tx: Tx, source: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${source}`}, 0))`.execute(tx)
}

export async function findTries(db: Db, sources: readonly string[]): Promise<Map<string, CodeTries>> {
  if (sources.length === 0) return new Map()
  const rows = await db.selectFrom('codeTries').selectAll().where('source', 'in', sources).execute()
  return new Map(rows.map(({ source, wrong, at }) => [source, { wrong, at }]))
}

export async function saveTries(tx: Tx, source: string, { wrong, at }: CodeTries): Promise<void> {
  await tx
    .insertInto('codeTries')
    .values({ source, wrong, at })
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ wrong, at }))
    .execute()
}

/** Rows that another transaction holds are left to a later call. */
export async function removeOldTries(tx: Tx, before: Date): Promise<void> {
  await sql`delete from code_tries where source in (
    select source from code_tries where at < ${before} for update skip locked limit 100)`.execute(tx)
}
