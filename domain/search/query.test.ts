import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestPage, excerptOf, marked } from './marking.ts'
import { wordsOf } from './folding.ts'
import { matcherOf, readQuery, tsqueriesOf } from './query.ts'

/** Whether PostgreSQL would find the text: imitates its index for the few operators that a query has. */
function isFound(query: string, text: string): boolean {
  const words = wordsOf(text)
  return readQuery(query).every(({ readings }) =>
    readings.some((reading) => reading.every(({ stem }) => words.some((word) => word.startsWith(stem)))),
  )
}

test.each([
  // Word forms.
  ['договор аренды', 'Договоры на аренду помещения'],
  ['дополнительным соглашением', 'Дополнительное соглашение № 2'],
  ['закупка', 'Согласование закупок'],
  ['заявок', 'Заявка на оплату'],
  ['шарттардың', 'Жалға беру шарты'],
  ['құжатымыз', 'Құжаттар тізімі'],
  // Kazakh letters typed with Russian ones, and the other way round.
  ['казакстан', 'Қазақстан темір жолы'],
  ['отиниш', 'Өтініш үлгісі'],
  ['үлгі', 'Улги'],
  ['Подъём', 'подъем груза'],
  // The beginning of a word, while somebody types.
  ['дог', 'Договор'],
  ['догово', 'Договор'],
  // Latin letters for Cyrillic ones.
  ['dogovor arendy', 'Договор аренды'],
  ['shart', 'Шарт'],
  ['qujat', 'Құжат'],
  ['zayavka', 'Заявка на оплату'],
  ['ekspertiza', 'Экспертиза проекта'],
  ['stoimost', 'Стоимость работ'],
  ['каспи', 'Kaspi Bank'],
  ['хоум', 'Houm Credit'],
  // Typed on the other keyboard layout, where punctuation marks are letters.
  ['ljujdjh', 'Договор'],
  ['ljujdjh fhtyls', 'Договор аренды'],
  ['ghtlj,ecnhjqcndj', 'Предобустройство'],
  ['лфызш', 'Kaspi'],
  ['0e;fn', 'Құжат'],
  // Numbers.
  ['77/2026', 'Договор № 77/2026'],
  ['77-2026', 'Договор № 77/2026-К'],
  ['№77', 'Договор № 77/2026'],
  ['15.10.2026', 'Акт от 15.10.2026'],
  ['150340012344', 'ТОО «Алатау», БИН 150340012344'],
  ['150 340 012 344', 'БИН 150340012344'],
  ['1503', 'БИН 150340012344'],
  // Words without meaning need not be found.
  ['договор о поставке', 'Договор поставки'],
])('%s finds %s', (query, text) => {
  expect(isFound(query, text)).toBe(true)
  expect(
    matcherOf(readQuery(query))
      .hitsOf(text)
      .every((hits) => hits !== null),
  ).toBe(true)
})

test.each([
  ['договор аренды', 'Договор поставки'],
  ['77/2026', 'Договор № 78/2026'],
  ['7/2026', 'Договор № 77/2026'],
  ['говор', 'Договор'],
  ['1504', 'БИН 150340012344'],
])('%s does not find %s', (query, text) => {
  expect(isFound(query, text)).toBe(false)
  expect(matcherOf(readQuery(query)).hitsOf(text)).toContain(null)
})

test.each(['', '   ', '—', '!!! …', "'"])('"%s" is an empty query', (query) => {
  expect(readQuery(query)).toEqual([])
})

test('a query that has only small words is used as it is', () => {
  expect(isFound('по', 'Положение')).toBe(true)
})

test('a query of any characters becomes a valid query for PostgreSQL and nothing else', () => {
  const quoted = String.raw`\('[0-9a-zа-я/]+':\*( & '[0-9a-zа-я/]+':\*)*\)`
  const term = String.raw`\(${quoted}( \| ${quoted})*\)`
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (typed) => {
      const query = readQuery(typed)
      expect(query.length).toBeLessThanOrEqual(8)
      expect(tsqueriesOf(query)).toHaveLength(query.length)
      for (const one of tsqueriesOf(query)) expect(one).toMatch(new RegExp(`^${term}$`))
    }),
  )
})

const letters = fc.string({
  unit: fc.constantFrom(...Array.from('абвгдежзиклмнопрстқғңөұүіһәё')),
  minLength: 1,
  maxLength: 12,
})

test('every text is found by each of its own words, and the index and the marks agree', () => {
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), (words) => {
      const text = words.join(' ')
      for (const word of words) {
        expect(isFound(word, text)).toBe(true)
        expect(marked(text, matcherOf(readQuery(word))).some((part) => part.isFound)).toBe(true)
      }
    }),
  )
})

test('the parts of a marked text are the text', () => {
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 6 }), letters, (words, typed) => {
      const text = words.join(' ')
      const parts = marked(text, matcherOf(readQuery(typed)))
      expect(parts.map((part) => part.text).join('')).toBe(text)
    }),
  )
})

test('found words are marked as they are written', () => {
  expect(marked('Қазақстан халық банкі', matcherOf(readQuery('казакстан банк')))).toEqual([
    { text: 'Қазақстан', isFound: true },
    { text: ' халық ', isFound: false },
    { text: 'банкі', isFound: true },
  ])
})

test('the excerpt of a long page is the part that has most of the query', () => {
  const filler = 'прочие условия сторон '.repeat(30)
  const page = `${filler}штраф ${filler} штраф за просрочку оплаты ${filler}`
  const parts = excerptOf(page, matcherOf(readQuery('штраф просрочка')))!
  const shown = parts.map(({ text }) => text).join('')
  expect(parts.filter(({ isFound: found }) => found).map(({ text }) => text)).toEqual(['штраф', 'просрочку'])
  expect(shown.length).toBeLessThan(200)
  expect(shown.startsWith('… ') && shown.endsWith(' …')).toBe(true)
})

test.each([
  [['Предмет', 'Штраф за просрочку', 'Штраф'], 2],
  [['Предмет', 'Штраф', 'Просрочка'], 2],
  [['Предмет'], null],
  [[], null],
])('of the pages %j the first with most of the query is page %s', (pages, number) => {
  expect(bestPage(pages, matcherOf(readQuery('штраф просрочка')))).toBe(number)
})

test('a page that has nothing of the query has no excerpt', () => {
  expect(excerptOf('Акт сверки', matcherOf(readQuery('договор')))).toBeNull()
})

test('an exact word fits better than a form of it, and that better than another word', () => {
  const fit = (text: string) => matcherOf(readQuery('аренда')).hitsOf(text)[0]?.[0]?.fit
  expect([fit('аренда'), fit('аренды'), fit('арендованный')]).toEqual([3, 2, 1])
})

test('a text that repeats one word is not searched to its end', () => {
  const hits = matcherOf(readQuery('акт')).hitsOf('акт '.repeat(100_000))
  expect(hits[0]!.length).toBe(20)
})
