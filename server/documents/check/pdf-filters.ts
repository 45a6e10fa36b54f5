/** The filters of PDF streams (ISO 32000-1, 7.4), each up to a limit: at most one byte more than allowed is returned. */
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { PdfDictionary, PdfValue } from './pdf-syntax.ts'

export class UnpacksTooLarge extends Error {}

/** Null: the filter is not supported. Returns at most one byte more than allowed. */
export function decode(filter: string, data: Buffer, most: number): Buffer | null | Promise<Buffer | null> {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return inflateUpTo(data, most)
    case 'LZWDecode':
    case 'LZW':
      return decodeLzw(data, most)
    case 'RunLengthDecode':
    case 'RL':
      return decodeRuns(data, most)
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(data)
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(data, most)
    default:
      return null
  }
}

const lenient = { finishFlush: constants.Z_SYNC_FLUSH }

/** Null: the data are not deflated. The checksum at the end is ignored, as readers ignore it. */
async function inflateUpTo(data: Buffer, most: number): Promise<Buffer | null> {
  if (!isZlib(data)) return null
  const raw = data.subarray(2)
  try {
    return inflateRawSync(raw, { maxOutputLength: most + 1, ...lenient })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return Buffer.alloc(most + 1)
    return inflateDamaged(raw, most)
  }
}

/** Null: the data are damaged. After damage readers go on, each in its own way. */
export function inflateSound(data: Buffer, most: number): Buffer | null {
  if (!isZlib(data)) return null
  try {
    return inflateRawSync(data.subarray(2), { maxOutputLength: most + 1, ...lenient })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new UnpacksTooLarge()
    return null
  }
}

/** Unpacks damaged data as far as possible, which is what readers use. */
async function inflateDamaged(raw: Buffer, most: number): Promise<Buffer> {
  const out = new Output(most)
  const stream = createInflateRaw(lenient)
  stream.end(raw)
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      out.add(piece)
      if (out.isFull) break
    }
  } catch {
    // The bytes before the damage are used.
  }
  return out.bytes()
}

function isZlib(data: Buffer): boolean {
  if (data.length < 2) return false
  const [method, flags] = [data[0]!, data[1]!]
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0
}

function decodeLzw(data: Buffer, most: number): Buffer {
  const out = new Output(most)
  // The string of a code: its last byte, the code of what stands before it, and its length.
  const [last, before, lengths] = [new Uint8Array(4097), new Uint16Array(4097), new Uint16Array(4097)]
  for (let i = 0; i < 256; i++) [last[i], lengths[i]] = [i, 1]
  let [next, width, previous] = [258, 9, -1]
  let [bits, held] = [0, 0]
  const string = new Uint8Array(4097)
  const write = (code: number) => {
    const length = lengths[code]!
    for (let i = length - 1, at = code; i >= 0; i--, at = before[at]!) string[i] = last[at]!
    out.add(string.subarray(0, length))
  }
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff
    held += 8
    if (held < width) continue
    held -= width
    const code = (bits >> held) & ((1 << width) - 1)
    if (code === 257 || out.isFull) break
    if (code === 256) {
      ;[next, width, previous] = [258, 9, -1]
      continue
    }
    if (code > next || (code >= 256 && previous < 0)) break
    if (previous >= 0 && next < 4096) {
      // A code that is not there yet is the previous string with its own first byte.
      const first = firstOf(code === next ? previous : code, before)
      ;[last[next], before[next], lengths[next]] = [first, previous, lengths[previous]! + 1]
      next++
    }
    write(code)
    previous = code
    if (next + 1 >= 1 << width && width < 12) width++
  }
  return out.bytes()
}

function firstOf(code: number, before: Uint16Array): number {
  let at = code
  while (at >= 258) at = before[at]!
  return at
}

function decodeRuns(data: Buffer, most: number): Buffer {
  const out = new Output(most)
  for (let at = 0; at < data.length && data[at] !== 128 && !out.isFull;) {
    const count = data[at]!
    if (count < 128) {
      out.add(data.subarray(at + 1, at + 2 + count))
      at += 2 + count
    } else {
      out.add(Buffer.alloc(257 - count, data[at + 1] ?? 0))
      at += 2
    }
  }
  return out.bytes()
}

