/** CSV as spreadsheets save it: UTF-8, UTF-16 or windows-1251; commas, semicolons or tabs. */
import {
  rowCollector,
  TableError,
  tableLimits,
  tableOf,
  visibleText,
  type RawRow,
  type ReadTable,
} from './table.ts'

export function readCsv(bytes: Uint8Array): ReadTable {
  const text = decoded(bytes)
  const separator = separatorOf(text)
  const { rows, add } = rowCollector()
  let number = 0
  for (const fields of records(text, separator)) {
    number++
    const row: RawRow = { number, cells: new Map(), problems: [] }
    for (const [column, field] of fields.entries()) {
      const seen = visibleText(field)
      if (seen === null) continue
      if (seen.length > tableLimits.cell) row.problems.push({ column, problem: 'cell-too-long' })
      else row.cells.set(column, seen)
    }
    add(row)
  }
  return tableOf(rows)
}

/** Text that is not valid UTF-8 is taken for windows-1251, which every Russian Excel without Unicode writes. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  const decode = (encoding: string) => new TextDecoder(encoding).decode(bytes)
  if (first === 0xff && second === 0xfe) return decode('utf-16le')
  if (first === 0xfe && second === 0xff) return decode('utf-16be')
  if (bytes.includes(0)) throw new TableError('not-a-table')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decode('windows-1251')
  }
}

/** The most frequent separator in the first line, outside quotes. Excel may name it in a line of its own: `sep=;`. */
function separatorOf(text: string): string {
  const [line = ''] = text.trimStart().split(/\r?\n|\r/, 1)
  const bare = line.replaceAll(/"(?:[^"]|"")*"/g, '')
  const counts = [';', ',', '\t'].map((one) => [bare.split(one).length, one] as const)
  return counts.toSorted(([a], [b]) => b - a)[0]![1]
}

/** RFC 4180: a field in quotes may hold separators, line breaks and doubled quotes. */
function* records(text: string, separator: string): Generator<string[]> {
  let at = /^sep=.\r?\n/i.exec(text)?.[0].length ?? 0
  let fields: string[] = []
  while (at <= text.length) {
    let field = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new TableError('broken')
        if (text[at] !== '"') field += text[at]
        else if (text[at + 1] === '"') field += text[++at]
        else break
      }
      at++
    }
    const from = at
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
    fields.push(field + text.slice(from, at))
    if (text[at] === separator) {
      at++
      if (fields.length > 16_384) throw new TableError('too-many-columns')
      continue
    }
    yield fields
    fields = []
    if (at >= text.length) return
    at += text.startsWith('\r\n', at) ? 2 : 1
    if (at >= text.length) return
  }
}
