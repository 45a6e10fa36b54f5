import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unseenCharacters } from '../visible-text.ts'
import { defuse } from './defuse.ts'

/** What mail programs and phones turn into links: schemes, hosts, e-mail addresses and IP addresses. */
const linked = [
  /:[/\\]{2}/,
  /www\d*\.\S/i,
  /[a-z]:\S/i,
  /\S@\S/,
  /\S\.(?!(?:pdf|docx?|xlsx?)(?![\p{L}\p{M}\p{N}_-]))[\p{L}\p{M}]{2}/iu,
  /\d{1,3}(?:\.\d{1,3}){3}/,
]

function expectHarmless(text: string): void {
  for (const link of linked) expect(text).not.toMatch(link)
  expect(text.match(unseenCharacters)).toBeNull()
}

describe('ordinary names stay as they are', () => {
  test.each([
    'Договор № 12.05/2026-А от 01.02.2026',
    'ТОО «Рога и копыта»',
    'Прил.1',
    'v1.2',
    'Акт сверки за 3 кв. 2026 г. (и.о. директора, т.е. Ахметов А.Б.)',
    'Жеткізу шарты № 7 (әғқңөұүһі)',
    'Счёт 1 250 000,00 ₸ — 12:30, п. 4.1.2',
    'Договор поставки…',
    'Договор аренды.pdf',
    'Supply contract: annex 2',
  ])('%s', (name) => {
    expect(defuse(name)).toBe(name)
  })
})

test.each([
  ['г.Алматы, Иванов И.О.Петров', 'г. Алматы, Иванов И.О. Петров'],
  ['войдите: kelisim-kz.example', 'войдите: kelisim-kz. example'],
  ['http:⁄⁄evil.kz/x', 'evil. kz/x'],
  ['ＷＷＷ．ｅｖｉｌ．ｋｚ', 'evil. kz'],
  ['Оплатите на https://evil.example/x', 'Оплатите на evil. example/x'],
  ['кеlisim.кз', 'кеlisim. кз'],
  ['xn--80ak6aa92e.xn--p1ai', 'xn--80ak6aa92e. xn--p1ai'],
  ['evil。kz и evil｡kz', 'evil. kz и evil. kz'],
  ['support@kelisim.kz', 'support @ kelisim. kz'],
  ['10.0.0.1/login', '10.0.0. 1/login'],
  ['mailto:a', 'mailto: a'],
  ['www2550.1c.kz', '1c. kz'],
  ['ev\u200bil\u202e.\u00adkz', 'evil. kz'],
  ['договор.pdf.kz', 'договор.pdf. kz'],
  ['две\r\nстроки', 'две строки'],
])('%j becomes %j', (typed, shown) => {
  expect(defuse(typed)).toBe(shown)
  expectHarmless(shown)
})

describe('whatever is typed', () => {
  const signs = 'http https : ： ∶ / ⁄ ∕ ／ \\ www ＷＷＷ . ． 。 ｡ ․ @ ＠ - _ № … « » 💩'
  const words = 'evil kz кз example 12 255 0 pdf docx भारत 한국 xn--p1ai a и'
  const unseen = [' ', '\n', '\u200b', '\u202e', '\u00ad', '\u0301', '\ud800']
  const parts = [...signs.split(' '), ...words.split(' '), ...unseen]
  const pieces = fc.array(fc.constantFrom(...parts), { maxLength: 14 })

  test.each([
    ['any characters', fc.string({ unit: 'binary' })],
    ['parts of addresses', pieces.map((some) => some.join(''))],
  ])('no link is left in %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => expectHarmless(defuse(text))),
      { numRuns: 3000 },
    )
  })

  test('defusing twice changes nothing', () => {
    fc.assert(
      fc.property(pieces, (some) => {
        const once = defuse(some.join(''))
        expect(defuse(once)).toBe(once)
      }),
    )
  })
})
