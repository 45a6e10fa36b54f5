/** A signed PDF: the bytes that its newest signature covers, with the signature in its place. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { addEvidence } from '@kelisim/signature/cms/build.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'
import type { Borrowed, Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { InsideSignature } from './queries.ts'

export function roomOf({ from, to }: Gap): number {
  return (to - from - 2) / 2
}

/**
 * The signature as it stands in the PDF: as received, with the timestamp that was obtained here for it, if that was
 * before `at`. The bytes that the next signer covers must not change afterwards, so `at` decides and not the moment
 * of reading.
 */
export function contentsOf(
  { cms, timestampedCms, token, stampedAt, gap }: InsideSignature,
  at: Date | null,
): Uint8Array {
  const came = timestampedCms ?? cms
  if (!token || !stampedAt || (at !== null && stampedAt > at)) return came
  const stamped = addEvidence(came, 0, { timestamps: [new Uint8Array(token)] })
  return stamped.length <= roomOf(gap) ? stamped : came
}

/** Writes the PDF whose bytes around the signature are at `path`. */
async function writeSignedPdf(
  path: string,
  { gap, signature, outPath }: { gap: Gap; signature: Uint8Array; outPath: string },
): Promise<void> {
  await pipeline(Readable.from(pieces(path, gap, signature)), createWriteStream(outPath))
}

async function* pieces(path: string, gap: Gap, signature: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { end: gap.from - 1 }) as AsyncIterable<Uint8Array>
  const digits = Buffer.from(signature)
    .toString('hex')
    .padEnd(roomOf(gap) * 2, '0')
  yield Buffer.from(`<${digits}>`, 'latin1')
  yield* createReadStream(path, { start: gap.from }) as AsyncIterable<Uint8Array>
}

/** Writes the signed PDF to a temporary file. */
export async function assembledPdf(path: string, gap: Gap, signature: Uint8Array): Promise<Borrowed> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-signed-'))
  const release = () => rm(folder, { recursive: true, force: true })
  const outPath = join(folder, 'signed.pdf')
  try {
    await writeSignedPdf(path, { gap, signature, outPath })
    return { path: outPath, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** The PDF as it was after this signature, in a temporary file. */
export async function borrowSignedPdf(
  storage: Storage,
  inside: InsideSignature,
  at: Date | null,
): Promise<Borrowed> {
  const { fileId: id, organizationId, sha256, size, destroyedAt, gap } = inside
  const covered = await borrowVerified(storage, { id, organizationId, sha256, size, destroyedAt })
  try {
    return await assembledPdf(covered.path, gap, contentsOf(inside, at))
  } finally {
    await covered.release()
  }
}
