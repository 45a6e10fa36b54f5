/**
 * QR codes. Those of signatures all have one form (version 25, level M, mask 0) and there are dozens in a document, so
 * their common part is computed once and the rest by tables: a tenth of the time of a general library.
 */
import { encode, QrCodeDataType } from 'uqr'

/** Row by row, 1 for a dark module. */
export type Matrix = { size: number; modules: Uint8Array }

/** The smallest code that fits the text. */
export function qrOf(text: string): Matrix {
  const { data } = encode(text, { ecc: 'M', boostEcc: false, border: 0 })
  return { size: data.length, modules: flat(data) }
}

function flat(rows: readonly (readonly boolean[])[]): Uint8Array {
  return Uint8Array.from(rows.flat(), Number)
}

/** The capacity in bytes of a code of version 25, level M. */
export const fullCapacity = 997

const size = 117
const dataCodewords = 1000
const correction = 28
/** Lengths of the error correction blocks (ISO/IEC 18004, table 9). */
const blocks = [...Array<number>(8).fill(47), ...Array<number>(13).fill(48)]

export function fullQrOf(bytes: Uint8Array): Matrix {
  const { sample, order, mask } = (form ??= makeForm())
  const modules = sample.slice()
  const codewords = interleaved(dataOf(bytes))
  for (let i = 0; i < order.length; i++) {
    // A few modules after the last codeword stay empty.
    const bit = ((codewords[i >> 3] ?? 0) >> (7 - (i & 7))) & 1
    modules[order[i]!] = bit ^ mask[i]!
  }
  return { size, modules }
}

/** `mask`: for each position of `order`, whether its bit is inverted. */
type Form = { sample: Uint8Array; order: Uint16Array; mask: Uint8Array }
let form: Form | null = null

/** What is the same in every code: finders, timing, format, and the order of the bits. */
function makeForm(): Form {
  const options = {
    minVersion: 25,
    maxVersion: 25,
    maskPattern: 0,
    ecc: 'M',
    boostEcc: false,
    border: 0,
  } as const
  const { data, types } = encode('', options)
  const order: number[] = []
  for (let right = size - 1; right >= 1; right -= 2) {
    // The column of the timing pattern holds no data.
    if (right === 6) right = 5
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (types[y]![x] === QrCodeDataType.Data) order.push(y * size + x)
      }
    }
  }
  const mask = order.map((place) => ((place % size) + Math.floor(place / size) + 1) % 2)
  return { sample: flat(data), order: Uint16Array.from(order), mask: Uint8Array.from(mask) }
}

/** The byte mode, the length, the bytes; then the padding of the standard. */
function dataOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length > fullCapacity) throw new RangeError('More than a code holds')
  const data = new Uint8Array(dataCodewords)
  const put = (position: number, value: number) => {
    data[position]! |= value >> 4
    if (position + 1 < data.length) data[position + 1]! |= (value << 4) & 255
  }
  data[0] = 0x40
  put(0, bytes.length >> 8)
  put(1, bytes.length & 255)
  for (let i = 0; i < bytes.length; i++) put(i + 2, bytes[i]!)
  for (let i = bytes.length + 3, filling = 0xec; i < data.length; i++, filling ^= 0xfd) data[i] = filling
  return data
}

/** Data and correction codewords of all blocks, interleaved. */
function interleaved(data: Uint8Array): Uint8Array {
  const result = new Uint8Array(data.length + blocks.length * correction)
  let at = 0
  const parts = blocks.map((length) => {
    const part = data.subarray(at, at + length)
    at += length
    return { part, check: correctionOf(part) }
  })
  let next = 0
  for (let i = 0; i < 48; i++) {
    for (const { part } of parts) if (i < part.length) result[next++] = part[i]!
  }
  for (let i = 0; i < correction; i++) for (const { check } of parts) result[next++] = check[i]!
  return result
}

/** The field of 256 elements used for error correction. */
const [powers, logarithms] = [new Uint8Array(512), new Uint8Array(256)]
for (let i = 0, value = 1; i < 255; i++) {
  powers[i] = powers[i + 255] = value
  logarithms[value] = i
  value = (value << 1) ^ (value & 128 ? 0x11d : 0)
}

/** Logarithms of the generator's coefficients, from the second highest power down. */
const generator = makeGenerator()

function makeGenerator(): Uint8Array {
  let coefficients = Uint8Array.of(1)
  for (let root = 0; root < correction; root++) {
    const next = new Uint8Array(coefficients.length + 1)
    for (const [i, coefficient] of coefficients.entries()) {
      next[i]! ^= coefficient
      next[i + 1]! ^= coefficient === 0 ? 0 : powers[logarithms[coefficient]! + root]!
    }
    coefficients = next
  }
  return coefficients.slice(1).map((coefficient) => logarithms[coefficient]!)
}

function correctionOf(part: Uint8Array): Uint8Array {
  const rest = new Uint8Array(correction)
  for (const codeword of part) {
    const factor = codeword ^ rest[0]!
    rest.copyWithin(0, 1)
    rest[correction - 1] = 0
    if (factor === 0) continue
    const power = logarithms[factor]!
    for (let i = 0; i < correction; i++) rest[i]! ^= powers[power + generator[i]!]!
  }
  return rest
}
