/**
 * From rich text to a PDF, without a browser. The same text and title always give the same bytes: nothing of the moment or the
 * machine goes in, so that a document asked for twice is one document.
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

/** Editors leave an empty line to go on writing in: it must not begin a page of its own. */
function withoutEmptyEnd(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex((block) => block.kind !== 'paragraph' || block.inlines.length > 0)
  return blocks.slice(0, last + 1)
}

/** A page break is a property of what comes after it; at the very end there is nothing to begin a page with. */
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

/** A heading does not stay alone at the foot of a page. */
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

/** The number stands before the first words, as contracts have it; what else the clause holds comes below. */
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
  // An empty paragraph is a line all the same.
  return pieces.length === 0 ? [{ text: ' ' }] : pieces.map(pieceContent)
}

type Piece = { text: string; marks: readonly Mark[]; isBlank: boolean }

function pieceOf(inline: Inline): Piece {
  if (inline.kind === 'break') return { text: '\n', marks: [], isBlank: false }
  if (inline.kind === 'text') return { text: inline.text, marks: inline.marks, isBlank: false }
  const isBlank = inline.value === ''
  return { text: isBlank ? `[${inline.name}]` : inline.value, marks: inline.marks, isBlank }
}

/**
 * Between two pieces a justified line may open a gap: what looks alike is one piece, and a comma goes with the word before
 * it, whatever its marks.
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

/** Repeated on every page: the rows of heads at the top, if nothing reaches down out of them. */
function headRows(rows: readonly (readonly Cell[])[]): number {
  const heads = rows.findIndex((row) => row.some(({ isHead }) => !isHead))
  if (heads <= 0) return 0
  return rows.slice(0, heads).every((row, y) => row.every((cell) => y + cell.rows <= heads)) ? heads : 0
}

/** As wide as its words want: a column of numbers leaves its room to a column of sentences. */
function columnWidths(rows: readonly (readonly Cell[])[], count: number): number[] {
  const wants = Array.from({ length: count }, () => 3)
  for (const row of placed(rows)) {
    for (const [x, place] of row.entries()) {
      if (place === 'covered' || place.cell.columns > 1) continue
      wants[x] = Math.max(wants[x]!, wish(place.cell))
    }
  }
  const all = wants.reduce((sum, want) => sum + want, 0)
  // What lines and the room beside them take is not for words.
  const room = textWidth - count * 10 - (count + 1) * 0.5
  return wants.map((want) => (room * want) / all)
}

/** The longest word must fit; beyond that, twice the words do not need twice the room. */
function wish(cell: Cell): number {
  let text = ''
  for (const inline of everyInline(cell.blocks)) {
    text += inline.kind === 'break' ? ' ' : inline.kind === 'text' ? inline.text : inline.value || inline.name
  }
  const longest = Math.max(0, ...text.split(' ').map((word) => word.length))
  return Math.min(60, Math.max(longest + 1, Math.sqrt(text.length) * 3))
}
