/** Files that the server generates: stored like uploads, but nobody's documents. */
import { Readable } from 'node:stream'
import { newId } from '@kelisim/db/id.ts'
import { Refusal } from '@kelisim/domain/errors.ts'
import { keyOf, type Storage } from './storage/storage.ts'
import { reached, type KeptFile } from './storage/verified.ts'

/** Stores the bytes only; `addFile` of queries.ts follows in the transaction that refers to them. */
export function keepBytes(storage: Storage, organizationId: string, bytes: Buffer): Promise<KeptFile> {
  return keepStream(storage, organizationId, Readable.from([bytes]), bytes.length)
}

export async function keepStream(
  storage: Storage,
  organizationId: string,
  stream: Readable,
  size: number,
): Promise<KeptFile> {
  const received = await reached(storage.receive(stream, size))
  try {
    const id = newId()
    await reached(storage.keep(keyOf(organizationId, id), received))
    return { id, organizationId, sha256: received.sha256, size: received.size }
  } finally {
    await received.discard()
  }
}

type StoredBytes = Pick<KeptFile, 'id' | 'organizationId'>

/** Removes the bytes of a file that no row refers to. */
export function discardBytes(storage: Storage, { id, organizationId }: StoredBytes): Promise<void> {
  return storage.remove(keyOf(organizationId, id))
}

/** Thrown to roll back a transaction without a refusal. */
export class NothingSaved extends Error {}

/**
 * Removes the bytes after the transaction that was to refer to them has failed; bytes that cannot be removed now are
 * swept a day later.
 */
export async function discardAfterRollback(
  storage: Storage,
  file: StoredBytes,
  error: unknown,
): Promise<void> {
  // Only these errors prove that nothing was saved; after a lost connection the commit may have succeeded.
  const isRolledBack = error instanceof Refusal || error instanceof NothingSaved
  if (isRolledBack) await discardBytes(storage, file).catch(() => {})
}
