/**
 * Prints rich text to PDF without a browser. The same text and title always give the same bytes, independent of time and
 * machine, so that a repeated call gives the same document.
 */
import type {
  Alignment as PdfAlignment,
  Content,
  ContentTable,
  ContentText,
  CustomTableLayout,
  TDocumentDefinitions,
} from 'pdfmake/interfaces.js'
import {
  clauseNumber,
  columnsOf,
  everyInline,
  languageOf,
  placed,
  type Block,
  type Cell,
  type Inline,
  type Mark,
} from '@kelisim/domain/rich-text/rich-text.ts'
import { pdfBytes } from '@kelisim/pdf/make-pdf.ts'
import { millimetre } from '@kelisim/pdf/units.ts'

const page = { width: 210 * millimetre, left: 25 * millimetre, right: 15 * millimetre, edge: 20 * millimetre }
const textWidth = page.width - page.left - page.right
const size = 11
const headingSizes = { 1: 16, 2: 13, 3: 11.5 }
const ink = { line: '#6b7280', headFill: '#f1f3f4', blank: '#fdeebf', footer: '#5b6470' }

export function printPdf(blocks: readonly Block[], title: string): Promise<Buffer> {
  return pdfBytes(definition(blocks, title), [title, blocks])
}

function definition(blocks: readonly Block[], title: string): TDocumentDefinitions {
  return {
    pageSize: 'A4',
    pageMargins: [page.left, page.edge, page.right, page.edge + 6],
    defaultStyle: { font: 'Serif', fontSize: size, lineHeight: 1.2 },
    info: { title, creator: 'Kelisim', producer: 'Kelisim', creationDate: new Date(0) },
    language: languageOf(blocks),
    content: contentOf(withoutEmptyEnd(blocks), []),
    footer: (current, count) => ({
      text: `${current} / ${count}`,
      alignment: 'center',
      fontSize: 9,
      color: ink.footer,
      margin: [page.left, 18, page.right, 0],
    }),
  }
}

/** Editors leave an empty line at the end; it must not start a new page. */
function withoutEmptyEnd(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex((block) => block.kind !== 'paragraph' || block.inlines.length > 0)
  return blocks.slice(0, last + 1)
}

/** A page break is a property of the following block; at the end it is dropped. */
function contentOf(blocks: readonly Block[], path: readonly number[]): Content[] {
  const content: Content[] = []
  let breaks = false
  for (const block of blocks) {
    if (block.kind === 'pageBreak') {
      breaks = content.length > 0
      continue
    }
    const [first, ...rest] = blockContent(block, path)
    if (first === undefined) continue
    content.push(breaks ? { stack: [first], pageBreak: 'before' } : first, ...rest)
    breaks = false
  }
  return content
}

function blockContent(block: Exclude<Block, { kind: 'pageBreak' }>, path: readonly number[]): Content[] {
  switch (block.kind) {
    case 'paragraph':
      return [paragraph(block.inlines, block.align)]
    case 'heading':
      return [heading(block, '')]
    case 'list':
      if (block.style === 'clauses') return block.items.flatMap((item, i) => clause(item, [...path, i + 1]))
      return [markedList(block, path)]
    case 'table':
      return [table(block.rows, path)]
  }
}

function paragraph(inlines: readonly Inline[], align: PdfAlignment, number = ''): ContentText {
  return { text: textOf(inlines, number), alignment: align, margin: [0, 0, 0, 5] }
}

/** A heading must not be alone at the bottom of a page. */
function heading(block: Extract<Block, { kind: 'heading' }>, number: string): ContentText {
  const { level, align, inlines } = block
  return {
    text: textOf(inlines, number),
    alignment: align,
    bold: true,
    fontSize: headingSizes[level],
    margin: [0, level === 1 ? 4 : 8, 0, 6],
    headlineLevel: level,
  }
}

/** A clause has its number before its first words, as in contracts; its other blocks follow below. */
function clause(item: readonly Block[], path: readonly number[]): Content[] {
  const [first, ...rest] = item
  const number = `${clauseNumber(path)} `
  if (first?.kind === 'paragraph')
    return [paragraph(first.inlines, first.align, number), ...contentOf(rest, path)]
  if (first?.kind === 'heading') return [heading(first, number), ...contentOf(rest, path)]
  return [paragraph([], 'left', number), ...contentOf(item, path)]
}

function markedList(block: Extract<Block, { kind: 'list' }>, path: readonly number[]): Content {
  const items: Content[] = block.items.map((item) => ({ stack: contentOf(item, path) }))
  const margin: [number, number, number, number] = [10, 0, 0, 0]
  return block.style === 'bullets' ? { ul: items, margin } : { ol: items, start: block.start, margin }
}

function textOf(inlines: readonly Inline[], number: string): Content[] {
  const start: Piece[] = number === '' ? [] : [{ text: number, marks: [], isBlank: false }]
  const pieces = glued([...start, ...inlines.map(pieceOf)])
  // An empty paragraph still takes a line.
  return pieces.length === 0 ? [{ text: ' ' }] : pieces.flatMap(withoutLongWords).map(pieceContent)
}

