import { expect, test } from 'vitest'
import type { Piece } from '@kelisim/domain/comparison/comparison.ts'
import { numberedRows, piecesOf, stretchesOf } from './shown-rows.ts'

const row = (...pieces: Piece[]) => ({ pageBefore: 1, pageAfter: 1, pieces })
const same = (text: string): Piece => ({ kind: 'same', text })
const changed = row(same('Цена'), { kind: 'removed', text: '1' }, { kind: 'added', text: '2' }, same('тенге'))

test('removed text and the text added in its place have the same number', () => {
  const [first, second] = numberedRows([changed, row({ kind: 'added', text: 'Новый' })])
  expect(first.pieces.map(({ change, isFirst }) => [change, isFirst])).toEqual([
    [null, false],
    [1, true],
    [1, false],
    [null, false],
  ])
  expect(second.pieces[0]).toMatchObject({ change: 2, isFirst: true })
  expect(piecesOf(first, 'before').map(({ text }) => text)).toEqual(['Цена', '1', 'тенге'])
  expect(piecesOf(first, 'after').map(({ text }) => text)).toEqual(['Цена', '2', 'тенге'])
})

test('paragraphs far from every change are folded, but not a single one', () => {
  const plain = (count: number) => Array.from({ length: count }, (_, i) => row(same(`${i}`)))
  const lengths = (count: number) =>
    stretchesOf(numberedRows([changed, ...plain(count), changed])).map(({ isFolded, rows }) => [
      isFolded,
      rows.length,
    ])
  expect(lengths(9)).toEqual([
    [false, 3],
    [true, 5],
    [false, 3],
  ])
  expect(lengths(5).map(([isFolded]) => isFolded)).toEqual([false, false, false])
  expect(lengths(4)).toEqual([[false, 6]])
  expect(stretchesOf(numberedRows(plain(3)))).toMatchObject([{ isFolded: true }])
})
