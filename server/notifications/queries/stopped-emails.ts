/** Addresses that get no e-mails about documents sent without an account, stored as hashes. */
import type { Db, Tx } from '@kelisim/db/db.ts'

export async function findStoppedHashes(db: Db, hashes: readonly Buffer[]): Promise<Buffer[]> {
  if (hashes.length === 0) return []
  const rows = await db
    .selectFrom('stoppedLetters')
    .select('addressHash')
    .where('addressHash', 'in', hashes)
    .execute()
  return rows.map(({ addressHash }) => addressHash)
}

export async function saveStopped(tx: Tx, addressHash: Buffer, isOff: boolean, now: Date): Promise<void> {
  if (!isOff) {
    await tx.deleteFrom('stoppedLetters').where('addressHash', '=', addressHash).execute()
    return
  }
  await tx
    .insertInto('stoppedLetters')
    .values({ addressHash, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
