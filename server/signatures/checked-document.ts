/** A document to be checked, with its known digests. */
import { isHashed, type Content, type HashedContent } from '@kelisim/signature/examination/content.ts'
import type { CheckedDocument, CheckJob, KnownDigest } from './check-job.ts'
import { filePieces } from './file-pieces.ts'

export function withDigests({ path, digests = [] }: CheckedDocument): HashedContent {
  return {
    pieces: filePieces(path),
    digests: new Map(digests.map(({ algorithm, digest }) => [algorithm, digest])),
  }
}

/** The digests that were not known before. */
export function madeDigests(
  document: CheckJob['document'],
  content: Content | HashedContent | null,
): { digests?: KnownDigest[] } {
  if (content === null || !isHashed(content) || document === null || document instanceof Uint8Array) return {}
  const known = new Set(document.digests?.map(({ algorithm }) => algorithm))
  const made = [...content.digests].filter(([algorithm]) => !known.has(algorithm))
  return made.length === 0 ? {} : { digests: made.map(([algorithm, digest]) => ({ algorithm, digest })) }
}
