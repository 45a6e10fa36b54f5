/**
 * Reads PDF syntax strictly wherever programs that show PDFs differ: what one of them skips, another may show, so a
 * second meaning of a file is an error here.
 */
import { PdfError, isCount, type PdfDict, type PdfStream, type PdfValue } from './values.ts'

/** A position in a file, which reading advances. */
export type Reader = { bytes: Uint8Array; at: number }

export type IndirectObject = { number: number; generation: number; value: PdfValue; from: number; to: number }

/** Real files are never nested deeper; hostile ones are, to exhaust the stack. */
const maxDepth = 64

const code = (character: string) => character.charCodeAt(0)
const [tab, lineFeed, formFeed, carriageReturn, space] = [9, 10, 12, 13, 32]
const delimiters = new Set('()<>[]{}/%'.split('').map(code))

const isSpace = (byte: number | undefined) =>
  byte === space ||
  byte === lineFeed ||
  byte === carriageReturn ||
  byte === tab ||
  byte === formFeed ||
  byte === 0
const isRegular = (byte: number | undefined): byte is number =>
  byte !== undefined && !isSpace(byte) && !delimiters.has(byte)
const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= 48 && byte <= 57

export function skipSpace(reader: Reader): void {
  const { bytes } = reader
  for (;;) {
    while (isSpace(bytes[reader.at])) reader.at++
    if (bytes[reader.at] !== code('%') || startsWith(reader, '%%EOF')) return
    while (reader.at < bytes.length && ![lineFeed, carriageReturn].includes(bytes[reader.at]!)) reader.at++
  }
}

