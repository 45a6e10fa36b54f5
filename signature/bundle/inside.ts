/** Signatures inside a PDF of a bundle: what each covers, and whether that is the document of the bundle. */
import { isSame } from '../asn1/values.ts'
import type { Finding } from '../findings/findings.ts'
import { changesSinceLength, hasSignatureOver } from '../pdf/examine-pdf.ts'
import { bundleLimits, type BundleReader, type BundleSignatureFiles } from './bundle.ts'
import { readWhole } from './reading.ts'

type Inside = NonNullable<BundleSignatureFiles['inside']>

/** The bytes that a signature covers: of the document itself, or of the PDF around the signature. */
export function coveredPieces(
  files: BundleReader,
  document: string,
  inside: Inside | undefined,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return inside ? around(files.read(inside.file), inside) : files.read(document)
}

async function* around(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { from, to, end }: Inside,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of pieces) {
    const part = (first: number, last: number) =>
      piece.subarray(Math.max(0, first - at), Math.max(0, Math.min(piece.length, last - at)))
    const [before, after] = [part(0, from), part(to, end)]
    if (before.length > 0) yield before
    if (after.length > 0) yield after
    at += piece.length
  }
}

/**
 * The PDF must begin with the document, have nothing but signatures and evidence after it, and a signature with
 * exactly this range: what a manifest alone says is covered could be any bytes in it.
 */
export async function faultsOfInside(
  files: BundleReader,
  { file, from, to, end }: Inside,
  document: string,
): Promise<Finding[]> {
  const pdf = await readWhole(files, file, bundleLimits.wholeFile)
  const original = await readWhole(files, document, bundleLimits.wholeFile)
  if (!isSame(pdf.subarray(0, original.length), original)) return ['other-document']
  const changes = await changesSinceLength(pdf, original.length)
  if (changes.length > 0) return changes
  return from < original.length || !(await hasSignatureOver(pdf, { from, to, end })) ? ['range-wrong'] : []
}
