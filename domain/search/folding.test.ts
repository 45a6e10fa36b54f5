import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, wordsOf } from './folding.ts'

test.each([
  ['Ёлка', 'елка'],
  ['Қазақстан Республикасының ҰЛТТЫҚ банкі', 'казакстан республикасынын улттык банки'],
  ['Өтініш, һәм түсіндірме ғимараты', 'отиниш, хам тусиндирме гимараты'],
  ['Şart Ğylym', 'sart gylym'],
  // й as two characters, as in the names of files from some systems.
  ['Заявки\u0438\u0306', 'заявкий'],
])('%s is folded to %s', (text, expected) => expect(fold(text)).toBe(expected))

test.each<[string, string[]]>([
  [
    'Договор № 77/2026-К от 15.10.2026',
    ['договор', '77/2026/к', '77', '2026', 'к', 'от', '15/10/2026', '15', '10'],
  ],
  ['Акт сверки.pdf', ['акт', 'сверки', 'pdf']],
  ['физико-математический', ['физико', 'математический']],
  ['«ТОО «Алатау»', ['тоо', 'алатау']],
  ['бин 150340012344', ['бин', '150340012344']],
  ['', []],
  ['…—!', []],
])('%s has the words %j', (text, expected) => expect(wordsOf(text)).toEqual(expected))

test('a long word is stored by its first 64 letters', () => {
  expect(wordsOf('а'.repeat(5000))).toEqual(['а'.repeat(64)])
})

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('аёқҒңӨұҮһІәяЖ zZüŞ09/.-№«İ😀')), maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

test('folding twice changes nothing, and folding keeps the length, so that places in the text stay the same', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(fold(fold(given))).toBe(fold(given))
      expect(fold(given)).toHaveLength(given.normalize('NFC').length)
    }),
  )
})
