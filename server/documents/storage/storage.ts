/**
 * Stores the bytes of documents in a folder or in an S3-compatible service. A file is first received into a temporary file,
 * hashed and measured; it is stored after it was checked, and never changes.
 */
import type { Readable } from 'node:stream'
import type { Received, ReceiveOptions } from './receive.ts'

export { StorageDeniedError, StorageError } from './storage-error.ts'

export type Storage = BareStorage & {
  /** Since the process started: how many operations failed, and whether writing is failing now. */
  failures: () => StorageFailures
  /** Writes a trial file; fails as storing a document would. */
  check: () => Promise<void>
}

export type StorageFailures = { count: number; isFailing: boolean }

/** A storage whose failures are not counted; see watched.ts. */
export type BareStorage = {
  /** The folder of temporary files. */
  incoming: string
  /** Writes a stream to a temporary file; a stream longer than the limit is `TooLarge`. */
  receive: (stream: Readable, limit: number, options?: ReceiveOptions) => Promise<Received>
  /** Moves a received file to its final place. */
  keep: (key: string, received: Received) => Promise<void>
  /** The bytes as a local file that the caller must release; null if there is no such file. */
  borrow: (key: string) => Promise<Borrowed | null>
  exists: (key: string) => Promise<boolean>
  remove: (key: string) => Promise<void>
  /** Every stored file, in any order. */
  list: () => AsyncIterable<StoredFile>
  /** Whether there are no files. */
  isEmpty: () => Promise<boolean>
  /** Null if unknown. */
  freeBytes: () => Promise<number | null>
}

export type StoredFile = { key: string; bytes: number; storedAt: Date }

export type Borrowed = { path: string; release: () => Promise<void> }

/** Keys are spread over folders by the random end of the id, so that no folder grows too large. */
export function keyOf(organizationId: string, fileId: string): string {
  return `${organizationId}/${fileId.slice(-2)}/${fileId}`
}

const keyPattern = /^([0-9a-f-]{36})\/[0-9a-f]{2}\/([0-9a-f-]{36})$/

/** Null: the file was put there by somebody else and is ignored. */
export function readKey(key: string): { organizationId: string; fileId: string } | null {
  const [, organizationId, fileId] = keyPattern.exec(key) ?? []
  return organizationId && fileId ? { organizationId, fileId } : null
}
