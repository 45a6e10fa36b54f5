import { describe, expect, test } from 'vitest'
import { translate, type Texts } from './translate.ts'

const texts: Texts = {
  mail: {
    greeting: 'Здравствуйте, {{name}}!',
    letters_one: '{{count}} письмо',
    letters_few: '{{count}} письма',
    letters_many: '{{count}} писем',
    letters_other: '{{count}} письма',
    parts: { deep: 'глубоко' },
  },
}

test('a key is found by its namespace and its parts', () => {
  expect(translate(texts, 'ru', 'mail:parts.deep')).toBe('глубоко')
})

test('a missing key is undefined, also if objects have a property of that name', () => {
  for (const key of [
    'mail:none',
    'none:greeting',
    'mail:parts',
    'mail:greeting.deeper',
    'mail:constructor',
    'mail:__proto__',
  ]) {
    expect(translate(texts, 'ru', key), key).toBeUndefined()
  }
})

describe('variables', () => {
  test('are inserted as they are: escaping belongs to the output', () => {
    expect(translate(texts, 'ru', 'mail:greeting', { name: '<b>&$1' })).toBe('Здравствуйте, <b>&$1!')
  })

  test('leave no braces when they are missing', () => {
    expect(translate(texts, 'ru', 'mail:greeting')).toBe('Здравствуйте, !')
  })
})

test.each([
  [1, '1 письмо'],
  [3, '3 письма'],
  [5, '5 писем'],
  [11, '11 писем'],
  [21, '21 письмо'],
])('%i takes its plural form', (count, expected) => {
  expect(translate(texts, 'ru', 'mail:letters', { count })).toBe(expected)
})

test('quotes in a name become inner quotes inside the quotes of the text', () => {
  const quoting: Texts = {
    all: {
      quoted: 'Удалить «{{name}}»?',
      bare: 'От {{name}}',
      after: '«Да» — {{name}}',
      english: 'Delete “{{name}}”?',
    },
  }
  const name = 'Договор с ТОО «Алтын Дала»'
  const said = (key: string) => translate(quoting, 'ru', `all:${key}`, { name })
  expect(said('quoted')).toBe('Удалить «Договор с ТОО „Алтын Дала“»?')
  expect(said('bare')).toBe('От Договор с ТОО «Алтын Дала»')
  expect(said('after')).toBe('«Да» — Договор с ТОО «Алтын Дала»')
  expect(said('english')).toBe('Delete “Договор с ТОО «Алтын Дала»”?')
})
