import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unseenCharacters, visibleJson, visibleText } from './visible-text.ts'

test.each([
  ['ИВАНОВ ИВАН', 'ИВАНОВ ИВАН'],
  ['ТОО "Тұлпар" № 1', 'ТОО "Тұлпар" № 1'],
  ['ИВАНОВ\u202e НАВИ', 'ИВАНОВ[U+202E] НАВИ'],
  ['A\u180eB\u3164C\u{e0041}D\u2800', 'A[U+180E]B[U+3164]C[U+E0041]D[U+2800]'],
  ['two\nlines', 'two[U+000A]lines'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test('no invisible characters are left in any text, and visible text stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visibleText(text)
      expect(shown.match(unseenCharacters)).toBeNull()
      if (text.isWellFormed() && !text.match(unseenCharacters)) expect(shown).toBe(text)
    }),
  )
})

test('JSON keeps its value and has no invisible characters', () => {
  expect(visibleJson({ name: 'A\u202eB\u{e0041}' })).toBe(String.raw`{"name":"A\u202eB\udb40\udc41"}`)
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = visibleJson(value)
      expect(json.match(unseenCharacters)).toBeNull()
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
