/** For tests: an XLSX made of the XML of its sheet. */
import { createWriteStream, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

type Parts = {
  /** The content of sheetData, whole or in pieces. */
  rows: string | Iterable<string>
  /** What follows sheetData. */
  after?: string
  strings?: string
  /** Format codes: style 1 has the first one, and so on. */
  formats?: string[]
  workbook?: string
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`

export async function makeXlsx({
  rows,
  after = '',
  strings = '',
  formats = [],
  workbook,
}: Parts): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'kelisim-xlsx-')), 'table.xlsx')
  const zip = new ZipFile()
  const add = (name: string, xml: string) => zip.addBuffer(Buffer.from(xml), name)
  add(
    '_rels/.rels',
    `<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  )
  add(
    'xl/workbook.xml',
    workbook ?? '<workbook><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
  )
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'styles', 'styles.xml')}${relation('rId3', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
  )
  const codes = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`)
  const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`)
  add(
    'xl/styles.xml',
    `<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
  )
  add('xl/sharedStrings.xml', `<sst>${strings}</sst>`)
  const sheet = function* () {
    yield '<worksheet><sheetData>'
    yield* typeof rows === 'string' ? [rows] : rows
    yield `</sheetData>${after}</worksheet>`
  }
  zip.addReadStream(Readable.from(sheet()), 'xl/worksheets/sheet1.xml')
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}
