/** Receives an uploaded body into a temporary file, up to a limit. */
import type { Readable } from 'node:stream'
import { inMegabytes } from '@kelisim/domain/documents/formats.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import { TooLarge, type Received } from './storage/receive.ts'
import type { Storage } from './storage/storage.ts'
import { reached } from './storage/verified.ts'

export type UploadedBody = {
  file: Readable
  /** As declared by the client; null if it did not. */
  size: number | null
}

export async function receiveUpload(
  { file, size }: UploadedBody,
  storage: Pick<Storage, 'receive'>,
  limit: number,
): Promise<Received> {
  const refuseTooLarge = () => refuse('file-too-large', { limit: inMegabytes(limit) })
  if (size !== null && size > limit) refuseTooLarge()
  try {
    return await reached(storage.receive(file, limit, { isDrained: true }))
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof TooLarge) refuseTooLarge()
    // The client disconnected, which must not be logged as a fault of the server.
    if (file.destroyed && file.readableAborted) refuse('malformed-body')
    throw error
  }
}
