import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CheckedNumber,
  Email,
  Id,
  line,
  listOf,
  Moment,
  nameLine,
  Page,
  requiredDay,
  requiredLine,
} from './fields.ts'

const problems = (
  schema: { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } | undefined } },
  value: unknown,
) => schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? []

test('a name that is used in e-mails may contain no links', () => {
  expect(nameLine(250).safeParse('ТОО «Алтын Дала» № 1').success).toBe(true)
  for (const name of ['Банк https://evil.example', 'Банк www.evil.example']) {
    expect(nameLine(250).safeParse(name).error?.issues[0]?.message).toBe('no-links')
  }
})

test('a required day has different problems if it is empty and if it does not exist', () => {
  expect(problems(requiredDay(), '')).toEqual(['required'])
  expect(problems(requiredDay(), '2026-02-30')).toEqual(['date-incorrect'])
  expect(problems(requiredDay(), '2026-02-28')).toEqual([])
})

describe('a line of text', () => {
  test('is trimmed', () => expect(line(10).parse('  Қазақ тілі ')).toBe('Қазақ тілі'))

  test.each([
    ['a NUL', 'a\u0000b'],
    ['a newline inside', 'a\nb'],
    ['an escape', 'a\u001bb'],
    ['DEL', 'a\u007fb'],
    ['a right-to-left override', 'invoice\u202efdp.exe'],
    ['an isolate', 'a\u2066b'],
    ['a mark of Arabic text', 'a\u061cb'],
    ['an empty letter', 'a\u3164b'],
    ['an empty Braille pattern', 'a\u2800b'],
    ['a tag that nobody sees', 'a\u{e0041}b'],
    ['a vowel separator', 'a\u180eb'],
    ['a joiner between letters', 'a\u200db'],
    ['a selector after a letter', 'a\ufe0fb'],
    ['half of a surrogate pair', 'a\ud800b'],
    ['the other half', '\udc00'],
  ])('is refused with %s in it', (_, text) =>
    expect(problems(line(20), text)).toEqual(['control-characters']),
  )

  test('keeps every ordinary character, also emoji and joiners', () => {
    for (const text of ['ӘӨҮҰҚҒҢҺІ', 'Łódź', '👩‍⚖️', '👩🏽‍💻', '✔️ 1️⃣', 'می\u200cخواهم', 'a\u00a0b', '№ 5 «x»'])
      expect(line(20).parse(text)).toBe(text)
  })

  test('loses invisible characters that text processors leave in it', () => {
    expect(line(20).parse('до\u00adго\u200bвор\u2060\ufeff ')).toBe('договор')
    expect(problems(requiredLine(20), '\u200b\u00ad')).toEqual(['required'])
  })

  test('is measured after trimming', () => {
    expect(line(3).safeParse('  abc  ').success).toBe(true)
    expect(problems(line(3), 'abcd')).toEqual(['too-long'])
    expect(problems(requiredLine(3), '   ')).toEqual(['required'])
  })

  test('is not changed when parsed again', () => {
    const schema = line(50)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const first = schema.safeParse(text)
        if (first.success) expect(schema.parse(first.data)).toBe(first.data)
      }),
    )
  })
})

test('an e-mail address becomes lower case, and invalid ones are refused', () => {
  expect(Email.parse('  Aigerim@Example.KZ ')).toBe('aigerim@example.kz')
  for (const wrong of [
    '',
    'a',
    'a@',
    '@b.kz',
    'a@b',
    'a b@c.kz',
    'a@b.kz,c@d.kz',
    'a@b.kz\r\nBcc: x@y.kz',
    'a\u0000@b.kz',
  ]) {
    expect(Email.safeParse(wrong).success).toBe(false)
  }
})

test('a number may have spaces; a wrong length and a wrong check digit are reported', () => {
  expect(CheckedNumber.parse(' 000 740 000 728 ')).toBe('000740000728')
  expect(problems(CheckedNumber, '00074000072')).toContain('twelve-digits')
  expect(problems(CheckedNumber, '123456789012')).toEqual(['check-digit'])
})

test('an id becomes lower case, and other spellings are refused', () => {
  const id = '01a1dd30-7646-7c69-beec-983c1b9df5c7'
  expect(Id.parse(id.toUpperCase())).toBe(id)
  for (const wrong of [`{${id}}`, id.replaceAll('-', ''), `${id} `, '', 'x'.repeat(36), null, [id], 5]) {
    expect(Id.safeParse(wrong).success).toBe(false)
  }
})

test('a page has at most a hundred items and a valid offset', () => {
  expect(Page.parse({ skip: '0', take: '10' })).toEqual({ skip: 0, take: 10 })
  for (const [skip, take] of [
    ['-1', '10'],
    ['0', '0'],
    ['0', '101'],
    ['x', '10'],
    ['1.5', '10'],
    ['1e9', '10'],
    ['NaN', '1'],
  ]) {
    expect(Page.safeParse({ skip, take }).success).toBe(false)
  }
})

test('unknown fields of a list are removed', () => {
  const list = listOf(Id)
  const id = '01a1dd30-7646-7c69-beec-983c1b9df5c7'
  expect(list.parse({ items: [id], totalCount: 1, secret: 'x' })).toEqual({ items: [id], totalCount: 1 })
})

test('moments must be in UTC', () => {
  expect(Moment.safeParse('2026-11-15T06:00:00.000Z').success).toBe(true)
  expect(Moment.safeParse('2026-11-15T06:00:00+05:00').success).toBe(false)
})
