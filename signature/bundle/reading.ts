/** Bytes out of a bundle: whole where they are short, by the line where they may be many, and never more than there may be. */
import { joined } from '../asn1/values.ts'
import { bundleLimits, type BundleReader } from './bundle.ts'

/** More came out than there may be: whoever made it wants it to cost something. */
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

/** Each without the sign that ends it. The last may lack it, and is then not as we write it: null follows. */
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
