/** For tests: small PDFs with active content, and the check of one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { withTable } from '@kelisim/demo/sample-files.ts'
import type { CheckResult } from './check-job.ts'
import { checkPdf } from './pdf.ts'

export async function faultOf(pdf: Uint8Array): Promise<CheckResult> {
  const folder = mkdtempSync(join(tmpdir(), 'active-'))
  const path = join(folder, 'a.pdf')
  await writeFile(path, pdf)
  const file = await open(path)
  try {
    return await checkPdf(file, pdf.length)
  } finally {
    await file.close()
    rmSync(folder, { recursive: true })
  }
}

/**
 * A PDF with one page, and further entries of the catalog, the page and the trailer. The first of the further objects
 * has the number 4.
 */
export function pdfWith({ catalog = '', page = '', trailer = '' }, ...more: string[]): Buffer {
  return withTable(
    '%PDF-1.7\n',
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${page} >>`,
      ...more,
    ],
    trailer,
  )
}

export const script = '<< /S /JavaScript /JS (this.getField("price").value = 1) >>'

type Packing = {
  /** Further entries of the dictionary. */
  dictionary?: string
  filter?: string
  pack?: (bytes: Buffer) => Buffer
  /** What stands between the dictionary and the data. */
  beginning?: string
}

/** One object, number 9, in a stream of objects; no table names it, as if somebody were hiding it. */
export function packed(object: string, packing: Packing = {}): string {
  const { dictionary = '/Type /ObjStm', filter = '/Filter /FlateDecode', pack = deflateSync } = packing
  const data = pack(Buffer.from(`9 0 ${object}`, 'latin1')).toString('latin1')
  const { beginning = '\nstream\n' } = packing
  return `<< ${dictionary} /N 1 /First 4 ${filter} /Length ${data.length} >>${beginning}${data}\nendstream`
}

/** Rows of eight bytes, each predicted from the one above. */
export function predictedUp(bytes: Buffer): Buffer {
  const rows: number[] = []
  for (let at = 0; at < bytes.length; at += 8) {
    rows.push(2)
    for (let i = at; i < at + 8; i++)
      rows.push(((bytes[i] ?? 32) - (i >= 8 ? (bytes[i - 8] ?? 32) : 0)) & 255)
  }
  return Buffer.from(rows)
}

/** A PDF with one page, whose table says that objects with these numbers are in the stream, which is object 10. */
export function pdfWithPacked(
  { catalog = '', page = '' },
  stream: string,
  inside: readonly number[] = [9],
): Buffer {
  let text = '%PDF-1.7\n'
  const bodies: Record<number, string> = {
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${page} >>`,
    10: stream,
  }
  const row = (kind: number, place: number, rest: number) => [kind, place >> 16, place >> 8, place, rest]
  const rows = [row(0, 0, 0)]
  for (let number = 1; number <= 10; number++) {
    const body = bodies[number]
    if (body === undefined) {
      rows.push(inside.includes(number) ? row(2, 10, inside.indexOf(number)) : row(0, 0, 0))
      continue
    }
    rows.push(row(1, text.length, 0))
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const start = text.length
  const table = Buffer.from([...rows, row(1, start, 0)].flat()).toString('latin1')
  text +=
    `11 0 obj\n<< /Type /XRef /Size 12 /W [1 3 1] /Root 1 0 R /Length ${table.length} >>\n` +
    `stream\n${table}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
