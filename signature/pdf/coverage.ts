/**
 * Which bytes a signature covers. It has to be a whole revision but for the signature's own hexadecimal digits: any other gap
 * could hold a second document.
 */
import { latin1, toHex } from '../asn1/values.ts'
import type { PdfDocument } from './document.ts'
import type { SignatureField } from './signature-fields.ts'
import { isCount } from './values.ts'

export type Coverage = {
  /** The revision that is covered: its index. */
  revision: number
  /** Nothing was added to the file afterwards. */
  isWhole: boolean
  /** The two parts of the file, around the signature. */
  parts: readonly [Uint8Array, Uint8Array]
  /** Where the covered revision ends. */
  to: number
}

/** Null: not a revision. */
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
 * What was read from an object stream has its place there, not in the file. Nothing but digits: spaces among them would be
 * bytes that nobody signed.
 */
function isInFile(bytes: Uint8Array, { from, to, text }: NonNullable<SignatureField['contents']>): boolean {
  const there = latin1(bytes.subarray(from, to)).toLowerCase()
  return there === `<${toHex(text)}>`
}

function isSpaceOnly(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (![9, 10, 12, 13, 32].includes(bytes[at]!)) return false
  return true
}
