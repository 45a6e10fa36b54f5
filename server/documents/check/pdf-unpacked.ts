/**
 * Whether the streams of a PDF are larger than allowed when they are unpacked. They are found without a reader of PDF and
 * unpacked up to a budget for the whole file, before any reader, which would unpack without limits, sees the file. Pictures are
 * left out, because nothing here draws them. What is hidden from this search meets the memory limit of the process.
 */
import { decodeAscii85, decodeHex, decodeLzw, decodeRuns, inflateUpTo } from './pdf-filters.ts'

const megabyte = 1024 * 1024
/** The most that one stream and all streams together may have, unpacked. */
const largest = { stream: 64 * megabyte, file: 200 * megabyte }
/** A reader that follows wrong lengths would read the same bytes again and again. */
const mostRead = 4
const mostFilters = 8

class UnpacksTooLarge extends Error {}

export async function unpacksTooLarge(pdf: Buffer): Promise<boolean> {
  const budget = { unpacked: largest.file, read: pdf.length * mostRead + megabyte }
  try {
    for (const stream of streamsOf(pdf)) {
      if (!stream.isPicture) await unpack(stream, budget)
    }
    return false
  } catch (error) {
    if (error instanceof UnpacksTooLarge) return true
    throw error
  }
}

type Stream = { data: Buffer; filters: string[] | null; isPicture: boolean }
type Budget = { unpacked: number; read: number }

/** A dictionary that is longer belongs to no stream that programs write. */
const longestDictionary = 8192

function* streamsOf(pdf: Buffer): Generator<Stream> {
  for (let at = pdf.indexOf('stream'); at >= 0; at = pdf.indexOf('stream', at + 6)) {
    if (pdf[at - 1] === letterD) continue // endstream
    const before = pdf.toString('latin1', Math.max(0, at - longestDictionary), at)
    const own = before.slice(before.lastIndexOf('obj') + 3)
    if (!/>>\s*$/.test(own)) continue
    const names = withoutEscapes(own)
    const start = afterLineEnd(pdf, at + 6)
    const length = Number(/\/Length\s+(\d{1,10})(?!\d|\s+\d+\s+R)/.exec(names)?.[1] ?? 0)
    const end = pdf.indexOf('endstream', start)
    const until = Math.max(end < 0 ? pdf.length : end, Math.min(start + length, pdf.length))
    yield {
      data: pdf.subarray(start, until),
      filters: filtersIn(names, pdf),
      isPicture: /\/Subtype\s*\/Image\b/.test(names),
    }
  }
}

const letterD = 'd'.charCodeAt(0)

function afterLineEnd(pdf: Buffer, at: number): number {
  if (pdf[at] === 13) return pdf[at + 1] === 10 ? at + 2 : at + 1
  return pdf[at] === 10 ? at + 1 : at
}

/** In names any character may be written as # and two digits. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/#([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

const filterEntry = /\/(?:Filter|F)\s*(\[[^\]]*\]|\/[A-Za-z0-9]+|\d+\s+\d+\s+R)/

/** In their order; null: it cannot be said. */
function filtersIn(dictionary: string, pdf: Buffer): string[] | null {
  const entry = filterEntry.exec(dictionary)?.[1]
  if (entry === undefined) return /\/(?:Filter|F)\b/.test(dictionary) ? null : []
  const reference = /^(\d+)\s+(\d+)\s+R$/.exec(entry)
  if (!reference) return /\bR\b/.test(entry) ? null : namesIn(entry)
  const at = pdf.indexOf(`\n${reference[1]} ${reference[2]} obj`)
  if (at < 0) return null
  const object = pdf.toString('latin1', at, Math.min(at + 512, pdf.length))
  const value = /obj\s*(\[[^\]]*\]|\/\S+)/.exec(withoutEscapes(object))?.[1]
  return value === undefined ? null : namesIn(value)
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\/([A-Za-z0-9]+)/g)].map((match) => match[1]!)
}

async function unpack({ data, filters }: Stream, budget: Budget): Promise<void> {
  let left = data
  const chain = filters ?? Array<string>(mostFilters).fill('Unknown')
  for (const filter of chain.slice(0, mostFilters)) {
    budget.read -= left.length
    const most = Math.min(largest.stream, budget.unpacked)
    if (budget.read < 0) throw new UnpacksTooLarge()
    const unpacked = await decode(filter, left, most)
    if (!unpacked) return
    if (unpacked.length > most) throw new UnpacksTooLarge()
    budget.unpacked -= unpacked.length
    left = unpacked
  }
}

/** Null: nothing here unpacks it. At most one byte more than allowed. */
function decode(filter: string, data: Buffer, most: number): Buffer | null | Promise<Buffer | null> {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
    case 'Unknown':
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
