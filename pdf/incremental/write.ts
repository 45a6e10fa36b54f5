/**
 * Writes the printable document: the original's bytes with new objects appended, or everything again. Embedded files
 * come before all other new objects, and compressed: a reader that searches the file for objects must find ours last,
 * and none inside of them. The original is compressed while it is read, so that it is never held twice.
 */
import { createReadStream } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { createDeflate, deflateSync } from 'node:zlib'
import {
  PDFArray,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  type PDFDict,
  type PDFObject,
  type PDFRef,
} from '@cantoo/pdf-lib'
import type { Original } from './original.ts'

/** An embedded file, whose bytes are compressed while written. */
export type EmbeddedStream = { ref: PDFRef; dict: PDFDict; from: { path: string } | { bytes: Uint8Array } }

export type Writing = {
  originalPath: string
  outPath: string
  embedded: readonly EmbeddedStream[]
  /** The id of this document, derived from its content. */
  id: string
}

export async function writePrintable(original: Original, writing: Writing): Promise<number> {
  const { before, context } = original
  if (before) await copyFile(writing.originalPath, writing.outPath)
  const file = await open(writing.outPath, before ? 'a' : 'w')
  try {
    const out = outputTo((bytes) => file.appendFile(bytes), before?.length ?? 0)
    // A comment with bytes above 127, as the standard requires, so that the file is not taken for text.
    await out.put(Buffer.from(before ? '\n' : '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'))
    const lengths = writing.embedded.map(({ dict }) => {
      const ref = context.nextRef()
      dict.set(PDFName.of('Length'), ref)
      return ref
    })
    for (const [i, stream] of writing.embedded.entries()) await putEmbedded(out, stream, lengths[i]!)
    for (const [ref, object] of context.enumerateIndirectObjects()) {
      await out.putObject(ref, object)
    }
    await putTable(out, original, writing.id)
    await out.flush()
    return out.at()
  } finally {
    await file.close()
  }
}

export type Output = ReturnType<typeof outputTo>

const pieceSize = 256 * 1024

/** Collects what is written after the first `start` bytes, and notes where each object stands. */
export function outputTo(append: (bytes: Buffer) => Promise<void>, start: number) {
  const places = new Map<PDFRef, number>()
  let pieces: Uint8Array[] = []
  let [waiting, position] = [0, start]
  async function flush() {
    if (waiting > 0) await append(Buffer.concat(pieces))
    pieces = []
    waiting = 0
  }
  async function put(bytes: Uint8Array) {
    pieces.push(bytes)
    waiting += bytes.length
    position += bytes.length
    if (waiting > pieceSize) await flush()
  }
  const begin = (ref: PDFRef) => {
    places.set(ref, position)
    return put(Buffer.from(`${ref.objectNumber} ${ref.generationNumber} obj\n`, 'latin1'))
  }
  return {
    put,
    flush,
    begin,
    places,
    at: () => position,
    /** Leaves room for bytes that are written elsewhere. */
    skip(count: number) {
      position += count
    },
    async putObject(ref: PDFRef, object: PDFObject) {
      await begin(ref)
      await put(serialized(object))
      await put(Buffer.from('\nendobj\n'))
    },
  }
}

export function serialized(object: PDFObject): Uint8Array {
  const bytes = new Uint8Array(object.sizeInBytes())
  object.copyBytesInto(bytes, 0)
  return bytes
}

async function putEmbedded(out: Output, { ref, dict, from }: EmbeddedStream, length: PDFRef): Promise<void> {
  dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'))
  await out.begin(ref)
  await out.put(serialized(dict))
  await out.put(Buffer.from('\nstream\n'))
  const start = out.at()
  if ('bytes' in from) await out.put(deflateSync(from.bytes))
  else {
    // Most of a PDF is compressed already: the fastest level gains nearly everything.
    const packed = createReadStream(from.path, { highWaterMark: pieceSize }).pipe(
      createDeflate({ level: 1, chunkSize: pieceSize }),
    )
    for await (const piece of packed as AsyncIterable<Buffer>) await out.put(piece)
  }
  const size = out.at() - start
  await out.put(Buffer.from('\nendstream\nendobj\n'))
  await out.putObject(length, PDFNumber.of(size))
}

type Row = { number: number; generation: number; at: number }

export async function putTable(out: Output, original: Original, id: string): Promise<void> {
  const { context, before } = original
  const trailer = context.obj({ Root: original.catalog.ref })
  if (original.info) trailer.set(PDFName.of('Info'), original.info)
  trailer.set(PDFName.of('ID'), idsOf(original, id))
  if (before) trailer.set(PDFName.of('Prev'), PDFNumber.of(before.references.start))
  const rows = [...out.places].map(([{ objectNumber, generationNumber }, at]): Row => {
    return { number: objectNumber, generation: generationNumber, at }
  })
  if (!before) rows.push({ number: 0, generation: 65535, at: 0 })
  const start = out.at()
  if (before?.references.areStreams) await putStreamTable(out, context, trailer, rows)
  else {
    trailer.set(PDFName.of('Size'), PDFNumber.of(context.largestObjectNumber + 1))
    const table = runsOf(rows).map((run) => `${run[0]!.number} ${run.length}\n${run.map(plainRow).join('')}`)
    await out.put(Buffer.from(`xref\n${table.join('')}trailer\n`, 'latin1'))
    await out.put(serialized(trailer))
  }
  await out.put(Buffer.from(`\nstartxref\n${start}\n%%EOF\n`, 'latin1'))
}

const plainRow = ({ number, generation, at }: Row) =>
  `${String(at).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${number === 0 ? 'f' : 'n'} \n`

async function putStreamTable(
  out: Output,
  context: Original['context'],
  trailer: PDFDict,
  others: readonly Row[],
): Promise<void> {
  const ref = context.nextRef()
  const runs = runsOf([...others, { number: ref.objectNumber, generation: 0, at: out.at() }])
  const data = Buffer.concat(
    runs.flat().map(({ generation, at }) => {
      const row = Buffer.alloc(8)
      row[0] = 1
      row.writeUIntBE(at, 1, 5)
      row.writeUInt16BE(generation, 6)
      return row
    }),
  )
  const table = {
    Type: 'XRef',
    Size: context.largestObjectNumber + 1,
    W: [1, 5, 2],
    Length: data.length,
    Index: runs.flatMap((run) => [run[0]!.number, run.length]),
  }
  for (const [key, value] of context.obj(table).entries()) trailer.set(key, value)
  await out.putObject(ref, PDFRawStream.of(trailer, data))
}

/** Groups rows into runs of consecutive object numbers. */
function runsOf(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = []
  for (const row of rows.toSorted((one, other) => one.number - other.number)) {
    const last = runs.at(-1)
    if (last && last.at(-1)!.number + 1 === row.number) last.push(row)
    else runs.push([row])
  }
  return runs
}

/** The first id is permanent, the second identifies this version. */
function idsOf({ context, id }: Original, own: string): PDFArray {
  const first = id instanceof PDFArray && id.size() > 0 ? id.get(0) : PDFHexString.of(own)
  return context.obj([first, PDFHexString.of(own)])
}
