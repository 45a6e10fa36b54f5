import { expect, test } from 'vitest'
import { matchesIn } from './pdf-matches.ts'

const pieces = (...texts: string[]) => texts.map((str) => ({ str, hasEOL: false }))

test('words are found whatever their letters and gaps, each place once', () => {
  expect(matchesIn(pieces('Договор поставки. ДОГОВОР'), 'договор')).toEqual([
    [{ piece: 0, from: 0, to: 7 }],
    [{ piece: 0, from: 18, to: 25 }],
  ])
  expect(matchesIn(pieces('аааа'), 'аа')).toHaveLength(2)
  expect(matchesIn(pieces('Қазақстан Республикасы'), 'ҚАЗАҚСТАН')).toHaveLength(1)
})

test('words that go over from one piece to the next are marked in both, and so are words over two lines', () => {
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

test('nothing is looked for, nothing is found', () => {
  expect(matchesIn(pieces('Договор'), '  ')).toEqual([])
  expect(matchesIn(pieces('', ''), 'а')).toEqual([])
})

test('letters whose small form is longer do not shift what follows', () => {
  expect(matchesIn(pieces('İİ договор'), 'договор')).toEqual([[{ piece: 0, from: 3, to: 10 }]])
})
