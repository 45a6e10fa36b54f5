/** Addresses whose owners want no e-mails of one sender, or of anybody they do not know, and the links by which they say so. */
import { createHash } from 'node:crypto'
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { stopPath } from '@kelisim/domain/mail/stop-contract.ts'
import { findStoppedRows } from './stranger-queries.ts'
import type { SignedLinks } from './signed-links.ts'

/** The hash of an address without its plus tag, because every tag leads to the same mailbox. */
export function addressHash(email: string): Buffer {
  const mailbox = email
    .trim()
    .toLowerCase()
    .replace(/(?<=[^@])\+[^@]*(?=@)/, '')
  return createHash('sha256').update(mailbox).digest()
}

/** Which of these addresses want no e-mails of the organisation. */
export async function findStopped(
  db: Db,
  emails: readonly string[],
  organizationId: string,
): Promise<Set<string>> {
  const stopped = await findStoppedRows(db, emails.map(addressHash), organizationId)
  return new Set(emails.filter((email) => stopped.some((row) => row.addressHash.equals(addressHash(email)))))
}

export async function isStopped(db: Db, email: string, organizationId: string): Promise<boolean> {
  return (await findStopped(db, [email], organizationId)).size > 0
}

export async function refuseStopped(db: Db, email: string, organizationId: string): Promise<void> {
  if (await isStopped(db, email, organizationId)) refuse('address-refuses-emails', { email })
}

/** The link in an e-mail to a stranger. */
export function stopAddress(
  email: string,
  organizationId: string,
  { publicUrl, signedLinks }: { publicUrl: URL; signedLinks: SignedLinks },
): string {
  const token = signedLinks.stopTokenOf({ addressHash: addressHash(email), organizationId })
  return new URL(stopPath(token), publicUrl).href
}
