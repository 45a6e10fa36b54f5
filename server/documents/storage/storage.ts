/**
 * Where the bytes of documents lie: a folder on disk, or an S3-compatible service. A file is received into a temporary
 * one first, hashed and counted on the way; it is kept once it was found good, and never changes after that.
 */
import type { Received } from './receive.ts'

export type Storage = {
  /** A folder of ours for what is on its way in. */
  incoming: string
  /** Moves what was received to its place, for good. */
  keep: (key: string, received: Received) => Promise<void>
  /** The bytes as a file on this machine, for whoever reads them; to be given back. Null: there is no such file. */
  borrow: (key: string) => Promise<Borrowed | null>
  exists: (key: string) => Promise<boolean>
  remove: (key: string) => Promise<void>
  /** Nothing was ever kept here, or nothing is left. */
  isEmpty: () => Promise<boolean>
  /** Null: it has no end that we could see. */
  freeBytes: () => Promise<number | null>
}

export type Borrowed = { path: string; release: () => Promise<void> }

/** The storage did not do what it was asked to; what was asked is not lost, it may be asked again. */
export class StorageError extends Error {}

/** It is there, and does not let us in. */
export class StorageDeniedError extends StorageError {}

/** Spread over folders by the random end of the id: none of them grows beyond what a disk handles well. */
export function keyOf(organizationId: string, fileId: string): string {
  return `${organizationId}/${fileId.slice(-2)}/${fileId}`
}
