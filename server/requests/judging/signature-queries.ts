/** Signatures of requests, as they are stored. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'

/** Whether this act of a key was already received here, or the same CMS is being checked. */
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
