/** SQL of the digests of documents (decision 041). */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { hashNames } from '@kelisim/signature/algorithms/hash.ts'
import type { KnownDigest } from '../signatures/check-job.ts'

/** Of the bytes with this SHA-256, which is one of them. */
export async function findDigests(db: Db, sha256: Buffer): Promise<KnownDigest[]> {
  const rows = await db
    .selectFrom('fileDigests')
    .select(['algorithm', 'digest'])
    .where('sha256', '=', sha256)
    .execute()
  const kept = rows.flatMap(({ algorithm: name, digest }) => {
    const algorithm = hashNames.find((one) => one === name)
    return algorithm && algorithm !== 'sha-256' ? [{ algorithm, digest }] : []
  })
  return [{ algorithm: 'sha-256', digest: sha256 }, ...kept]
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
