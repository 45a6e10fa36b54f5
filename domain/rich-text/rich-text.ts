/**
 * The model of rich text: HTML input is parsed into it, and stored HTML and PDF are generated from it. What it does
 * not contain is dropped.
 *
 *   blocks    paragraph · heading 1–3 · list (bullets, numbers, clauses 1. / 1.1. / 1.1.1.) · table · page break
 *   inlines   text with marks · line break · variable
 */
import { escapeHtml } from '../escape-html.ts'
import type { VariableKind } from './variables.ts'

export const marks = ['bold', 'italic', 'underline', 'strike'] as const
export type Mark = (typeof marks)[number]

export const alignments = ['left', 'center', 'right', 'justify'] as const
export type Alignment = (typeof alignments)[number]

export type Variable = {
  kind: 'variable'
  /** Its name; the same name means the same variable anywhere in a text. */
  name: string
  type: VariableKind
  /** The default value. */
  usual: string
  /** Empty if it is not filled in. */
  value: string
  marks: readonly Mark[]
}
export type Inline = { kind: 'text'; text: string; marks: readonly Mark[] } | { kind: 'break' } | Variable

export type ListStyle = 'bullets' | 'numbers' | 'clauses'
export type Cell = { isHead: boolean; columns: number; rows: number; blocks: Block[] }
export type Block =
  | { kind: 'paragraph'; align: Alignment; inlines: Inline[] }
  | { kind: 'heading'; level: 1 | 2 | 3; align: Alignment; inlines: Inline[] }
  | { kind: 'list'; style: ListStyle; start: number; items: Block[][] }
  | { kind: 'table'; rows: Cell[][] }
  | { kind: 'pageBreak' }

/** Limits of one text: enough for any contract, and safe to process. */
export const limits = {
  html: 400_000,
  blocks: 10_000,
  /** Characters and runs of one paragraph: the time of line breaking grows with its square. */
  characters: 40_000,
  pieces: 2_000,
  cells: 5_000,
  columns: 24,
  depth: 9,
  pageBreaks: 200,
  variables: 200,
}

const tags: Record<Mark, string> = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' }

