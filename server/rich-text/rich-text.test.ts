import { afterAll, expect, test } from 'vitest'
import { openRichTextWorkers } from './rich-text.ts'
import { pdfText } from './testing-pdf.ts'

const richText = openRichTextWorkers()
afterAll(() => richText.close())

test('one word of 39 000 characters is printed like any other text', async () => {
  const word = 'абвгд'.repeat(7_800)
  const { pdf } = await richText.print(`<p>Начало ${word} конец</p>`, 'x', {
    mustBeFilled: true,
    claimant: { organization: 'one', person: 'a' },
  })
  const words = await pdfText(pdf)
  expect(words.replaceAll(/\s|\d+ \/ \d+/g, '')).toContain('абвгд'.repeat(100))
})
