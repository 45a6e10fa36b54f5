/**
 * Reads files of a bundle: whole where they are short, line by line where they may be long, and never beyond the
 * limits.
 */
import { joined } from '../asn1/values.ts'
import { bundleLimits, type BundleReader } from './bundle.ts'

/** More data than allowed: an attempt to exhaust resources. */
export class TooMuchError extends Error {}

export async function readWhole(
  files: BundleReader,
  name: string,
  most: number = bundleLimits.wholeFile,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of files.read(name)) {
    length += piece.length
    if (length > most) throw new TooMuchError(name)
    pieces.push(new Uint8Array(piece))
  }
  return joined(pieces)
}

/**
 * Yields each line without its line break. A last line without a line break is not in the form that the product
 * writes: null follows it.
 */
export async function* linesOf(files: BundleReader, name: string): AsyncGenerator<Uint8Array | null, void> {
  let rest: Uint8Array[] = []
  let length = 0
  for await (const piece of files.read(name)) {
    let from = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield joined([...rest, piece.subarray(from, end)])
      rest = []
      length = 0
      from = end + 1
    }
    length += piece.length - from
    if (length > bundleLimits.line) throw new TooMuchError(name)
    if (from < piece.length) rest.push(piece.slice(from))
  }
  if (length > 0) yield null
}
