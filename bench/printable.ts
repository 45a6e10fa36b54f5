/**
 * The printable document. `printable`: of a contract of 100 pages with pictures and five GOST signatures with
 * timestamps and OCSP responses, against reading the same file and writing it unchanged with the library that we use;
 * both warm, alternating, the best of each counts. `printableMemory`: the peak memory of a process that prints a file
 * of 20 MB and 500 pages.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PDFDocument, StandardFonts, type PDFFont } from '@cantoo/pdf-lib'
import { printDocument } from '@kelisim/server/outputs/printable/print.ts'
import { jobOf, signaturesOf } from '@kelisim/server/outputs/printable/testing-jobs.ts'
import { rounded, type Measure } from './parts/measure.ts'

const rounds = 15
const most = 3

export async function printable(): Promise<Measure> {
  return inFolder(async (folder) => {
    const [originalPath, outPath] = [join(folder, 'original.pdf'), join(folder, 'printed.pdf')]
    const original = await makeContract({ pages: 100, pictureEvery: 10, pictureSize: 60_000 })
    await writeFile(originalPath, original)
    const job = jobOf({ originalPath, outPath, signatures: await signaturesOf(original, 5) })
    let [value, anchor] = [Infinity, Infinity]
    for (let round = 0; round < rounds; round++) {
      value = Math.min(value, await timeOf(() => printDocument(job)))
      anchor = Math.min(anchor, await timeOf(() => unchanged(originalPath, outPath)))
    }
    const ratio = rounded(value / anchor)
    return {
      name: 'printable',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio,
      goal: `<= ${most} × the time of reading the PDF and writing it unchanged`,
      ok: ratio <= most,
      note: `${(original.length / 1e6).toFixed(1)} MB, milliseconds`,
    }
  })
}

async function unchanged(from: string, to: string): Promise<void> {
  const document = await PDFDocument.load(await readFile(from), { updateMetadata: false })
  await writeFile(to, await document.save())
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const limit = 300

export async function printableMemory(): Promise<Measure> {
  return inFolder(async (folder) => {
    const [originalPath, outPath] = [join(folder, 'original.pdf'), join(folder, 'printed.pdf')]
    const original = await makeContract({ pages: 500, pictureEvery: 2, pictureSize: 76_000 })
    await writeFile(originalPath, original)
    const job = jobOf({ originalPath, outPath, signatures: await signaturesOf(original, 5) })
    const jobPath = join(folder, 'job.json')
    await writeFile(
      jobPath,
      JSON.stringify(job, (_, part: unknown) => (part instanceof Uint8Array ? [...part] : part)),
    )
    // Measured in a separate process, because this one has made the file and still holds it.
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, 'parts', 'printable-process.ts'),
      jobPath,
    ])
    const value = Number(stdout) / 1024
    return {
      name: 'printableMemory',
      value: rounded(value),
      anchor: limit,
      ratio: rounded(value / limit),
      goal: `< ${limit} MB`,
      ok: value < limit,
      note: `${(original.length / 1e6).toFixed(1)} MB, 500 pages`,
    }
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Contract = { pages: number; pictureEvery: number; pictureSize: number }

/** Clauses in lines, a scan now and then; objects in compressed streams, as most programs write them. */
async function makeContract({ pages, pictureEvery, pictureSize }: Contract): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  for (let i = 0; i < pages; i++) {
    const page = document.addPage([595, 842])
    for (let row = 0; row < 44; row++) {
      page.drawText(lineOf(font, i * 44 + row), { x: 60, y: 780 - row * 16, size: 11, font })
    }
    if (i % pictureEvery === 0) {
      page.drawImage(await document.embedJpg(jpegOf(pictureSize, i)), {
        x: 60,
        y: 20,
        width: 120,
        height: 60,
      })
    }
  }
  return document.save()
}

const words =
  'the supplier shall deliver barley of third class to the store of the buyer within ten days after payment'

function lineOf(font: PDFFont, number: number): string {
  const list = words.split(' ')
  let line = `${1 + (number % 9)}.${number}`
  for (let i = number; font.widthOfTextAtSize(line, 11) < 440; i++) line += ` ${list[(i * 7) % list.length]}`
  return line
}

/** The header of an 8 by 8 JPEG and incompressible bytes: it is never displayed. */
function jpegOf(size: number, seed: number): Uint8Array {
  const head = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc0001108000800080301220002110103110100',
    'hex',
  )
  const bytes = Buffer.alloc(size)
  let state = seed + 1
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[i] = (state >>> 24) % 255
  }
  return Buffer.concat([head, bytes, Buffer.from('ffd9', 'hex')])
}