export function decodeHex(data: Buffer): Buffer {
  const end = data.indexOf('>')
  const digits = data.toString('latin1', 0, end < 0 ? data.length : end).replaceAll(/[^0-9a-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

function decodeAscii85(data: Buffer, most: number): Buffer {
  const out = new Output(most)
  let [value, count] = [0, 0]
  const put = (bytes: number) => {
    const piece = Buffer.alloc(4)
    piece.writeUInt32BE(value % 0x100000000)
    out.add(piece.subarray(0, bytes))
    ;[value, count] = [0, 0]
  }
  for (const byte of data) {
    if (byte === 0x7e || out.isFull) break
    if (byte === 0x7a && count === 0) put(4)
    else if (byte >= 33 && byte <= 117) {
      value = value * 85 + (byte - 33)
      if (++count === 5) put(4)
    }
  }
  if (count > 1) {
    const missing = 5 - count
    const bytes = count - 1
    for (let i = 0; i < missing; i++) value = value * 85 + 84
    put(bytes)
  }
  return out.bytes()
}

/** Grows as needed and stops after one byte too many. */
class Output {
  #bytes = Buffer.alloc(64 * 1024)
  #length = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most + 1
  }

  get isFull(): boolean {
    return this.#length >= this.#most
  }

  add(piece: Uint8Array): void {
    const length = Math.min(piece.length, this.#most - this.#length)
    if (this.#length + length > this.#bytes.length) {
      const larger = Buffer.alloc(
        Math.min(this.#most, Math.max(this.#bytes.length * 2, this.#length + length)),
      )
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#bytes.set(piece.subarray(0, length), this.#length)
    this.#length += length
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

type Layout = { predictor: number; pixel: number; row: number }

/** Null: readers interpret the parameters differently, or none knows them. */
export function undoPredictor(data: Buffer, parameters: PdfValue | undefined): Buffer | null {
  if (parameters === undefined || isNothing(parameters)) return data
  if (parameters.kind !== 'dictionary') return null
  const layout = layoutIn(parameters.entries)
  if (!layout) return null
  if (layout.predictor === 1) return data
  return layout.predictor === 2 ? undoTiff(data, layout) : undoPng(data, layout)
}

export function isNothing(value: PdfValue): boolean {
  return value.kind === 'keyword' && value.text === 'null'
}

const largestRow = 1024 * 1024

function layoutIn(entries: PdfDictionary): Layout | null {
  const number = (key: string, usual: number) => {
    const value = entries.get(key)
    if (value === undefined) return usual
    return value.kind === 'number' ? value.value : Number.NaN
  }
  const predictor = number('Predictor', 1)
  const [colors, bits, columns] = [number('Colors', 1), number('BitsPerComponent', 8), number('Columns', 1)]
  const row = colors * columns
  const isKnown = predictor === 1 || predictor === 2 || (predictor >= 10 && predictor <= 15)
  // Old names and other sizes of samples are used for pictures only; objects are bytes.
  if (!isKnown || bits !== 8 || !(row > 0 && row <= largestRow) || entries.has('BPC')) return null
  // With another value of EarlyChange, LZW codes grow longer at another point.
  return number('EarlyChange', 1) === 1 ? { predictor, pixel: colors, row } : null
}

function undoTiff(data: Buffer, { pixel, row }: Layout): Buffer {
  const out = Buffer.from(data)
  for (let at = 0; at < out.length; at++) {
    if (at % row >= pixel) out[at] = out[at]! + out[at - pixel]!
  }
  return out
}

/** The first byte of each row says how the row is predicted. */
function undoPng(data: Buffer, { pixel, row }: Layout): Buffer | null {
  const out = Buffer.alloc(data.length)
  let length = 0
  for (let from = 0; from + 1 < data.length; from += row + 1) {
    const kind = data[from]!
    const count = Math.min(row, data.length - from - 1)
    if (kind > 4) return null
    for (let i = 0; i < count; i++) {
      const left = i >= pixel ? out[length + i - pixel]! : 0
      const up = length >= row ? out[length + i - row]! : 0
      const corner = i >= pixel && length >= row ? out[length + i - row - pixel]! : 0
      out[length + i] = data[from + 1 + i]! + predicted(kind, left, up, corner)
    }
    length += count
  }
  return out.subarray(0, length)
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  switch (kind) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, corner)
    default:
      return 0
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [toLeft, toUp, toCorner] = [
    Math.abs(estimate - left),
    Math.abs(estimate - up),
    Math.abs(estimate - corner),
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
