import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  alignments,
  clauseNumber,
  columnsOf,
  isBlank,
  isTooMuch,
  languageOf,
  limits,
  marks,
  placed,
  toHtml,
  variablesOf,
  type Block,
  type Cell,
  type Inline,
} from './rich-text.ts'

const text = (words: string): Inline => ({ kind: 'text', text: words, marks: [] })
const paragraph = (...inlines: Inline[]): Block => ({ kind: 'paragraph', align: 'left', inlines })
const variable = (name: string, value = ''): Inline => ({
  kind: 'variable',
  name,
  type: 'text',
  usual: '',
  value,
  marks: [],
})
const cell = (columns = 1, rows = 1): Cell => ({
  isHead: false,
  columns,
  rows,
  blocks: [paragraph(text('x'))],
})

describe('blocks as HTML', () => {
  test.each<[string, Block[]]>([
    ['<p>a &lt;b&gt; &amp; &quot;</p>', [paragraph(text('a <b> & "'))]],
    [
      '<h2 data-align="center">Т</h2>',
      [{ kind: 'heading', level: 2, align: 'center', inlines: [text('Т')] }],
    ],
    [
      '<ol data-clauses=""><li><p>a</p></li></ol>',
      [{ kind: 'list', style: 'clauses', start: 1, items: [[paragraph(text('a'))]] }],
    ],
    [
      '<ol start="3"><li><p>a</p></li></ol>',
      [{ kind: 'list', style: 'numbers', start: 3, items: [[paragraph(text('a'))]] }],
    ],
    ['<div data-page-break=""></div>', [{ kind: 'pageBreak' }]],
    [
      '<p><strong><em>x</em></strong><br></p>',
      [paragraph({ kind: 'text', text: 'x', marks: ['italic', 'bold'] }, { kind: 'break' })],
    ],
    [
      '<p><span data-variable="Сумма &quot;итого&quot;" data-kind="text" data-value="5">5</span></p>',
      [paragraph(variable('Сумма "итого"', '5'))],
    ],
  ])('%s', (html, blocks) => {
    expect(toHtml(blocks)).toBe(html)
  })
})

test('a repeated variable is listed once, by its name', () => {
  const blocks = [paragraph(variable('А'), variable('Б')), paragraph(variable('А', 'other'))]
  expect(variablesOf(blocks).map(({ name }) => name)).toEqual(['А', 'Б'])
})

test('a text without visible content is blank', () => {
  expect(isBlank([])).toBe(true)
  expect(isBlank([paragraph(text('  '), { kind: 'break' }), { kind: 'pageBreak' }])).toBe(true)
  expect(isBlank([paragraph(variable('А'))])).toBe(false)
  expect(isBlank([{ kind: 'table', rows: [[cell()]] }])).toBe(false)
})

test.each<[string, Block[]]>([
  ['blocks', Array.from({ length: limits.blocks + 1 }, () => paragraph())],
  ['page breaks', Array.from({ length: limits.pageBreaks + 1 }, (): Block => ({ kind: 'pageBreak' }))],
  ['columns', [{ kind: 'table', rows: [Array.from({ length: limits.columns + 1 }, () => cell())] }]],
  ['cells', [{ kind: 'table', rows: Array.from({ length: limits.cells + 1 }, () => [cell()]) }]],
  ['characters', [paragraph(text('я'.repeat(limits.characters + 1)))]],
  ['pieces', [paragraph(...Array.from({ length: limits.pieces + 1 }, (): Inline => ({ kind: 'break' })))]],
  ['places', [{ kind: 'table', rows: [[cell(1, limits.cells), cell(1, limits.cells)]] }]],
  ['variables', [paragraph(...Array.from({ length: limits.variables + 1 }, (_, i) => variable(`v${i}`)))]],
])('too many %s', (_, blocks) => {
  expect(isTooMuch(blocks)).toBe(true)
  expect(isTooMuch(blocks.slice(0, 0))).toBe(false)
})

test('clauses are numbered by depth', () => {
  expect([[1], [1, 2], [3, 1, 12]].map(clauseNumber)).toEqual(['1.', '1.2.', '3.1.12.'])
})

test.each([
  ['Шарт № 1, қол қою', 'kk'],
  ['Договор № 1', 'ru'],
  ['Contract', 'en'],
])('the language of "%s" is %s', (words, language) => {
  expect(languageOf([paragraph(text(words))])).toBe(language)
})

test('a table becomes a grid without holes for any merged cells', () => {
  const rows = fc.array(
    fc.array(fc.record({ columns: fc.integer({ min: 1, max: 5 }), rows: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    { minLength: 1, maxLength: 6 },
  )
  fc.assert(
    fc.property(rows, (sizes) => {
      const cells = sizes.map((row) => row.map(({ columns, rows: down }) => cell(columns, down)))
      const grid = placed(cells)
      expect(grid).toHaveLength(cells.length)
      for (const row of grid) for (const place of row) expect(place).toBeDefined()
      // Every cell is placed exactly once.
      const shown = grid
        .flat()
        .filter((place) => place !== 'covered')
        .map((place) => place.cell)
      for (const one of cells.flat()) expect(shown.filter((other) => other === one)).toHaveLength(1)
      expect(columnsOf(cells)).toBe(Math.max(...grid.map((row) => row.length)))
    }),
  )
})

test('tags in a text are escaped', () => {
  const inline = fc.record({
    kind: fc.constant('text' as const),
    text: fc.string({ unit: 'binary' }),
    marks: fc.uniqueArray(fc.constantFrom(...marks)),
  })
  const block = fc.record({
    kind: fc.constant('paragraph' as const),
    align: fc.constantFrom(...alignments),
    inlines: fc.array(inline),
  })
  fc.assert(
    fc.property(fc.array(block), (blocks) => {
      const left = toHtml(blocks).replaceAll(/<\/?(p|strong|em|u|s)( data-align="\w+")?>/g, '')
      expect(left).not.toMatch(/[<>]/)
    }),
  )
})
