/** Addresses whose owners want no e-mails about documents that people without an account send. */
import { createHash } from 'node:crypto'
import type { Db } from '@kelisim/db/db.ts'
import { findStoppedHashes } from './queries/stopped-emails.ts'

/** Without a tag after a plus, which leads to the same mailbox. */
export function addressHash(email: string): Buffer {
  const mailbox = email
    .trim()
    .toLowerCase()
    .replace(/(?<=[^@])\+[^@]*(?=@)/, '')
  return createHash('sha256').update(mailbox).digest()
}

/** Which of these addresses are among them. */
export async function findStopped(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const stopped = await findStoppedHashes(db, emails.map(addressHash))
  return new Set(emails.filter((email) => stopped.some((hash) => hash.equals(addressHash(email)))))
}
