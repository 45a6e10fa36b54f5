/**
 * Writes a table as XLSX, row by row, so that a long one needs no memory. Every cell is text or a date: nothing that somebody
 * typed becomes a formula (docs/decisions/034-tables.md).
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { day } from '@kelisim/domain/durations.ts'
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import type { ServedFile } from '../http/files.ts'
import { columnName } from './table.ts'

/** A day as YYYY-MM-DD, or text. */
export type Cell = string | { day: string }
export type TableColumn = { title: string; width: number }

export type Table = {
  /** At most 31 characters are used, without those that a spreadsheet refuses. */
  sheet: string
  columns: readonly TableColumn[]
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>
}

/** Writes the table into a file that is removed after it has been sent. */
export async function giveXlsx(table: Table, name: string): Promise<ServedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-table-'))
  const release = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'table.xlsx')
  try {
    await writeXlsx(table, path)
    const { size } = await stat(path)
    return { path, size, name, mediaType: mediaTypes.xlsx, release }
  } catch (error) {
    await release()
    throw error
  }
}

export async function writeXlsx(table: Table, path: string): Promise<void> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(fixedParts)) zip.addBuffer(Buffer.from(text), name)
  zip.addBuffer(Buffer.from(workbook(table.sheet)), 'xl/workbook.xml')
  zip.addReadStream(Readable.from(sheetXml(table)), 'xl/worksheets/sheet1.xml')
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}

async function* sheetXml({ columns, rows }: Table): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  )
  yield (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `<cols>${widths.join('')}</cols><sheetData>`
  )
  yield rowXml(
    1,
    columns.map(({ title }) => title),
    styles.head,
  )
  let number = 1
  for await (const row of rows) yield rowXml(++number, row, styles.text)
  yield '</sheetData></worksheet>'
}

const styles = { head: 1, text: 2, day: 3 } as const

function rowXml(number: number, cells: readonly Cell[], style: number): string {
  const xml = cells.map((cell, i) => {
    const place = `r="${columnName(i)}${number}"`
    if (typeof cell !== 'string') return `<c ${place} s="${styles.day}"><v>${serialDay(cell.day)}</v></c>`
    if (cell === '') return ''
    return `<c ${place} s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  })
  return `<row r="${number}">${xml.join('')}</row>`
}

/** Spreadsheets count days from the end of 1899. */
const dayZero = Date.UTC(1899, 11, 30)

function serialDay(date: string): number {
  return (Date.parse(`${date}T00:00:00Z`) - dayZero) / day
}

/** Escapes a text for XML, without the characters that XML 1.0 does not allow. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  return escapeHtml(
    text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''),
  )
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function workbook(sheet: string): string {
  const name =
    sheet
      .replaceAll(/[[\]:*?/\\']/g, ' ')
      .trim()
      .slice(0, 31) || 'Sheet1'
  return (
    `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>` +
    `<sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`
  )
}

const fixedParts = {
  '[Content_Types].xml':
    `${declaration}<Types xmlns="${packaged}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels':
    `${declaration}<Relationships xmlns="${packaged}/relationships">` +
    `<Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels':
    `${declaration}<Relationships xmlns="${packaged}/relationships">` +
    `<Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  // Cells: plain, bold heading, text (@), day.
  'xl/styles.xml':
    `${declaration}<styleSheet xmlns="${main}">` +
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts>' +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>',
} as const
