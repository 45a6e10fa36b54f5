/**
 * The syntax of PDF (ISO 32000-1, 7.2 and 7.3): a sequence of tokens, and small values. Reading tokens never fails:
 * anything that is no token is a keyword. Each byte is read a constant number of times.
 */
export type TokenKind = 'end' | 'number' | 'name' | 'string' | 'hex' | 'keyword' | '<<' | '>>' | '[' | ']'

/** Longer names and keywords are cut: none that matters is as long. */
const longestText = 64

const [isSpace, isDelimiter] = [1, 2]
const classes = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = isSpace
for (const byte of Buffer.from('()<>[]{}/%')) classes[byte] = isDelimiter

export const isWhiteSpace = (byte: number | undefined) => byte !== undefined && classes[byte] === isSpace
/** Whether a word ends before this byte; the end of the bytes ends it, too. */
export const endsWord = (byte: number | undefined) => byte === undefined || classes[byte] !== 0

const code = (character: string) => character.charCodeAt(0)
const [percent, slash, hash, backslash] = [code('%'), code('/'), code('#'), code('\\')]
const [open, close, less, greater] = [code('('), code(')'), code('<'), code('>')]
const [openArray, closeArray] = [code('['), code(']')]
const [lineFeed, carriageReturn] = [10, 13]

export class PdfTokens {
  readonly bytes: Uint8Array
  readonly end: number
  /** Where the next token is looked for. */
  at: number
  /** Where the last token begins. */
  start: number
  kind: TokenKind = 'end'
  /** Whether the bytes end inside the last token, or right after it where more could follow. */
  isCut = false

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.start = at
    this.end = Math.min(end, bytes.length)
  }

  next(): TokenKind {
    this.#skipSpace()
    this.start = this.at
    if (this.at >= this.end) return (this.kind = 'end')
    this.isCut = false
    this.kind = this.#take(this.bytes[this.at]!)
    return this.kind
  }

  /** The last name without its slash and with its hexadecimal escapes decoded, or the last keyword. */
  text(): string {
    let text = ''
    for (let i = this.kind === 'name' ? this.start + 1 : this.start; i < this.at; i++) {
      let byte = this.bytes[i]!
      if (byte === hash && this.kind === 'name') {
        const [high, low] = [i + 1 < this.at ? digit(this.bytes[i + 1]!) : -1, digit(this.bytes[i + 2] ?? 0)]
        if (high >= 0 && low >= 0 && i + 2 < this.at) {
          byte = high * 16 + low
          i += 2
        }
      }
      // Programs that end texts with a zero byte read no further.
      if (byte === 0 || text.length === longestText) break
      text += String.fromCharCode(byte)
    }
    return text
  }

  /** The last number if it is written with digits alone; otherwise NaN, because readers differ. */
  integer(): number {
    if (this.kind !== 'number' || this.at - this.start > 9) return Number.NaN
    let value = 0
    for (let i = this.start; i < this.at; i++) {
      const figure = this.bytes[i]! - 48
      if (figure < 0 || figure > 9) return Number.NaN
      value = value * 10 + figure
    }
    return value
  }

  #skipSpace(): void {
    while (this.at < this.end) {
      const byte = this.bytes[this.at]!
      if (byte === percent) this.#skipComment()
      else if (classes[byte] === isSpace) this.at++
      else return
    }
  }

  #skipComment(): void {
    while (this.at < this.end) {
      const byte = this.bytes[this.at]!
      if (byte === lineFeed || byte === carriageReturn) return
      this.at++
    }
  }

  #take(first: number): TokenKind {
    this.at++
    switch (first) {
      case slash:
        this.#skipWord()
        return 'name'
      case open:
        this.#skipString()
        return 'string'
      case less:
        if (this.#takes(less)) return '<<'
        this.#skipHex()
        return 'hex'
      case greater:
        return this.#takes(greater) ? '>>' : 'keyword'
      case openArray:
        return '['
      case closeArray:
        return ']'
    }
    if (classes[first] === isDelimiter) return 'keyword'
    if (isOfNumber(first)) {
      while (this.at < this.end && isOfNumber(this.bytes[this.at]!)) this.at++
      this.isCut = this.at >= this.end
      return 'number'
    }
    this.#skipWord()
    return 'keyword'
  }

  #takes(byte: number): boolean {
    if (this.at >= this.end || this.bytes[this.at] !== byte) return false
    this.at++
    return true
  }

  #skipWord(): void {
    while (this.at < this.end && classes[this.bytes[this.at]!] === 0) this.at++
    this.isCut = this.at >= this.end
  }

  #skipString(): void {
    for (let depth = 1; this.at < this.end;) {
      const byte = this.bytes[this.at++]!
      if (byte === backslash) this.at++
      else if (byte === open) depth++
      else if (byte === close && --depth === 0) return
    }
    this.at = this.end
    this.isCut = true
  }

  #skipHex(): void {
    while (this.at < this.end) {
      if (this.bytes[this.at++] === greater) return
    }
    this.isCut = true
  }
}

