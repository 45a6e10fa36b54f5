/**
 * The first visible sheet of an XLSX, read as a stream: memory is limited by the number of rows that are not empty,
 * not by the length of the file (docs/decisions/034-tables.md).
 */
import { Parser } from 'htmlparser2'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { cellFormat, shownNumber, type CellFormat } from './cell-format.ts'
import {
  rowCollector,
  TableError,
  tableLimits,
  tableOf,
  visibleText,
  type RawRow,
  type ReadTable,
} from './table.ts'

export async function readXlsx(path: string): Promise<ReadTable> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    const parts = await partsOf(zip)
    const budget = { left: tableLimits.unpacked }
    const read = (name: string, handlers: Handlers) => {
      const entry = parts.get(name.toLowerCase())
      return entry ? readPart(zip, entry, budget, handlers) : Promise.resolve(false)
    }
    const book = await readBook(read)
    const [formats, strings] = [await readFormats(read, book.styles), await readStrings(read, book.strings)]
    return await readSheet(read, book, { formats, strings })
  } finally {
    zip.close()
  }
}

async function partsOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > tableLimits.entries) throw new TableError('too-large')
  const parts = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (parts.size >= tableLimits.entries) throw new TableError('too-large')
    if (entry.isEncrypted()) throw new TableError('encrypted')
    const name = entry.fileName.toLowerCase()
    // If two parts have the same name, different programs read different ones.
    if (parts.has(name)) throw new TableError('broken')
    parts.set(name, entry)
  }
  return parts
}

type Handlers = {
  open?: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}
type Read = (name: string, handlers: Handlers) => Promise<boolean>

/** Names come without the prefix of their namespace. */
async function readPart(
  zip: ZipFile,
  entry: Entry,
  budget: { left: number },
  { open, text, close }: Handlers,
): Promise<true> {
  let failure: Error | null = null
  const guarded =
    <A extends unknown[]>(handle: ((...given: A) => void) | undefined) =>
    (...given: A) => {
      if (failure) return
      try {
        handle?.(...given)
      } catch (error) {
        failure = error as Error
      }
    }
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentag: guarded((name, attributes) => open?.(local(name), attributes)),
      ontext: guarded((words) => text?.(words)),
      onclosetag: guarded((name) => close?.(local(name))),
      // Entities that the file defines could expand a short text without limit.
      onprocessinginstruction: guarded((name) => {
        if (/^!doctype/i.test(name)) throw new TableError('broken')
      }),
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const stream = await zip.openReadStreamPromise(entry)
  for await (const piece of stream as AsyncIterable<Buffer>) {
    budget.left -= piece.length
    if (budget.left < 0) throw new TableError('too-large')
    parser.write(decoder.decode(piece, { stream: true }))
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- set by the handlers
    if (failure) throw failure
  }
  parser.end()
  return true
}

type Book = { sheet: string; styles: string | null; strings: string | null; is1904: boolean }

async function readBook(read: Read): Promise<Book> {
  let workbook = ''
  await read('_rels/.rels', {
    open: (name, { Type = '', Target = '' }) => {
      if (name === 'Relationship' && Type.endsWith('/officeDocument')) workbook = resolved('', Target)
    },
  })
  const sheets: { id: string; isHidden: boolean }[] = []
  let is1904 = false
  const isThere = await read(workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      sheets.push({ id, isHidden: /hidden/i.test(attributes['state'] ?? '') })
    },
  })
  const first = sheets.find(({ isHidden }) => !isHidden)
  if (!isThere || !first) throw new TableError('not-a-table')
  const folder = workbook.slice(0, workbook.lastIndexOf('/') + 1)
  const file = workbook.slice(folder.length)
  const book: Book = { sheet: '', styles: null, strings: null, is1904 }
  await read(`${folder}_rels/${file}.rels`, {
    open: (name, { Id, Type = '', Target = '' }) => {
      if (name !== 'Relationship') return
      if (Id === first.id) book.sheet = resolved(folder, Target)
      if (Type.endsWith('/styles')) book.styles = resolved(folder, Target)
      if (Type.endsWith('/sharedStrings')) book.strings = resolved(folder, Target)
    },
  })
  return book
}

function resolved(folder: string, target: string): string {
  return new URL(target, `http://x/${folder}`).pathname.slice(1)
}

