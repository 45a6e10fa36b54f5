/** Unpacks the streams that hold the structure of a file: cross-references, objects, evidence. */
import { joined } from '../asn1/values.ts'
import { PdfError, isArray, isCount, isDict, isName, type PdfStream, type PdfValue } from './values.ts'

/** Real streams are far smaller; a few kilobytes can be made to unpack to gigabytes. */
const maxLength = 64 * 1024 ** 2

export async function unpacked({ dict, data }: PdfStream, most: number = maxLength): Promise<Uint8Array> {
  const filters = listOf(dict.entries.get('Filter'))
  const parameters = listOf(dict.entries.get('DecodeParms'))
  let bytes = data
  for (const [i, filter] of filters.entries()) {
    if (!isName(filter, 'FlateDecode')) throw new PdfError('Packed in a way that is not read')
    bytes = withoutPredictor(await inflated(bytes, most), parameters[i])
  }
  return bytes
}

function listOf(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return []
  return isArray(value) ? value : [value]
}

async function inflated(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    const packed = new Blob([Uint8Array.from(bytes)]).stream()
    for await (const piece of packed.pipeThrough(new DecompressionStream('deflate'))) {
      length += piece.length
      if (length > most) break
      pieces.push(piece)
    }
  } catch (error) {
    throw new PdfError('A stream cannot be unpacked', { cause: error })
  }
  if (length > most) throw new PdfError('A stream unpacks to too much')
  return joined(pieces)
}

/** Undoes PNG prediction (RFC 2083, 6), with which cross-references are usually compressed. */
function withoutPredictor(bytes: Uint8Array, parameters: PdfValue | undefined): Uint8Array {
  const entries = isDict(parameters) ? parameters.entries : new Map<string, PdfValue>()
  const predictor = entries.get('Predictor') ?? 1
  if (predictor === 1) return bytes
  const columns = entries.get('Columns') ?? 1
  const isOfBytes = (entries.get('Colors') ?? 1) === 1 && (entries.get('BitsPerComponent') ?? 8) === 8
  if (!isCount(predictor) || predictor < 10 || predictor > 15 || !isCount(columns) || !isOfBytes)
    throw new PdfError('Packed in a way that is not read')
  const rows = Math.floor(bytes.length / (columns + 1))
  const out = new Uint8Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (columns + 1)]!
    for (let i = 0; i < columns; i++) {
      const left = i > 0 ? out[row * columns + i - 1]! : 0
      const above = row > 0 ? out[(row - 1) * columns + i]! : 0
      const corner = i > 0 && row > 0 ? out[(row - 1) * columns + i - 1]! : 0
      const packed = bytes[row * (columns + 1) + 1 + i]!
      out[row * columns + i] = packed + predicted(kind, left, above, corner)
    }
  }
  return out
}

function predicted(kind: number, left: number, above: number, corner: number): number {
  if (kind === 0) return 0
  if (kind === 1) return left
  if (kind === 2) return above
  if (kind === 3) return Math.floor((left + above) / 2)
  if (kind !== 4) throw new PdfError('A row is packed in a way that does not exist')
  const estimate = left + above - corner
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}
