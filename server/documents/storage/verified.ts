/** The only way to read a stored file: its hash is compared with that of the upload (docs/product/documents.md#d-08). */
import { createHash, timingSafeEqual } from 'node:crypto'
import { open } from 'node:fs/promises'
import { refuse } from '@kelisim/domain/errors.ts'
import { keyOf, StorageDeniedError, StorageError, type Borrowed, type Storage } from './storage.ts'

export type KeptFile = {
  id: string
  organizationId: string
  sha256: Buffer
  size: number
  /** When the file was destroyed; its bytes may still wait for removal, or a restore may have put them back. */
  destroyedAt?: Date | null | undefined
}

/** Borrows a file after verifying it; the caller must release it. */
export async function borrowVerified(storage: Storage, file: KeptFile): Promise<Borrowed> {
  if (file.destroyedAt) refuse('file-not-found')
  const borrowed = await reached(storage.borrow(keyOf(file.organizationId, file.id)))
  if (borrowed === null) refuse('file-not-found')
  const { sha256, size } = await digestOf(borrowed.path)
  if (size === file.size && timingSafeEqual(sha256, file.sha256)) return borrowed
  await borrowed.release()
  return refuse('outdated-document')
}

/** Turns failures of the storage into refusals. */
export async function reached<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof StorageDeniedError) refuse('sas-token-error')
    if (error instanceof StorageError) refuse('file-storage-error')
    throw error
  }
}

const pieceSize = 256 * 1024

async function digestOf(path: string): Promise<{ sha256: Buffer; size: number }> {
  const hash = createHash('sha256')
  const file = await open(path)
  try {
    const piece = Buffer.allocUnsafe(pieceSize)
    let size = 0
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, pieceSize, null)
      if (bytesRead === 0) return { sha256: hash.digest(), size }
      hash.update(piece.subarray(0, bytesRead))
      size += bytesRead
    }
  } finally {
    await file.close()
  }
}