export function startsWith({ bytes, at }: Reader, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Moves behind the word if it is next; a longer word that begins with it does not count. */
export function takeWord(reader: Reader, word: string): boolean {
  skipSpace(reader)
  if (!startsWith(reader, word) || isRegular(reader.bytes[reader.at + word.length])) return false
  reader.at += word.length
  return true
}

export function expectWord(reader: Reader, word: string): void {
  if (!takeWord(reader, word)) throw new PdfError(`No ${word} at ${reader.at}`)
}

export function readCount(reader: Reader): number {
  skipSpace(reader)
  const value = readNumber(reader)
  if (!isCount(value)) throw new PdfError(`No number at ${reader.at}`)
  return value
}

export function readValue(reader: Reader, depth = 0): PdfValue {
  if (depth > maxDepth) throw new PdfError('Nested too deeply')
  skipSpace(reader)
  const { bytes, at } = reader
  const byte = bytes[at]
  if (byte === code('/')) return readName(reader)
  if (byte === code('(')) return readLiteral(reader)
  if (byte === code('[')) return readArray(reader, depth)
  if (byte === code('<')) return bytes[at + 1] === code('<') ? readDict(reader, depth) : readHex(reader)
  if (isDigit(byte)) return readReference(reader) ?? readNumber(reader)
  if (byte === code('+') || byte === code('-') || byte === code('.')) return readNumber(reader)
  for (const [word, value] of words) if (takeWord(reader, word)) return value
  throw new PdfError(`Nothing readable at ${at}`)
}

const words = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

function readName(reader: Reader): PdfValue {
  let name = ''
  reader.at++
  while (isRegular(reader.bytes[reader.at])) {
    const byte = reader.bytes[reader.at++]!
    if (byte !== code('#')) name += String.fromCharCode(byte)
    else {
      const high = hexDigit(reader.bytes[reader.at++])
      const low = hexDigit(reader.bytes[reader.at++])
      name += String.fromCharCode(high * 16 + low)
    }
  }
  return { name }
}

function hexDigit(byte: number | undefined): number {
  const digit = byte === undefined ? Number.NaN : Number.parseInt(String.fromCharCode(byte), 16)
  if (Number.isNaN(digit)) throw new PdfError('Not a hexadecimal digit')
  return digit
}

function readNumber(reader: Reader): number {
  const from = reader.at
  while (isRegular(reader.bytes[reader.at])) reader.at++
  const text = String.fromCharCode(...reader.bytes.subarray(from, Math.min(reader.at, from + 64)))
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new PdfError(`Not a number at ${from}`)
  return Number(text)
}

/** Reads `12 0 R`; if there is something else, the position stays unchanged. */
function readReference(reader: Reader): PdfValue | undefined {
  const { at } = reader
  const digits = () => {
    const from = reader.at
    while (isDigit(reader.bytes[reader.at])) reader.at++
    const length = reader.at - from
    return length > 0 && length <= 10
      ? Number(String.fromCharCode(...reader.bytes.subarray(from, reader.at)))
      : null
  }
  const ref = digits()
  if (ref !== null && isSpace(reader.bytes[reader.at])) {
    skipSpace(reader)
    const generation = digits()
    if (generation !== null && isSpace(reader.bytes[reader.at]) && takeWord(reader, 'R'))
      return { ref, generation }
  }
  reader.at = at
  return undefined
}

function readLiteral(reader: Reader): PdfValue {
  const from = reader.at++
  const text: number[] = []
  const { bytes } = reader
  for (let open = 1; ;) {
    const byte = bytes[reader.at++]
    if (byte === undefined) throw new PdfError('A string has no end')
    if (byte === code('\\')) {
      readEscape(reader, text)
      continue
    }
    if (byte === code('(')) open++
    if (byte === code(')') && --open === 0) break
    text.push(byte)
  }
  return { text: Uint8Array.from(text), from, to: reader.at, isHex: false }
}

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

function readEscape(reader: Reader, text: number[]): void {
  const byte = reader.bytes[reader.at++]
  if (byte === undefined) throw new PdfError('A string has no end')
  const character = String.fromCharCode(byte)
  if (/[0-7]/.test(character)) {
    let octal = character
    while (octal.length < 3 && /[0-7]/.test(String.fromCharCode(reader.bytes[reader.at] ?? 0)))
      octal += String.fromCharCode(reader.bytes[reader.at++]!)
    text.push(Number.parseInt(octal, 8) & 0xff)
  } else if (byte === carriageReturn) {
    if (reader.bytes[reader.at] === lineFeed) reader.at++
  } else if (byte !== lineFeed) text.push(escapes[character] ?? byte)
}

function readHex(reader: Reader): PdfValue {
  const from = reader.at++
  const { bytes } = reader
  const text: number[] = []
  let half: number | null = null
  for (;;) {
    const byte = bytes[reader.at++]
    if (byte === code('>')) break
    if (isSpace(byte)) continue
    const digit = hexDigit(byte)
    if (half === null) half = digit
    else {
      text.push(half * 16 + digit)
      half = null
    }
  }
  if (half !== null) text.push(half * 16)
  return { text: Uint8Array.from(text), from, to: reader.at, isHex: true }
}

function readArray(reader: Reader, depth: number): PdfValue {
  const values: PdfValue[] = []
  reader.at++
  for (;;) {
    skipSpace(reader)
    if (reader.bytes[reader.at] === code(']')) break
    values.push(readValue(reader, depth + 1))
  }
  reader.at++
  return values
}

function readDict(reader: Reader, depth: number): PdfDict {
  const entries = new Map<string, PdfValue>()
  reader.at += 2
  for (;;) {
    skipSpace(reader)
    if (startsWith(reader, '>>')) break
    if (reader.bytes[reader.at] !== code('/')) throw new PdfError(`No key at ${reader.at}`)
    const { name } = readName(reader) as { name: string }
    // A repeated key is refused, because some programs take the first value and some the last.
    if (entries.has(name)) throw new PdfError(`Two values of ${name}`)
    entries.set(name, readValue(reader, depth + 1))
  }
  reader.at += 2
  return { entries }
}

/** Reads `12 0 obj … endobj`. The length of a stream may be another object. */
export function readIndirectObject(
  reader: Reader,
  lengthOf: (length: PdfValue | undefined) => number,
): IndirectObject {
  skipSpace(reader)
  const from = reader.at
  const number = readCount(reader)
  const generation = readCount(reader)
  expectWord(reader, 'obj')
  const value = readValue(reader)
  const isWithData = takeWord(reader, 'stream')
  if (isWithData && !(typeof value === 'object' && value !== null && 'entries' in value))
    throw new PdfError('A stream without a dictionary')
  const whole = isWithData ? readData(reader, value as PdfDict, lengthOf) : value
  expectWord(reader, 'endobj')
  return { number, generation, value: whole, from, to: reader.at }
}

function readData(
  reader: Reader,
  dict: PdfDict,
  lengthOf: (length: PdfValue | undefined) => number,
): PdfStream {
  if (reader.bytes[reader.at] === carriageReturn) reader.at++
  if (reader.bytes[reader.at] !== lineFeed) throw new PdfError('No line end before a stream')
  const from = reader.at + 1
  const to = from + lengthOf(dict.entries.get('Length'))
  reader.at = to
  if (to > reader.bytes.length || !takeWord(reader, 'endstream'))
    throw new PdfError(`A stream does not end at ${to}`)
  return { dict, data: reader.bytes.subarray(from, to) }
}
