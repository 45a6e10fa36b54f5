/** Addresses whose people want no letters about documents that somebody without an account sends. Known by their hashes. */
import { createHash } from 'node:crypto'
import type { Db, Tx } from '@kelisim/db/db.ts'

/** A tag after a plus leads to the same letterbox: who stopped letters to it is not reached by one. */
export function addressHash(email: string): Buffer {
  const letterbox = email
    .trim()
    .toLowerCase()
    .replace(/(?<=[^@])\+[^@]*(?=@)/, '')
  return createHash('sha256').update(letterbox).digest()
}

/** Which of these are among them. */
export async function findStopped(db: Db, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const rows = await db
    .selectFrom('stoppedLetters')
    .select('addressHash')
    .where('addressHash', 'in', emails.map(addressHash))
    .execute()
  return new Set(emails.filter((email) => rows.some((row) => row.addressHash.equals(addressHash(email)))))
}

export async function stopLettersTo(tx: Tx, hash: Buffer, isOff: boolean, now: Date): Promise<void> {
  if (!isOff) {
    await tx.deleteFrom('stoppedLetters').where('addressHash', '=', hash).execute()
    return
  }
  await tx
    .insertInto('stoppedLetters')
    .values({ addressHash: hash, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