/**
 * Long words are divided: the library measures the rest of a word for each of its lines, which takes quadratic time.
 */
const insideLongWord = /\S{100}(?=\S)/gu

/** Runs without a space between them stay together as one word. */
function withoutLongWords(piece: Piece): Piece[] {
  const ends = [...piece.text.matchAll(insideLongWord)].map(({ index, 0: { length } }) => index + length)
  return [...ends, piece.text.length].map((end, i) => ({
    ...piece,
    text: piece.text.slice(ends[i - 1] ?? 0, end),
  }))
}

type Piece = { text: string; marks: readonly Mark[]; isBlank: boolean }

function pieceOf(inline: Inline): Piece {
  if (inline.kind === 'break') return { text: '\n', marks: [], isBlank: false }
  if (inline.kind === 'text') return { text: inline.text, marks: inline.marks, isBlank: false }
  const isBlank = inline.value === ''
  return { text: isBlank ? `[${inline.name}]` : inline.value, marks: inline.marks, isBlank }
}

/**
 * Justification may open a gap between two runs, so equal runs are merged, and punctuation stays with the word before it,
 * whatever its marks.
 */
function glued(pieces: readonly Piece[]): Piece[] {
  const whole: Piece[] = []
  for (const piece of pieces) {
    const before = whole.at(-1)
    const follows =
      before && !before.isBlank && /\S$/.test(before.text)
        ? /^[.,;:!?»”)\]…]+/.exec(piece.text)?.[0]
        : undefined
    if (before && follows && !piece.isBlank) before.text += follows
    const text = piece.isBlank ? piece.text : piece.text.slice(follows?.length ?? 0)
    if (text === '') continue
    if (before && looksAlike(before, piece)) before.text += text
    else whole.push({ ...piece, text })
  }
  return whole
}

function looksAlike(a: Piece, b: Piece): boolean {
  return (
    a.isBlank === b.isBlank &&
    a.marks.length === b.marks.length &&
    a.marks.every((mark) => b.marks.includes(mark))
  )
}

function pieceContent({ text, marks, isBlank }: Piece): ContentText {
  const decoration = [
    ...(marks.includes('underline') ? ['underline' as const] : []),
    ...(marks.includes('strike') ? ['lineThrough' as const] : []),
  ]
  return {
    text,
    preserveLeadingSpaces: true,
    ...(marks.includes('bold') && { bold: true }),
    ...(marks.includes('italic') && { italics: true }),
    ...(decoration.length > 0 && { decoration }),
    ...(isBlank && { background: ink.blank }),
  }
}

const layout: CustomTableLayout = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0.5,
  hLineColor: () => ink.line,
  vLineColor: () => ink.line,
  paddingLeft: () => 5,
  paddingRight: () => 5,
  paddingTop: () => 4,
  paddingBottom: () => 0,
}

function table(rows: readonly (readonly Cell[])[], path: readonly number[]): ContentTable {
  const grid = placed(rows)
  const count = columnsOf(rows)
  const body = grid.map((row, y) =>
    Array.from({ length: count }, (_, x) => {
      const place = row[x]
      if (place === undefined || place === 'covered') return {}
      const { cell } = place
      return {
        stack: contentOf(cell.blocks, path),
        colSpan: Math.min(cell.columns, count - x),
        rowSpan: Math.min(cell.rows, rows.length - y),
        ...(cell.isHead && { bold: true, fillColor: ink.headFill }),
      }
    }),
  )
  return {
    table: { widths: columnWidths(rows, count), body, headerRows: headRows(rows) },
    layout,
    margin: [0, 3, 0, 9],
  }
}

/** The header rows, repeated on every page unless a cell spans out of them. */
function headRows(rows: readonly (readonly Cell[])[]): number {
  const heads = rows.findIndex((row) => row.some(({ isHead }) => !isHead))
  if (heads <= 0) return 0
  return rows.slice(0, heads).every((row, y) => row.every((cell) => y + cell.rows <= heads)) ? heads : 0
}

/** The widths of columns by their text: a column of numbers leaves space to a column of sentences. */
function columnWidths(rows: readonly (readonly Cell[])[], count: number): number[] {
  const wants = Array.from({ length: count }, () => 3)
  for (const row of placed(rows)) {
    for (const [x, place] of row.entries()) {
      if (place === 'covered' || place.cell.columns > 1) continue
      wants[x] = Math.max(wants[x]!, wish(place.cell))
    }
  }
  const all = wants.reduce((sum, want) => sum + want, 0)
  // Without borders and padding.
  const room = textWidth - count * 10 - (count + 1) * 0.5
  return wants.map((want) => (room * want) / all)
}

/** The longest word must fit; beyond that the width grows with the square root of the length. */
function wish(cell: Cell): number {
  let text = ''
  for (const inline of everyInline(cell.blocks)) {
    text += inline.kind === 'break' ? ' ' : inline.kind === 'text' ? inline.text : inline.value || inline.name
  }
  const longest = Math.max(0, ...text.split(' ').map((word) => word.length))
  return Math.min(60, Math.max(longest + 1, Math.sqrt(text.length) * 3))
}
