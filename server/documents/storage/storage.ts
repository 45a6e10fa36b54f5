/**
 * Stores the bytes of documents in a folder or in an S3-compatible service. A file is first received into a temporary file,
 * hashed and measured; it is stored after it was checked, and never changes.
 */
import type { Received } from './receive.ts'

export type Storage = {
  /** The folder of temporary files. */
  incoming: string
  /** Moves a received file to its final place. */
  keep: (key: string, received: Received) => Promise<void>
  /** The bytes as a local file that the caller must release; null if there is no such file. */
  borrow: (key: string) => Promise<Borrowed | null>
  exists: (key: string) => Promise<boolean>
  remove: (key: string) => Promise<void>
  /** Whether there are no files. */
  isEmpty: () => Promise<boolean>
  /** Null if unknown. */
  freeBytes: () => Promise<number | null>
}

export type Borrowed = { path: string; release: () => Promise<void> }

/** The storage failed; the operation can be retried. */
export class StorageError extends Error {}

/** The storage denies access. */
export class StorageDeniedError extends StorageError {}

/** Spread over folders by the random end of the id, so that none grows too large. */
export function keyOf(organizationId: string, fileId: string): string {
  return `${organizationId}/${fileId.slice(-2)}/${fileId}`
}
