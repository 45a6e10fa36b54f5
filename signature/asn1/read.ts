/**
 * Parses ASN.1. Elements are views of the bytes they were read from: nothing is copied, so what was signed can be
 * hashed exactly as received. DER is required by default: signed data must have only one encoding, because a second one
 * could carry a second meaning. BER (indefinite lengths, split strings) is accepted where requested: in the envelope of
 * a CMS and of a PKCS#12.
 */

/** The bytes are malformed. Caught at the entry of the engine, where it becomes a finding. */
export class MalformedError extends Error {}

export type Encoding = 'der' | 'ber'

export type Element = {
  /** The identifier byte: class, constructed or not, number. Numbers above 30 do not occur in what we read. */
  tag: number
  content: Uint8Array
  /** Tag, length and content. */
  whole: Uint8Array
  encoding: Encoding
  depth: number
}

/** A position in a sequence of elements. */
export type Cursor = { bytes: Uint8Array; at: number; encoding: Encoding; depth: number }

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  constructedOctetString: 0x24,
} as const

/** [n], containing one element or replacing a SEQUENCE or SET. */
export const constructed = (number: number) => 0xa0 + number
/** [n] in place of a primitive type's own tag. */
export const primitive = (number: number) => 0x80 + number

/** Real data is never nested deeper; hostile data is, to exhaust the stack. */
const maxDepth = 32

/** Parses bytes that are exactly one element. */
export function read(bytes: Uint8Array, tag?: number, encoding: Encoding = 'der'): Element {
  const cursor: Cursor = { bytes, at: 0, encoding, depth: 0 }
  const element = tag === undefined ? next(cursor) : take(cursor, tag)
  finish(cursor)
  return element
}

export function inside(element: Element): Cursor {
  return {
    bytes: element.content,
    at: 0,
    encoding: element.encoding,
    depth: element.depth + 1,
  }
}

export function isAtEnd(cursor: Cursor): boolean {
  return cursor.at >= cursor.bytes.length
}

export function peek(cursor: Cursor): number | undefined {
  return cursor.bytes[cursor.at]
}

export function next(cursor: Cursor): Element {
  const { bytes, at, encoding, depth } = cursor
  if (depth > maxDepth) throw new MalformedError('Nested too deep')
  const { tag, length, contentAt } = readHeader(bytes, at, encoding)
  const end = length === 'open' ? endOfOpen(bytes, contentAt, depth + 1) : contentAt + length
  if (end > bytes.length) throw new MalformedError('The element is longer than what holds it')
  cursor.at = length === 'open' ? end + 2 : end
  return {
    tag,
    content: bytes.subarray(contentAt, end),
    whole: bytes.subarray(at, cursor.at),
    encoding,
    depth,
  }
}

export function take(cursor: Cursor, tag: number): Element {
  const found = peek(cursor)
  if (found !== tag) throw new MalformedError(`Expected ${hex(tag)}, found ${hex(found)}`)
  return next(cursor)
}

export function takeIf(cursor: Cursor, tag: number): Element | null {
  return peek(cursor) === tag ? next(cursor) : null
}

/** Enters [n] if it is next: an element that contains another one. */
export function takeExplicit(cursor: Cursor, number: number): Cursor | null {
  const holder = takeIf(cursor, constructed(number))
  return holder && inside(holder)
}

/** Trailing data might be read by one parser and ignored by another. */
export function finish(cursor: Cursor): void {
  if (!isAtEnd(cursor)) throw new MalformedError('There are bytes after the end')
}

export function elements(element: Element, encoding: Encoding = element.encoding): Element[] {
  const cursor = { ...inside(element), encoding }
  const all: Element[] = []
  while (!isAtEnd(cursor)) all.push(next(cursor))
  return all
}

/** Enters an element whose end may be outside the buffer; returns the length of its content. */
export function enter(cursor: Cursor, tag: number): number {
  const header = readHeader(cursor.bytes, cursor.at, 'der', Infinity)
  if (header.tag !== tag || header.length === 'open') throw new MalformedError(`Expected ${hex(tag)}`)
  cursor.at = header.contentAt
  return header.length
}

type Header = { tag: number; length: number | 'open'; contentAt: number }

function readHeader(bytes: Uint8Array, at: number, encoding: Encoding, limit = bytes.length): Header {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) throw new MalformedError('The bytes end too early')
  if ((tag & 0x1f) === 0x1f) throw new MalformedError('A tag of several octets')
  if (first < 0x80) return { tag, length: first, contentAt: at + 2 }
  if (first === 0x80) {
    if (encoding === 'der' || (tag & 0x20) === 0) throw new MalformedError('A length left open')
    return { tag, length: 'open', contentAt: at + 2 }
  }
  const size = first & 0x7f
  const contentAt = at + 2 + size
  if (contentAt > bytes.length) throw new MalformedError('The bytes end too early')
  let length = 0
  for (let i = at + 2; i < contentAt; i++) {
    length = length * 256 + bytes[i]!
    if (length > limit) throw new MalformedError('The element is longer than what holds it')
  }
  if (encoding === 'der' && (length < 0x80 || bytes[at + 2] === 0)) {
    throw new MalformedError('A length written longer than it need be')
  }
  return { tag, length, contentAt }
}

/** The offset of the two zero bytes that end an element of indefinite length. */
function endOfOpen(bytes: Uint8Array, start: number, depth: number): number {
  if (depth > maxDepth) throw new MalformedError('Nested too deep')
  let at = start
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    const { length, contentAt } = readHeader(bytes, at, 'ber')
    at = length === 'open' ? endOfOpen(bytes, contentAt, depth + 1) + 2 : contentAt + length
    if (at >= bytes.length) throw new MalformedError('The bytes end too early')
  }
  return at
}

function hex(tag: number | undefined): string {
  return tag === undefined ? 'nothing' : `0x${tag.toString(16).padStart(2, '0')}`
}