/** The canonical HTML: equal blocks always give equal HTML. */
export function toHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join('')
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p${alignHtml(block.align)}>${inlinesHtml(block.inlines)}</p>`
    case 'heading':
      return `<h${block.level}${alignHtml(block.align)}>${inlinesHtml(block.inlines)}</h${block.level}>`
    case 'list': {
      const items = block.items.map((item) => `<li>${toHtml(item)}</li>`).join('')
      if (block.style === 'bullets') return `<ul>${items}</ul>`
      if (block.style === 'clauses') return `<ol data-clauses="">${items}</ol>`
      return `<ol${block.start === 1 ? '' : ` start="${block.start}"`}>${items}</ol>`
    }
    case 'table':
      return `<table><tbody>${block.rows.map((row) => `<tr>${row.map(cellHtml).join('')}</tr>`).join('')}</tbody></table>`
    case 'pageBreak':
      return '<div data-page-break=""></div>'
  }
}

function cellHtml({ isHead, columns, rows, blocks }: Cell): string {
  const tag = isHead ? 'th' : 'td'
  const spans = (columns > 1 ? ` colspan="${columns}"` : '') + (rows > 1 ? ` rowspan="${rows}"` : '')
  return `<${tag}${spans}>${toHtml(blocks)}</${tag}>`
}

/** An attribute instead of a style, which a strict content security policy would block. */
function alignHtml(align: Alignment): string {
  return align === 'left' ? '' : ` data-align="${align}"`
}

function inlinesHtml(inlines: readonly Inline[]): string {
  return inlines.map(inlineHtml).join('')
}

function inlineHtml(inline: Inline): string {
  if (inline.kind === 'break') return '<br>'
  const inner = inline.kind === 'text' ? escapeHtml(inline.text) : variableHtml(inline)
  return marks
    .filter((mark) => inline.marks.includes(mark))
    .reduceRight((html, mark) => `<${tags[mark]}>${html}</${tags[mark]}>`, inner)
}

function variableHtml({ name, type, usual, value }: Variable): string {
  const attribute = (key: string, text: string) => (text === '' ? '' : ` data-${key}="${escapeHtml(text)}"`)
  return (
    `<span${attribute('variable', name)}${attribute('kind', type)}` +
    `${attribute('default', usual)}${attribute('value', value)}>${escapeHtml(value || name)}</span>`
  )
}

/** Every block, including nested ones, in reading order. */
export function* everyBlock(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block
    if (block.kind === 'list') for (const item of block.items) yield* everyBlock(item)
    if (block.kind === 'table')
      for (const row of block.rows) for (const cell of row) yield* everyBlock(cell.blocks)
  }
}

export function* everyInline(blocks: readonly Block[]): Generator<Inline> {
  for (const block of everyBlock(blocks)) {
    if (block.kind === 'paragraph' || block.kind === 'heading') yield* block.inlines
  }
}

/** The variables of a text, each once, in order of occurrence. */
export function variablesOf(blocks: readonly Block[]): Variable[] {
  const found = new Map<string, Variable>()
  for (const inline of everyInline(blocks)) {
    if (inline.kind === 'variable' && !found.has(inline.name)) found.set(inline.name, inline)
  }
  return [...found.values()]
}

/** The text with new values of the named variables; other variables keep their values. */
export function withValues(blocks: readonly Block[], values: Readonly<Record<string, string>>): Block[] {
  const filled = (inline: Inline): Inline =>
    inline.kind === 'variable' && Object.hasOwn(values, inline.name)
      ? { ...inline, value: values[inline.name]! }
      : inline
  return blocks.map((block) => {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        return { ...block, inlines: block.inlines.map(filled) }
      case 'list':
        return { ...block, items: block.items.map((item) => withValues(item, values)) }
      case 'table':
        return {
          ...block,
          rows: block.rows.map((row) =>
            row.map((cell) => ({ ...cell, blocks: withValues(cell.blocks, values) })),
          ),
        }
      case 'pageBreak':
        return block
    }
  })
}

/** Whether there is no readable text. */
export function isBlank(blocks: readonly Block[]): boolean {
  for (const inline of everyInline(blocks)) {
    if (inline.kind === 'variable' || (inline.kind === 'text' && inline.text.trim() !== '')) return false
  }
  return true
}

/** Whether it exceeds the limits. */
export function isTooMuch(blocks: readonly Block[]): boolean {
  const counts = { blocks: 0, cells: 0, pageBreaks: 0 }
  for (const block of everyBlock(blocks)) {
    counts.blocks++
    switch (block.kind) {
      case 'pageBreak':
        counts.pageBreaks++
        break
      case 'paragraph':
      case 'heading':
        if (isEndless(block.inlines)) return true
        break
      case 'table':
        counts.cells += block.rows.reduce((sum, row) => sum + placesOf(row), 0)
        // Checked in this order, so that a huge grid is never built.
        if (counts.cells > limits.cells || columnsOf(block.rows) > limits.columns) return true
        break
      case 'list':
    }
  }
  const isLong = counts.blocks > limits.blocks || counts.pageBreaks > limits.pageBreaks
  return isLong || variablesOf(blocks).length > limits.variables
}

function isEndless(inlines: readonly Inline[]): boolean {
  const characters = inlines.reduce(
    (sum, inline) => sum + (inline.kind === 'text' ? inline.text.length : 1),
    0,
  )
  return characters > limits.characters || inlines.length > limits.pieces
}

/** The number of grid places of these cells. */
function placesOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { columns, rows }) => sum + columns * rows, 0)
}

/** The number of columns of the widest row. */
export function columnsOf(rows: readonly (readonly Cell[])[]): number {
  return Math.max(0, ...placed(rows).map((row) => row.length))
}

/** A place of the grid: the cell at its first place; `covered` at the other places that it spans. */
export type GridPlace = { cell: Cell } | 'covered'

/** The table as a complete grid; spanning cells cover several places. */
export function placed(rows: readonly (readonly Cell[])[]): GridPlace[][] {
  const grid: GridPlace[][] = rows.map(() => [])
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const cell of row) {
      while (grid[y]![x] !== undefined) x++
      for (let down = 0; down < cell.rows && y + down < rows.length; down++) {
        for (let right = 0; right < cell.columns; right++) {
          // If cells overlap, the first one keeps the place.
          grid[y + down]![x + right] ??= down === 0 && right === 0 ? { cell } : 'covered'
        }
      }
      x += cell.columns
    }
  }
  return grid.map((row) => Array.from(row, (place) => place ?? { cell: emptyCell() }))
}

function emptyCell(): Cell {
  return { isHead: false, columns: 1, rows: 1, blocks: [] }
}

/** The number before a clause: 1. / 1.1. / 1.1.1. */
export function clauseNumber(path: readonly number[]): string {
  return path.map((n) => `${n}.`).join('')
}

/** The language of the text, detected by the letters that only one alphabet has. */
export function languageOf(blocks: readonly Block[]): 'ru' | 'kk' | 'en' {
  let text = ''
  for (const inline of everyInline(blocks)) if (inline.kind === 'text') text += inline.text
  if (/[әғқңөұүһі]/i.test(text)) return 'kk'
  return /[а-яё]/i.test(text) ? 'ru' : 'en'
}
