/** SQL of the digests of documents (decision 041). */
import { sql } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import { hashNames } from '@kelisim/signature/algorithms/hash.ts'
import type { KnownDigest } from '../signatures/check-job.ts'

/** The kept digests of the file `f` of a statement: hex by algorithm. */
export const keptDigests = sql<Record<string, string>>`(
  select coalesce(jsonb_object_agg(d.algorithm, encode(d.digest, 'hex')), '{}')
  from file_digests d where d.sha256 = f.sha256)`

/** The kept digests, and the SHA-256 itself. */
export function knownDigests(sha256: Buffer, kept: Readonly<Record<string, string>>): KnownDigest[] {
  const others = hashNames.filter((name) => name !== 'sha-256' && kept[name] !== undefined)
  return [
    { algorithm: 'sha-256', digest: sha256 },
    ...others.map((algorithm) => ({ algorithm, digest: Buffer.from(kept[algorithm]!, 'hex') })),
  ]
}

export async function saveDigests(tx: Tx, sha256: Buffer, digests: readonly KnownDigest[]): Promise<void> {
  const rows = digests.map(({ algorithm, digest }) => ({ sha256, algorithm, digest: Buffer.from(digest) }))
  if (rows.length === 0) return
  await tx
    .insertInto('fileDigests')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
