/** The content of primitive elements: numbers, identifiers, times, texts. */
import { inside, isAtEnd, MalformedError, next, tags, take, type Cursor, type Element } from './read.ts'

/** The bytes of a number as written: two's complement, as short as possible. */
export function integerBytes({ content }: Element): Uint8Array {
  const [first, second] = content
  if (first === undefined) throw new MalformedError('A number without digits')
  const isPadded =
    second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  if (isPadded) throw new MalformedError('A number written longer than it need be')
  return content
}

/** A count: not negative, and a safe integer. */
export function smallInteger(element: Element): number {
  const bytes = integerBytes(element)
  if (bytes.length > 6 || bytes[0]! >= 0x80) throw new MalformedError('Not a small number')
  return bytes.reduce((number, byte) => number * 256 + byte, 0)
}

export function takeInteger(cursor: Cursor): Uint8Array {
  return integerBytes(take(cursor, tags.integer))
}

export function takeSmallInteger(cursor: Cursor): number {
  return smallInteger(take(cursor, tags.integer))
}

export function takeOid(cursor: Cursor): string {
  return oidOf(take(cursor, tags.oid).content)
}

export function oidOf(content: Uint8Array): string {
  if (content.length === 0 || content.length > 64 || content.at(-1)! >= 0x80) {
    throw new MalformedError('Not an object identifier')
  }
  const arcs: number[] = []
  let arc = 0
  let isStart = true
  for (const byte of content) {
    if (isStart && byte === 0x80) throw new MalformedError('An arc written longer than it need be')
    arc = arc * 128 + (byte & 0x7f)
    if (arc > Number.MAX_SAFE_INTEGER / 128) throw new MalformedError('An arc too great')
    isStart = byte < 0x80
    if (isStart) {
      if (arcs.length === 0) {
        const top = Math.min(Math.floor(arc / 40), 2)
        arcs.push(top, arc - top * 40)
      } else arcs.push(arc)
      arc = 0
    }
  }
  return arcs.join('.')
}

export function booleanOf({ content, encoding }: Element): boolean {
  const isWell = content.length === 1 && (encoding === 'ber' || content[0] === 0 || content[0] === 0xff)
  if (!isWell) throw new MalformedError('Neither true nor false')
  return content[0] !== 0
}

export type BitString = { bytes: Uint8Array; unusedBits: number }

export function bitStringOf({ content, encoding }: Element): BitString {
  const unusedBits = content[0]
  const bytes = content.subarray(1)
  if (unusedBits === undefined || unusedBits > 7 || (unusedBits > 0 && bytes.length === 0)) {
    throw new MalformedError('Not a row of bits')
  }
  const isZeroed = unusedBits === 0 || (bytes.at(-1)! & ((1 << unusedBits) - 1)) === 0
  if (encoding === 'der' && !isZeroed) throw new MalformedError('Unused bits are set')
  return { bytes, unusedBits }
}

/** A bit string of whole bytes, as keys and signatures are. */
export function takeOctetsInBits(cursor: Cursor): Uint8Array {
  const { bytes, unusedBits } = bitStringOf(take(cursor, tags.bitString))
  if (unusedBits !== 0) throw new MalformedError('A part of an octet')
  return bytes
}

/** A list of named bits, starting with 0. */
export function namedBits(element: Element): Set<number> {
  const { bytes } = bitStringOf(element)
  if (bytes.length > 8) throw new MalformedError('Too many named bits')
  const set = new Set<number>()
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    if (bytes[bit >> 3]! & (0x80 >> (bit & 7))) set.add(bit)
  }
  return set
}

/** The pieces of an octet string, which BER may split; views, so that long content is not copied. */
export function octetPieces(element: Element, tag: number = tags.octetString): Uint8Array[] {
  if (element.tag === tag) return [element.content]
  if (element.tag !== (tag | 0x20) || element.encoding !== 'ber') throw new MalformedError('Not octets')
  const pieces: Uint8Array[] = []
  collectPieces(element, pieces)
  return pieces
}

/** Software splits at a kilobyte or more; a document of 20 MB in smaller pieces is an attack. */
const maxPieces = 100_000

function collectPieces(element: Element, pieces: Uint8Array[]): void {
  const cursor = inside(element)
  while (!isAtEnd(cursor)) {
    const piece = next(cursor)
    if (piece.tag === tags.constructedOctetString) collectPieces(piece, pieces)
    else if (piece.tag !== tags.octetString) throw new MalformedError('Not octets')
    else if (pieces.push(piece.content) > maxPieces) throw new MalformedError('Too many pieces')
  }
}

export function octetsOf(element: Element, tag: number = tags.octetString): Uint8Array {
  const pieces = octetPieces(element, tag)
  return pieces.length === 1 ? pieces[0]! : joined(pieces)
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16)
  return text
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(latin1(bytes))
}

/** Both kinds of time, in the only form of DER: to the second (fractions in GeneralizedTime), in UTC. */
export function timeOf({ tag, content }: Element): Date {
  const text = latin1(content)
  const parts =
    tag === tags.utcTime
      ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)()Z$/.exec(text)
      : tag === tags.generalizedTime
        ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{0,8}[1-9])?Z$/.exec(text)
        : null
  if (!parts) throw new MalformedError('Not a time')
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const fullYear = tag === tags.utcTime ? (year < 50 ? 2000 + year : 1900 + year) : year
  const time = new Date(0)
  time.setUTCFullYear(fullYear, month - 1, day)
  time.setUTCHours(hour, minute, second, Math.floor(Number(`0${parts[7] || ''}`) * 1000))
  const isReal =
    time.getUTCMonth() === month - 1 &&
    time.getUTCDate() === day &&
    time.getUTCHours() === hour &&
    time.getUTCMinutes() === minute &&
    time.getUTCSeconds() === second
  if (!isReal) throw new MalformedError('No such time')
  return time
}

/** Null where the tag is not a string type. Malformed characters are replaced. */
export function textOf({ tag, content }: Element): string | null {
  switch (tag) {
    case tags.utf8String:
      return new TextDecoder().decode(content)
    case tags.printableString:
    case tags.ia5String:
    case tags.visibleString:
    case tags.teletexString:
      return latin1(content)
    case tags.bmpString:
      return content.length % 2 === 0 ? new TextDecoder('utf-16be').decode(content) : null
    default:
      return null
  }
}

export function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