/** Digits, plus, minus and point. */
function isOfNumber(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46
}

function digit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

export type PdfDictionary = Map<string, PdfValue>
export type PdfValue =
  | { kind: 'name'; text: string }
  | { kind: 'number'; value: number }
  | { kind: 'reference'; number: number }
  | { kind: 'string'; bytes: Buffer }
  | { kind: 'array'; items: PdfValue[] }
  | { kind: 'dictionary'; entries: PdfDictionary }
  | { kind: 'keyword'; text: string }
  /** A key that occurs twice: readers differ in which of the values counts. */
  | { kind: 'ambiguous' }

const deepest = 12
const mostValues = 5000

class Unreadable extends Error {}

/** Null: the value is damaged, or larger than any dictionary of a stream. */
export function valueAt(bytes: Buffer, at: number): PdfValue | null {
  const reader = new ValueReader(bytes, at)
  try {
    return reader.value(0)
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

export function dictionaryAt(bytes: Buffer, at: number): PdfDictionary | null {
  const value = valueAt(bytes, at)
  return value?.kind === 'dictionary' ? value.entries : null
}

class ValueReader {
  readonly #bytes: Buffer
  readonly #tokens: PdfTokens
  #left = mostValues

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#tokens = new PdfTokens(bytes, at)
    this.#tokens.next()
  }

  /** Takes the value that begins with the current token. */
  value(depth: number): PdfValue {
    const tokens = this.#tokens
    if (depth > deepest || this.#left-- < 0) throw new Unreadable()
    const { kind } = tokens
    switch (kind) {
      case 'name':
      case 'keyword': {
        const text = tokens.text()
        tokens.next()
        return { kind, text }
      }
      case 'number':
        return this.#numberOrReference()
      case 'string':
      case 'hex': {
        const written = this.#bytes.subarray(tokens.start + 1, tokens.at - 1)
        tokens.next()
        return { kind: 'string', bytes: kind === 'hex' ? fromHex(written) : fromLiteral(written) }
      }
      case '[':
        return this.#array(depth)
      case '<<':
        return this.#dictionary(depth)
      case ']':
      case '>>':
      case 'end':
        throw new Unreadable()
    }
  }

  #numberOrReference(): PdfValue {
    const tokens = this.#tokens
    const value = this.#number()
    tokens.next()
    const { start, at, kind } = tokens
    if (kind === 'number' && tokens.next() === 'keyword' && tokens.text() === 'R') {
      tokens.next()
      return { kind: 'reference', number: value }
    }
    // Goes back to the token after the number.
    ;[tokens.start, tokens.at, tokens.kind] = [start, at, kind]
    return { kind: 'number', value }
  }

  /** An integer; NaN if it is written otherwise, because readers differ there. */
  #number(): number {
    const { start, at } = this.#tokens
    const text = at - start > 11 ? '' : this.#bytes.toString('latin1', start, at)
    return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  }

  #array(depth: number): PdfValue {
    const items: PdfValue[] = []
    this.#tokens.next()
    while (this.#tokens.kind !== ']') items.push(this.value(depth + 1))
    this.#tokens.next()
    return { kind: 'array', items }
  }

  #dictionary(depth: number): PdfValue {
    const entries: PdfDictionary = new Map()
    this.#tokens.next()
    while (this.#tokens.kind !== '>>') {
      if (this.#tokens.kind !== 'name') throw new Unreadable()
      const key = this.#tokens.text()
      this.#tokens.next()
      const value = this.value(depth + 1)
      entries.set(key, entries.has(key) ? { kind: 'ambiguous' } : value)
    }
    this.#tokens.next()
    return { kind: 'dictionary', entries }
  }
}

function fromHex(written: Buffer): Buffer {
  const digits = written.toString('latin1').replaceAll(/[^0-9a-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

const escapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '\n': '',
  '\r\n': '',
  '\r': '',
}

function fromLiteral(written: Buffer): Buffer {
  const text = written.toString('latin1').replaceAll(/\\([0-7]{1,3}|\r\n|[\s\S])/g, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 255)
    return escapes[escaped] ?? escaped
  })
  return Buffer.from(text, 'latin1')
}
