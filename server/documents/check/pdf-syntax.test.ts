import fc from 'fast-check'
import { expect, test } from 'vitest'
import { look, findObjects } from './pdf-objects.ts'
import { noFacts } from './pdf-rules.ts'
import { PdfTokens, valueAt } from './pdf-syntax.ts'

function tokensOf(text: string): string[] {
  const tokens = new PdfTokens(Buffer.from(text, 'latin1'))
  const read: string[] = []
  while (tokens.next() !== 'end') {
    const hasText = tokens.kind === 'name' || tokens.kind === 'keyword'
    read.push(hasText ? `${tokens.kind} ${tokens.text()}` : tokens.kind)
  }
  return read
}

test.each<[string, string[]]>([
  ['/S/JavaScript', ['name S', 'name JavaScript']],
  ['/J#61va /A#2 /#4x /a#', ['name Java', 'name A#2', 'name #4x', 'name a#']],
  ['/S %#0A (\r/X', ['name S', 'name X']],
  ['(a (b) \\) \\\\) /X', ['string', 'name X']],
  ['<4 1> << >> [ ]', ['hex', '<<', '>>', '[', ']']],
  ['12 -3.5 0obj 4 0R', ['number', 'number', 'number', 'keyword obj', 'number', 'number', 'keyword R']],
  ['\0\t\f/X\0/Y', ['name X', 'name Y']],
  ['>)}{ true', ['keyword >', 'keyword )', 'keyword }', 'keyword {', 'keyword true']],
  ['(never ends', ['string']],
  ['<41', ['hex']],
])('the tokens of %j', (text, expected) => {
  expect(tokensOf(text)).toEqual(expected)
})

/** Parts of PDF syntax, put together at random. */
const pieces = ['/S', '/#41', '#', '%', '\n', '(', ')', '\\', '<', '<<', '>', '>>', '[', ']', '1 0 obj', '5 0 R', 'stream', 'endstream', ' ', '\0', '/XFA', '/N 1/First 2', 'ÿ', '-', '.'] // prettier-ignore
const syntax = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 60 })
  .map((all) => all.join(''))

test('each byte of any input is read once and in order', () => {
  fc.assert(
    fc.property(syntax, (text) => {
      const bytes = Buffer.from(text, 'latin1')
      const tokens = new PdfTokens(bytes)
      let before = 0
      while (tokens.next() !== 'end') {
        expect(tokens.start).toBeGreaterThanOrEqual(before)
        expect(tokens.at).toBeGreaterThan(tokens.start)
        expect(tokens.text().length).toBeLessThanOrEqual(64)
        before = tokens.at
      }
      expect(tokens.at).toBe(bytes.length)
    }),
  )
})

test('objects and values of any input are read without an error', () => {
  fc.assert(
    fc.property(syntax, (text) => {
      const bytes = Buffer.from(`1 0 obj ${text}`, 'latin1')
      const facts = noFacts()
      const found = findObjects(bytes, facts)
      for (const object of found.objects) look(found, object, 'automatic', facts)
      valueAt(bytes, 8)
    }),
  )
})

test.each([
  ['5 0 R', { kind: 'reference', number: 5 }],
  ['5 0 ]', { kind: 'number', value: 5 }],
  ['-5', { kind: 'number', value: -5 }],
  ['(a\\(\\101\\\nb)', { kind: 'string', bytes: Buffer.from('a(Ab') }],
  ['<414>', { kind: 'string', bytes: Buffer.from('A@') }],
  ['<< /A 1 /A 2 >>', { kind: 'dictionary', entries: new Map([['A', { kind: 'ambiguous' }]]) }],
  ['<< /A', null],
  ['['.repeat(100), null],
])('the value of %j', (text, expected) => {
  expect(valueAt(Buffer.from(text), 0)).toEqual(expected)
})
