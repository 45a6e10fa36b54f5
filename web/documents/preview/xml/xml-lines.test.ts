import { expect, test } from 'vitest'
import { mostLines, xmlLines } from './xml-lines.ts'

const shown = (text: string) =>
  xmlLines(new TextEncoder().encode(text)).lines.map(
    ({ depth, text: line }) => `${'  '.repeat(depth)}${line}`,
  )

test('each element is a line, indented by its depth', () => {
  expect(
    shown(
      '<?xml version="1.0"?><?style none?><a xmlns="urn:a" n="1"><b>text</b><c/><d>one<e>two</e>three</d></a>',
    ),
  ).toEqual([
    '<?style none?>',
    '<a xmlns="urn:a" n="1">',
    '  <b>text</b>',
    '  <c/>',
    '  <d>',
    '    one',
    '    <e>two</e>',
    '    three',
    '  </d>',
    '</a>',
  ])
})

test('a text does not look like a tag, and characters that hide or reverse others are made visible', () => {
  expect(shown('<a b="&quot;&lt;">&lt;sum&gt;1&lt;/sum&gt; <!-- note -->\u202e001 &amp;</a>')).toEqual([
    '<a b="&quot;&lt;">',
    '  &lt;sum&gt;1&lt;/sum&gt;',
    '  <!-- note -->',
    '  [U+202E]001 &amp;',
    '</a>',
  ])
})

test('a long document is cut', () => {
  const { lines, isCut } = xmlLines(new TextEncoder().encode(`<a>${'<b>1</b>'.repeat(mostLines)}</a>`))
  expect([lines.length, isCut]).toEqual([mostLines, true])
})
