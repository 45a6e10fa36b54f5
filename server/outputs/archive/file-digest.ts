import { createReadStream } from 'node:fs'
import { createHash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified, type KeptFile } from '../../documents/storage/verified.ts'

/** The digest of a file; SHA-256 is known without reading it. */
export async function digestOfFile(storage: Storage, name: HashName, file: KeptFile): Promise<Uint8Array> {
  if (name === 'sha-256') return new Uint8Array(file.sha256)
  const borrowed = await borrowVerified(storage, file)
  try {
    const digest = createHash(name)
    for await (const piece of createReadStream(borrowed.path)) digest.update(piece as Uint8Array)
    return digest.digest()
  } finally {
    await borrowed.release()
  }
}
