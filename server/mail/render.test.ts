import { expect, test } from 'vitest'
import { renderLetter } from './render.ts'

const letter = {
  to: 'a@example.kz',
  language: 'ru',
  subject: 'Тема <script>',
  paragraphs: ['Первый "абзац" & <b>другой</b>'],
  button: { label: 'Открыть', url: 'https://kelisim.kz/x?a=1&b="2' },
} as const

const { html, text } = renderLetter(letter, new URL('https://kelisim.kz'))

test('whatever was typed stays text', () => {
  expect(html).not.toContain('<script>')
  expect(html).toContain('Первый &quot;абзац&quot; &amp; &lt;b&gt;другой&lt;/b&gt;')
  expect(html).toContain('href="https://kelisim.kz/x?a=1&amp;b=&quot;2"')
  expect(text).toContain('Открыть: https://kelisim.kz/x?a=1&b="2')
})

test('no attribute is cut short by a quote of its own', () => {
  const attributes = [...html.matchAll(/<\w+((?:\s[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)]
  const tags = [...html.matchAll(/<(?!\/|!)\w+/g)]
  expect(attributes).toHaveLength(tags.length)
  expect(html).toMatch(/style="[^"]*font:400 15px\/1\.5 'Golos Text',Arial,sans-serif"/)
})
