/** Signatures inside PDFs: which revision of the document is the newest. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { isOverNewest } from '../core/queries/signatures.ts'

export type InsideSignature = NonNullable<Awaited<ReturnType<typeof findNewestInside>>>

/** The newest signature inside the document that was not refused, with the bytes it covers; undefined: there is none. */
export async function findNewestInside(db: Db, requestId: string) {
  const found = await insideSignatures(db)
    .where('s.requestId', '=', requestId)
    .where('s.state', '<>', 'refused')
    .where(isOverNewest('s'))
    .orderBy('s.gapFrom', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found && withGap(found)
}

export async function findInside(db: Db, signatureId: string): Promise<InsideSignature | undefined> {
  const found = await insideSignatures(db).where('s.id', '=', signatureId).executeTakeFirst()
  return found && withGap(found)
}

/** The accepted signatures inside the document, in their order; of the newest document unless another is named. */
export async function findAcceptedInside(
  db: Db,
  requestId: string,
  revision?: number,
): Promise<InsideSignature[]> {
  const found = await insideSignatures(db)
    .where('s.requestId', '=', requestId)
    .where('s.state', '=', 'accepted')
    .where(revision === undefined ? isOverNewest('s') : sql<boolean>`s.revision = ${revision}`)
    .orderBy('s.gapFrom')
    .execute()
  return found.map(withGap)
}

function insideSignatures(db: Db) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('files as f', 'f.id', 's.fileId')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select(['s.id', 's.state', 's.gapFrom', 's.gapTo', 's.cms', 's.timestampedCms', 's.receivedAt'])
    .select(['f.id as fileId', 'f.organizationId', 'f.sha256', 'f.size', 'f.destroyedAt'])
    .select(['t.token', 't.keptAt as stampedAt'])
    .where('s.gapFrom', 'is not', null)
}

function withGap<R extends { gapFrom: number | null; gapTo: number | null }>({ gapFrom, gapTo, ...row }: R) {
  return { ...row, gap: { from: gapFrom!, to: gapTo! } }
}
