/** What a signing report shows besides the request and its history. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'

/** The place of each event in the transparency log, by the number of the event. */
export async function findLogIndexes(db: Db, requestId: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('logEntries')
    .select(['number', 'index'])
    .where('requestId', '=', requestId)
    .execute()
  return new Map(rows.map(({ number, index }) => [number, index]))
}

/** SHA-256 of each signature, by its id. */
export async function findSignatureDigests(db: Db, requestId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('requestSignatures')
    .select('id')
    .select(sql<string>`encode(sha256(coalesce(timestamped_cms, cms)), 'hex')`.as('digest'))
    .where('requestId', '=', requestId)
    .execute()
  return Object.fromEntries(rows.map(({ id, digest }) => [id, digest]))
}
