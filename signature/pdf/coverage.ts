/**
 * Which bytes a signature covers. They have to be a whole revision except for the signature's own hexadecimal digits,
 * because any other gap could hold a second document.
 */
import { latin1, toHex } from '../asn1/values.ts'
import type { PdfDocument } from './document.ts'
import type { SignatureField } from './signature-fields.ts'
import { isCount } from './values.ts'

export type Coverage = {
  /** The index of the covered revision. */
  revision: number
  /** Nothing was added to the file afterwards. */
  isWhole: boolean
  /** The parts of the covered bytes before and after the signature. */
  parts: readonly [Uint8Array, Uint8Array]
  /** Where the covered revision ends. */
  to: number
}

/** Null: the bytes are not a revision. */
export function coverageOf(
  { bytes, revisions }: PdfDocument,
  { byteRange, contents }: Pick<SignatureField, 'byteRange' | 'contents'>,
): Coverage | null {
  if (!contents || byteRange?.length !== 4 || !byteRange.every(isCount)) return null
  const [start, length, next, rest] = byteRange as [number, number, number, number]
  const to = next + rest
  const isAround = start === 0 && length === contents.from && next === contents.to && to <= bytes.length
  if (!isAround || !isInFile(bytes, contents)) return null
  const revision = revisions.findIndex((one) => one.to <= to && isSpaceOnly(bytes, one.to, to))
  if (revision < 0) return null
  const isWhole = revision === revisions.length - 1 && isSpaceOnly(bytes, to, bytes.length)
  return { revision, isWhole, parts: [bytes.subarray(0, length), bytes.subarray(next, to)], to }
}

/**
 * Whether the signature is in the file itself: the place of a string from an object stream is a place in that stream.
 * Only digits may be there, because white space among them would be bytes that nobody signed.
 */
function isInFile(bytes: Uint8Array, { from, to, text }: NonNullable<SignatureField['contents']>): boolean {
  const there = latin1(bytes.subarray(from, to)).toLowerCase()
  return there === `<${toHex(text)}>`
}

function isSpaceOnly(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (![9, 10, 12, 13, 32].includes(bytes[at]!)) return false
  return true
}
