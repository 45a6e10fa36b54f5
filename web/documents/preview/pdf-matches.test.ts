import { expect, test } from 'vitest'
import { matchesIn } from './pdf-matches.ts'

const pieces = (...texts: string[]) => texts.map((str) => ({ str, hasEOL: false }))

test('words are found regardless of case and spacing, each match once', () => {
  expect(matchesIn(pieces('Договор поставки. ДОГОВОР'), 'договор')).toEqual([
    [{ piece: 0, from: 0, to: 7 }],
    [{ piece: 0, from: 18, to: 25 }],
  ])
  expect(matchesIn(pieces('аааа'), 'аа')).toHaveLength(2)
  expect(matchesIn(pieces('Қазақстан Республикасы'), 'ҚАЗАҚСТАН')).toHaveLength(1)
})

test('matches across pieces and lines are marked in each of them', () => {
  expect(matchesIn(pieces('До', 'говор поставки'), 'договор')).toEqual([
    [
      { piece: 0, from: 0, to: 2 },
      { piece: 1, from: 0, to: 5 },
    ],
  ])
  const lines = [{ str: 'Договор', hasEOL: true }, ...pieces('поставки  товара')]
  expect(matchesIn(lines, 'договор  поставки')).toEqual([
    [
      { piece: 0, from: 0, to: 8 },
      { piece: 1, from: 0, to: 8 },
    ],
  ])
})

test('an empty search finds nothing', () => {
  expect(matchesIn(pieces('Договор'), '  ')).toEqual([])
  expect(matchesIn(pieces('', ''), 'а')).toEqual([])
})

test('characters whose lower case is longer do not shift later matches', () => {
  expect(matchesIn(pieces('İİ договор'), 'договор')).toEqual([[{ piece: 0, from: 3, to: 10 }]])
})
