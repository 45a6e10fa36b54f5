import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTexts, countChanges, isAllOther, type ComparedRow } from './comparison.ts'
import { paragraphsOf } from './paragraphs.ts'

const texts = (...paragraphs: string[]) => paragraphs.map((text) => ({ text, page: 1 }))
const compared = (before: string[], after: string[]) => compareTexts(texts(...before), texts(...after))
const marks = { same: '', removed: '-', added: '+' }
const shown = (rows: readonly ComparedRow[]) =>
  rows.map(({ pieces }) => pieces.map(({ kind, text }) => `${marks[kind]}${text}`).join('|'))

describe('the words of a changed paragraph', () => {
  test.each<[string, string[], string[], string[], number]>([
    ['one word', ['Цена 100 тенге'], ['Цена 500 тенге'], ['Цена|-100|+500|тенге'], 1],
    [
      'two places, the rest of the paragraph between them',
      ['Срок 5 дней со дня подписания, пеня 1 процент'],
      ['Срок 10 дней со дня подписания, пеня 2 процент'],
      ['Срок|-5|+10|дней со дня подписания, пеня|-1|+2|процент'],
      2,
    ],
    [
      'a short word between two changes',
      ['Алия и Бекзат'],
      ['Дана и Ерлан'],
      ['-Алия и Бекзат|+Дана и Ерлан'],
      1,
    ],
    ['a new paragraph', ['Один', 'Три'], ['Один', 'Два', 'Три'], ['Один', '+Два', 'Три'], 1],
    ['a paragraph that is gone', ['Один', 'Два', 'Три'], ['Один', 'Три'], ['Один', '-Два', 'Три'], 1],
    ['a paragraph divided in two', ['Один два три'], ['Один', 'два три'], ['Один два три'], 0],
    ['nothing', ['Один', 'Два'], ['Один', 'Два'], ['Один', 'Два'], 0],
    ['everything', ['Договор поставки'], ['Счёт на оплату'], ['-Договор поставки|+Счёт на оплату'], 1],
  ])('%s', (_, before, after, rows, count) => {
    const found = compared(before, after)
    expect(shown(found)).toEqual(rows)
    expect(countChanges(found)).toBe(count)
  })
})

test('no word is lost, and none is invented', () => {
  const paragraph = fc
    .array(fc.constantFrom('договор', 'и', 'цена', '100', 'сторона'), { minLength: 1, maxLength: 6 })
    .map((words) => words.join(' '))
  const side = fc.array(paragraph, { maxLength: 8 })
  const wordsOf = (rows: readonly ComparedRow[], other: 'removed' | 'added') =>
    rows.flatMap(({ pieces }) =>
      pieces.filter(({ kind }) => kind !== other).flatMap(({ text }) => text.split(/\s+/).filter(Boolean)),
    )
  fc.assert(
    fc.property(side, side, (before, after) => {
      const rows = compared(before, after)
      const words = (paragraphs: string[]) => paragraphs.flatMap((text) => text.split(' '))
      expect(wordsOf(rows, 'added')).toEqual(words(before))
      expect(wordsOf(rows, 'removed')).toEqual(words(after))
      if (countChanges(rows) === 0) expect(words(before)).toEqual(words(after))
      if (before.join() === after.join()) expect(countChanges(rows)).toBe(0)
    }),
    { numRuns: 1000 },
  )
})

test('each row names the pages that it is on', () => {
  const before = paragraphsOf(['Первый.\nВторой.', 'Третий.'], true)
  const after = paragraphsOf(['Первый.', 'Новый.\nВторой.\nЧетвёртый.'], true)
  expect(compareTexts(before, after)).toEqual([
    { pageBefore: 1, pageAfter: 1, pieces: [{ kind: 'same', text: 'Первый.' }] },
    { pageBefore: null, pageAfter: 2, pieces: [{ kind: 'added', text: 'Новый.' }] },
    { pageBefore: 1, pageAfter: 2, pieces: [{ kind: 'same', text: 'Второй.' }] },
    {
      pageBefore: 2,
      pageAfter: 2,
      pieces: [
        { kind: 'removed', text: 'Третий.' },
        { kind: 'added', text: 'Четвёртый.' },
      ],
    },
  ])
})

test('two documents with nothing in common are compared quickly', () => {
  const words = (prefix: string) =>
    Array.from({ length: 4000 }, (_, i) =>
      Array.from({ length: 20 }, (__, j) => `${prefix}${i}-${j}`).join(' '),
    )
  const rows = compared(words('a'), words('b'))
  expect([countChanges(rows), isAllOther(rows)]).toEqual([1, true])
})

test('a long document in which every paragraph was changed is still compared word by word', () => {
  const words = (changed: string) =>
    Array.from({ length: 4000 }, (_, i) =>
      Array.from({ length: 20 }, (__, j) => (j === 7 ? `${changed}${i}` : `с${i}-${j}`)).join(' '),
    )
  const rows = compared(words('a'), words('b'))
  expect([countChanges(rows), isAllOther(rows)]).toEqual([4000, false])
})

describe('the paragraphs of a file', () => {
  test('printed lines form one paragraph until a sentence ends or a line is short', () => {
    const page = [
      'ДОГОВОР',
      'Исполнитель обязуется оказать услуги, а заказчик',
      'обязуется оплатить их в срок.',
      'Цена договора составляет пятьсот тысяч тенге за',
      'месяц',
      'Приложения, которые являются частью договора',
      '2. Ответственность сторон наступает после срока',
    ].join('\n')
    expect(paragraphsOf([page], true).map(({ text }) => text)).toEqual([
      'ДОГОВОР',
      'Исполнитель обязуется оказать услуги, а заказчик обязуется оплатить их в срок.',
      'Цена договора составляет пятьсот тысяч тенге за месяц',
      'Приложения, которые являются частью договора',
      '2. Ответственность сторон наступает после срока',
    ])
  })

  test('a recognised scan, which has no lines, is divided into sentences', () => {
    expect(paragraphsOf(['Первое предложение. Второе: да. 3. Третье'], true)).toEqual([
      { text: 'Первое предложение.', page: 1 },
      { text: 'Второе: да.', page: 1 },
      { text: '3. Третье', page: 1 },
    ])
  })

  test('an office document has lines of its own, and no pages', () => {
    expect(paragraphsOf(['Один  два\n\nТри '], false)).toEqual([
      { text: 'Один два', page: null },
      { text: 'Три', page: null },
    ])
  })
})
