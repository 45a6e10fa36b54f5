/** Files that we make ourselves: kept like those that come, without anybody's document around them. */
import { Readable } from 'node:stream'
import { newId } from '@kelisim/db/id.ts'
import type { Tx } from '@kelisim/db/db.ts'
import { receive } from './storage/receive.ts'
import { keyOf, type Storage } from './storage/storage.ts'
import { reached, type KeptFile } from './storage/verified.ts'

/** In the storage, not yet in the database: `addFile` follows in the transaction that rests on it. */
export function keepBytes(storage: Storage, organizationId: string, bytes: Buffer): Promise<KeptFile> {
  return keepStream(storage, organizationId, Readable.from([bytes]), bytes.length)
}

export async function keepStream(
  storage: Storage,
  organizationId: string,
  stream: Readable,
  size: number,
): Promise<KeptFile> {
  const received = await receive(stream, storage.incoming, size)
  try {
    const id = newId()
    await reached(storage.keep(keyOf(organizationId, id), received))
    return { id, organizationId, sha256: received.sha256, size: received.size }
  } finally {
    await received.discard()
  }
}

export async function addFile(tx: Tx, file: KeptFile, now: Date): Promise<void> {
  await tx
    .insertInto('files')
    .values({ ...file, createdAt: now, releasedAt: null })
    .execute()
}

/** What came of it failed: nothing refers to it. */
export function discardBytes(storage: Storage, { id, organizationId }: KeptFile): Promise<void> {
  return storage.remove(keyOf(organizationId, id))
}