async function readFormats(read: Read, part: string | null): Promise<CellFormat[]> {
  const codes = new Map<number, string>()
  const formats: CellFormat[] = []
  let isInCells = false
  if (part === null) return formats
  await read(part, {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      if (name === 'cellXfs') isInCells = true
      if (name !== 'xf' || !isInCells) return
      const id = Number(attributes['numFmtId'] ?? 0)
      formats.push(cellFormat(id, codes.get(id)))
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return formats
}

/** The shared strings: of rich text only the words, without phonetic hints (rPh). */
async function readStrings(read: Read, part: string | null): Promise<string[]> {
  const strings: string[] = []
  if (part === null) return strings
  let [words, isText, phonetic] = ['', false, 0]
  await read(part, {
    open: (name) => {
      if (name === 'si') words = ''
      if (name === 't') isText = true
      if (name === 'rPh') phonetic++
    },
    text: (piece) => {
      // Text just beyond the limit is enough to know that the cell is too long.
      if (isText && phonetic === 0 && words.length <= tableLimits.cell) words += piece
    },
    close: (name) => {
      if (name === 't') isText = false
      if (name === 'rPh') phonetic--
      if (name === 'si') strings.push(words)
    },
  })
  return strings
}

type CellRead = {
  column: number
  type: string
  style: number
  hasFormula: boolean
  value: string
  inline: string
}

async function readSheet(
  read: Read,
  { sheet, is1904 }: Book,
  { formats, strings }: { formats: CellFormat[]; strings: string[] },
): Promise<ReadTable> {
  const { rows, add } = rowCollector()
  const merged: string[] = []
  let row: RawRow = { number: 0, cells: new Map(), problems: [] }
  let cell: CellRead | null = null
  let place: 'value' | 'inline' | null = null
  let nextColumn = 0

  function finish({ column, ...read_ }: CellRead): void {
    const shown = textOf(read_, { formats, strings, is1904 })
    if (shown === null) return
    if ('problem' in shown) row.problems.push({ column, problem: shown.problem })
    else row.cells.set(column, shown.text)
  }

  const isThere = await read(sheet, {
    open: (name, attributes) => {
      if (name === 'row') {
        row = { number: Number(attributes['r']) || row.number + 1, cells: new Map(), problems: [] }
        nextColumn = 0
      } else if (name === 'c') {
        const column = columnOf(attributes['r']) ?? nextColumn
        nextColumn = column + 1
        const style = Number(attributes['s'] ?? 0)
        cell = { column, type: attributes['t'] ?? 'n', style, hasFormula: false, value: '', inline: '' }
      } else if (name === 'f' && cell) cell.hasFormula = true
      else if (name === 'v') place = 'value'
      else if (name === 't') place = 'inline'
      else if (name === 'mergeCell' && merged.length < 100_000) merged.push(attributes['ref'] ?? '')
    },
    text: (piece) => {
      if (cell && place && cell[place].length <= tableLimits.cell) cell[place] += piece
    },
    close: (name) => {
      if (name === 'v' || name === 't') place = null
      if (name === 'c' && cell) {
        finish(cell)
        cell = null
      }
      if (name === 'row') add(row)
    },
  })
  if (!isThere) throw new TableError('broken')
  noteMerged(rows, merged)
  return tableOf(rows)
}

type Shown = { text: string } | { problem: RawRow['problems'][number]['problem'] } | null

/**
 * The text of a cell. A formula counts as the value that its program has computed, because this is what people see.
 */
function textOf(
  { type, style, hasFormula, value, inline }: Omit<CellRead, 'column'>,
  { formats, strings, is1904 }: { formats: CellFormat[]; strings: string[]; is1904: boolean },
): Shown {
  if (type === 'e') return { problem: 'cell-error' }
  const given = type === 'inlineStr' ? inline : type === 's' ? (strings[Number(value)] ?? '') : value
  if (given === '' && hasFormula && type !== 'str') return { problem: 'formula-without-value' }
  if (given.length > tableLimits.cell) return { problem: 'cell-too-long' }
  const isNumber = type === 'n' && given !== ''
  const text = isNumber ? shownNumber(given, formats[style] ?? { kind: 'general' }, is1904) : given
  const seen = visibleText(type === 'b' ? (given === '1' ? 'TRUE' : 'FALSE') : (text ?? given))
  return seen === null ? null : { text: seen }
}

/** The index of the column of a cell: 27 for AB12. */
function columnOf(place: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  return letters === undefined
    ? null
    : Array.from(letters).reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1
}

/** A file does not tell whether a merged cell belongs to all its rows or to the first, so its rows get a problem. */
function noteMerged(rows: readonly RawRow[], merged: readonly string[]): void {
  for (const range of merged) {
    const [from = '', to = from] = range.split(':')
    const [first, last] = [Number(/\d+/.exec(from)?.[0]), Number(/\d+/.exec(to)?.[0])]
    const column = columnOf(from)
    if (column === null) continue
    for (const row of rows) {
      if (row.number < first || row.number > last) continue
      if (!row.problems.some((one) => one.column === column))
        row.problems.push({ column, problem: 'merged-cells' })
    }
  }
}
