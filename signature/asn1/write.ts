/** Writes DER. */
import { constructed, tags } from './read.ts'
import { joined } from './values.ts'

type Bytes = Uint8Array<ArrayBuffer>

export function element(tag: number, ...contents: Uint8Array[]): Bytes {
  return joined([
    header(
      tag,
      contents.reduce((length, content) => length + content.length, 0),
    ),
    ...contents,
  ])
}

/** The tag and the length alone, for contents that are too long to be copied. */
export function header(tag: number, length: number): Bytes {
  if (length < 0x80) return Uint8Array.of(tag, length)
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Uint8Array.of(tag, 0x80 + digits.length, ...digits)
}

export const sequence = (...items: Uint8Array[]) => element(tags.sequence, ...items)
export const explicit = (number: number, ...items: Uint8Array[]) => element(constructed(number), ...items)
export const octetString = (bytes: Uint8Array) => element(tags.octetString, bytes)
export const bitString = (bytes: Uint8Array, unusedBits = 0) =>
  element(tags.bitString, Uint8Array.of(unusedBits), bytes)
export const nothing = () => element(tags.null)
export const boolean = (value: boolean) => element(tags.boolean, Uint8Array.of(value ? 0xff : 0))
export const utf8String = (text: string) => element(tags.utf8String, new TextEncoder().encode(text))
export const printableString = (text: string) => element(tags.printableString, new TextEncoder().encode(text))
export const ia5String = (text: string) => element(tags.ia5String, new TextEncoder().encode(text))

/** Sorted by their encodings and without duplicates, as DER requires for a SET OF. */
export function setOf(items: readonly Uint8Array[], tag: number = tags.set): Bytes {
  const sorted = items.toSorted(compareBytes)
  return element(tag, ...sorted.filter((item, i) => i === 0 || compareBytes(sorted[i - 1]!, item) !== 0))
}

export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i++) if (one[i] !== other[i]) return one[i]! - other[i]!
  return one.length - other.length
}

/** A non-negative number given by its bytes, most significant first. */
export function unsignedInteger(bytes: Uint8Array): Bytes {
  const first = bytes.findIndex((byte) => byte !== 0)
  if (first < 0) return element(tags.integer, Uint8Array.of(0))
  const digits = bytes.subarray(first)
  return digits[0]! < 0x80 ? element(tags.integer, digits) : element(tags.integer, Uint8Array.of(0), digits)
}

export function integer(value: number): Bytes {
  const digits: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return unsignedInteger(Uint8Array.from(digits))
}

export function oid(dotted: string): Bytes {
  const [top = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(tags.oid, Uint8Array.from([top * 40 + second, ...rest].flatMap(base128)))
}

function base128(arc: number): number[] {
  const digits = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift(0x80 + (rest % 128))
  }
  return digits
}

/** As RFC 5280 and CMS require: UTCTime up to the year 2049, GeneralizedTime after it; to the second. */
export function time(at: Date): Bytes {
  const digits = at.toISOString().replaceAll(/\D/g, '')
  const year = at.getUTCFullYear()
  return year >= 1950 && year < 2050
    ? element(tags.utcTime, new TextEncoder().encode(`${digits.slice(2, 14)}Z`))
    : generalizedTime(at)
}

export function generalizedTime(at: Date): Bytes {
  const digits = at.toISOString().replaceAll(/\D/g, '')
  return element(tags.generalizedTime, new TextEncoder().encode(`${digits.slice(0, 14)}Z`))
}
