/** An xlsx file as tables of text: stored values, with dates and percentages formatted. Formulas are not computed. */
import { openZip, type Zip } from './unzip.ts'

export type Sheet = {
  name: string
  rows: string[][]
  /** The sheet has more rows or columns than are shown. */
  isCut: boolean
}

export const limits = { rows: 500, columns: 50, sheets: 20 }

export async function readWorkbook(bytes: ArrayBuffer): Promise<Sheet[]> {
  const zip = openZip(bytes)
  const workbook = await readXml(zip, 'xl/workbook.xml')
  const relations = await readXml(zip, 'xl/_rels/workbook.xml.rels')
  if (!workbook || !relations) throw new Error('a workbook without its parts')
  const targets = new Map(
    elementsOf(relations, 'Relationship').map((one) => [
      one.getAttribute('Id'),
      one.getAttribute('Target') ?? '',
    ]),
  )
  const strings = stringsOf(await readXml(zip, 'xl/sharedStrings.xml'))
  const formats = formatsOf(await readXml(zip, 'xl/styles.xml'))
  const sheets: Sheet[] = []
  for (const sheet of elementsOf(workbook, 'sheet').slice(0, limits.sheets)) {
    if (sheet.getAttribute('state')?.toLowerCase().includes('hidden')) continue
    const id = [...sheet.attributes].find(
      ({ localName, prefix }) => localName === 'id' && prefix !== null,
    )?.value
    const target = targets.get(id ?? '') ?? ''
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    const content = await readXml(zip, path)
    if (content) sheets.push(sheetOf(sheet.getAttribute('name') ?? '', content, strings, formats))
  }
  return sheets
}

async function readXml(zip: Zip, name: string): Promise<Document | null> {
  const text = await zip.read(name)
  return text === null ? null : new DOMParser().parseFromString(text, 'application/xml')
}

function elementsOf(parent: Document | Element, name: string): Element[] {
  return [...parent.getElementsByTagNameNS('*', name)]
}

function stringsOf(xml: Document | null): string[] {
  return xml ? elementsOf(xml, 'si').map(textOf) : []
}

/** The runs of a text, without phonetic hints. */
function textOf(element: Element): string {
  return elementsOf(element, 't')
    .filter((part) => part.parentElement?.localName !== 'rPh')
    .map((part) => part.textContent ?? '')
    .join('')
}

type Format = 'date' | 'moment' | 'time' | 'percent' | null

/** The number format of a cell by its style index. */
function formatsOf(xml: Document | null): Format[] {
  if (!xml) return []
  const own = new Map(
    elementsOf(xml, 'numFmt').map((one) => [
      Number(one.getAttribute('numFmtId')),
      one.getAttribute('formatCode') ?? '',
    ]),
  )
  const [styles] = elementsOf(xml, 'cellXfs')
  return styles
    ? elementsOf(styles, 'xf').map((xf) => formatOf(Number(xf.getAttribute('numFmtId')), own))
    : []
}

function formatOf(id: number, own: Map<number, string>): Format {
  if (id >= 14 && id <= 17) return 'date'
  if (id >= 18 && id <= 21) return 'time'
  if (id === 22) return 'moment'
  if (id === 9 || id === 10) return 'percent'
  const code = (own.get(id) ?? '').replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '').toLowerCase()
  const hasDay = /[dy]/.test(code)
  const hasHour = /h/.test(code)
  if (hasDay) return hasHour ? 'moment' : 'date'
  if (hasHour) return 'time'
  return code.includes('%') ? 'percent' : null
}

function sheetOf(name: string, xml: Document, strings: string[], formats: Format[]): Sheet {
  const rows: string[][] = []
  let isCut = false
  for (const row of elementsOf(xml, 'row')) {
    const y = Number(row.getAttribute('r') ?? rows.length + 1) - 1
    if (y >= limits.rows) {
      isCut = true
      break
    }
    while (rows.length <= y) rows.push([])
    for (const cell of elementsOf(row, 'c')) {
      const cells = rows[y]!
      const x = columnOf(cell.getAttribute('r')) ?? cells.length
      if (x >= limits.columns) isCut = true
      else {
        while (cells.length <= x) cells.push('')
        cells[x] = valueOf(cell, strings, formats)
      }
    }
  }
  return { name, rows, isCut }
}

/** The column index of a cell reference: B7 is in the second column. */
export function columnOf(place: string | null): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(place ?? '')?.[1]
  if (letters === undefined) return null
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueOf(cell: Element, strings: string[], formats: Format[]): string {
  const type = cell.getAttribute('t') ?? 'n'
  if (type === 'inlineStr') return textOf(cell)
  const value = elementsOf(cell, 'v')[0]?.textContent ?? ''
  if (value === '') return ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? '✓' : '—'
  if (type !== 'n') return value
  return shown(Number(value), formats[Number(cell.getAttribute('s') ?? 0)] ?? null)
}

const plain = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 10 })
const percent = new Intl.NumberFormat('ru-RU', { style: 'percent', maximumFractionDigits: 2 })

/** Excel counts days from 30 December 1899. */
export function shown(value: number, format: Format): string {
  if (!Number.isFinite(value)) return ''
  if (format === 'percent') return percent.format(value)
  if (format === null) return plain.format(value)
  const moment = new Date(Date.UTC(1899, 11, 30) + Math.round(value * 86_400) * 1000)
  if (Number.isNaN(moment.getTime())) return plain.format(value)
  const [day, time] = [moment.toISOString().slice(0, 10), moment.toISOString().slice(11, 16)]
  const date = day.split('-').toReversed().join('.')
  if (format === 'date') return date
  return format === 'time' ? time : `${date} ${time}`
}
