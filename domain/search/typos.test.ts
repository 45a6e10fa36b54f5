import fc from 'fast-check'
import { expect, test } from 'vitest'
import { corrected, errorsIn } from './typos.ts'

const known = [
  'договор',
  'аренды',
  'арендатор',
  'поставки',
  'акт',
  'шарт',
  'келисимшарт',
  'invoice',
  '77/2026',
]

test.each([
  ['дагавор', 'договор'],
  ['догвоор', 'договор'],
  ['дооговор', 'договор'],
  ['дговор аренды', 'договор аренды'],
  ['дагов', 'договор'],
  ['Пастафки', 'поставки'],
  ['келісмшарт', 'келисимшарт'],
  ['invioce', 'invoice'],
])('the typed %s is corrected to %s', (typed, meant) => {
  expect(corrected(typed, known)).toBe(meant)
})

test.each([
  ['what is known stays', 'аренд'],
  ['a short word is near to too much', 'экт'],
  ['a number is never corrected', '77/2O26'],
  ['what is far from everything', 'велосипед'],
  ['nothing', ''],
])('nothing is corrected: %s', (_, typed) => {
  expect(corrected(typed, known)).toBeNull()
})

const word = fc.string({ unit: fc.constantFrom('а', 'б', 'в', 'г', 'д'), minLength: 1, maxLength: 8 })

test('a word and each of its beginnings have no errors; the letters that are left are counted', () => {
  fc.assert(
    fc.property(word, fc.nat(8), (whole, length) => {
      const typed = whole.slice(0, Math.max(1, Math.min(length, whole.length)))
      expect(errorsIn(typed, whole).errors).toBe(0)
    }),
  )
})

test('one wrong letter is at most one error', () => {
  fc.assert(
    fc.property(word, fc.nat(7), fc.constantFrom('', 'е', 'ее'), (whole, at, put) => {
      const place = at % whole.length
      const typed = whole.slice(0, place) + put + whole.slice(place + 1)
      expect(errorsIn(typed, whole).errors).toBeLessThanOrEqual(Math.max(1, put.length))
    }),
  )
})
