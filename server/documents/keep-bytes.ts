/** Files that the server generates: stored like uploads, but not documents of anybody. */
import { Readable } from 'node:stream'
import { newId } from '@kelisim/db/id.ts'
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

/** For a file that no row refers to. */
export function discardBytes(storage: Storage, { id, organizationId }: KeptFile): Promise<void> {
  return storage.remove(keyOf(organizationId, id))
}
