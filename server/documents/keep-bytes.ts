/** Files that the server generates: stored like uploads, but not documents of anybody. */
import { Readable } from 'node:stream'
import { newId } from '@kelisim/db/id.ts'
import { Refusal } from '@kelisim/domain/errors.ts'
import { keyOf, type Storage } from './storage/storage.ts'
import { reached, type KeptFile } from './storage/verified.ts'

/** Only in the storage: `addFile` of queries.ts follows in the transaction that refers to it. */
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

/** For a file that no row refers to. */
export function discardBytes(storage: Storage, { id, organizationId }: StoredBytes): Promise<void> {
  return storage.remove(keyOf(organizationId, id))
}

/** Thrown in a transaction to undo it where there is nothing to refuse. */
export class NothingSaved extends Error {}

/** After a transaction that was to refer to the file has failed; bytes that cannot be removed now are swept a day later. */
export async function discardAfterRollback(
  storage: Storage,
  file: StoredBytes,
  error: unknown,
): Promise<void> {
  // Only these prove that nothing was saved; after a lost connection the commit may have succeeded.
  const isRolledBack = error instanceof Refusal || error instanceof NothingSaved
  if (isRolledBack) await discardBytes(storage, file).catch(() => {})
}
