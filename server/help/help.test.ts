import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSync } from 'fontkit'
import { describe, expect, test } from 'vitest'
import { helpLanguages, helpNames, videoNames } from '@kelisim/domain/help/documents.ts'
import { monthlyInYear, tariffs, yearly, tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { pdfText } from '../rich-text/testing-pdf.ts'
import { golosText } from '@kelisim/pdf/fonts.ts'
import { printHelp, sourceOf } from './make-help.ts'
import { readMarkdown, wordsOf } from './markdown.ts'
import { tenge } from './price-table.ts'

const screenshots = join(import.meta.dirname, '..', '..', 'help', 'screenshots')
const all = helpNames.flatMap((name) => helpLanguages.map((language) => ({ name, language })))
/** Without spaces and line breaks, which do not matter here. */
const bare = (text: string) => text.replaceAll(/[\s\u00ad-]/g, '')

const pagesOf = async (pdf: Buffer) => (await pdfText(pdf)).split('\n').map(bare)

describe.each(all)('$name in $language', ({ name, language }) => {
  const source = sourceOf(name, language)

  test('uses only characters that its font has', () => {
    const type = openSync(golosText.normal)
    if (!('hasGlyphForCodePoint' in type)) throw new Error('a collection')
    const characters = new Set([...wordsOf(source), ...Object.values(source.facts)].join(''))
    expect([...characters].filter((one) => !type.hasGlyphForCodePoint(one.codePointAt(0)!))).toEqual([])
  })

  test('is a PDF with the whole text of its source, page by page', async () => {
    const pages = await pagesOf(await printHelp(name, language))
    const t = textsOf(language, 'help')
    const head = bare(source.facts['title']!)
    const feet = pages.map((_, i) => bare(`Келісім${t('pdf.page', { page: i + 1, count: pages.length })}`))
    for (const [i, page] of pages.entries()) expect(page).toContain(feet[i])
    // Text that continues on the next page has a page footer and header in its middle.
    const text = pages
      .map((page, i) => (i === 0 ? page : page.replace(head, '')).replace(feet[i]!, ''))
      .join('')
    for (const words of [source.facts['title']!, ...wordsOf(source)]) expect(text).toContain(bare(words))
    expect(text.includes(bare(t('pdf.contents')))).toBe(source.facts['contents'] !== undefined)
    expect(text).not.toMatch(/\{\{|lorem|\*\*|undefined/i)
  })
})

test.each(['ru', 'kk', 'en'] as const)(
  'the price list in %s has the prices of the product',
  async (language) => {
    const plain = (await pagesOf(await printHelp('price-list', language))).join('')
    for (const name of tariffNames.filter((one) => tariffs[one].monthly > 0)) {
      const { monthly } = tariffs[name]
      for (const amount of [monthly, monthlyInYear(tariffs[name]), yearly(tariffs[name])]) {
        expect(plain).toContain(bare(tenge(amount)))
      }
    }
    const mark = bare(textsOf(language, 'help')('prices.current'))
    expect(plain).not.toContain(mark)
    expect((await pagesOf(await printHelp('price-list', language, 'classic'))).join('')).toContain(mark)
  },
)

test('the same sources give the same bytes', async () => {
  expect((await printHelp('answers', 'kk')).equals(await printHelp('answers', 'kk'))).toBe(true)
})

test('the three languages of the instruction show the same pictures, each in its own language', () => {
  const shown = (language: 'ru' | 'kk' | 'en') =>
    sourceOf('instruction', language).blocks.flatMap((block) =>
      block.kind === 'picture' ? [block.name] : [],
    )
  expect(shown('kk')).toEqual(shown('ru'))
  expect(shown('en')).toEqual(shown('ru'))
  for (const language of ['ru', 'kk', 'en'] as const) {
    for (const name of shown(language)) {
      const file = join(screenshots, language, `${name}.jpg`)
      expect(existsSync(file) && readFileSync(file).length, file).toBeGreaterThan(10_000)
    }
  }
})

test('videos are small, and have the same captions in order in each language', () => {
  const folder = join(import.meta.dirname, '..', '..', 'help', 'videos')
  const sizes = videoNames.map((name) => readFileSync(join(folder, `${name}.webm`)).length)
  expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6 * 1024 * 1024)
  for (const name of videoNames) {
    expect(readFileSync(join(folder, `${name}.jpg`)).length).toBeLessThan(100_000)
    const cues = (['ru', 'kk', 'en'] as const).map((language) => {
      const text = readFileSync(join(folder, `${name}.${language}.vtt`), 'utf8')
      expect(text).toMatch(/^WEBVTT\n\n(\d\d:\d\d\.\d{3} --> \d\d:\d\d\.\d{3}\n[^\n]+\n\n?)+$/)
      return text.match(/^.* --> .*$/gm)!
    })
    expect(cues[1]).toEqual(cues[0])
    expect(cues[2]).toEqual(cues[0])
    const times = cues[0]!.flatMap((cue) => cue.split(' --> '))
    expect(times.toSorted()).toEqual(times)
  }
})

test('documents in two languages have the same sections and clauses in both', () => {
  const shape = (name: (typeof helpNames)[number], language: 'ru' | 'kk') =>
    sourceOf(name, language).blocks.map((block) =>
      block.kind === 'list'
        ? `list ${block.items.length}`
        : block.kind === 'table'
          ? `table ${block.rows.length}`
          : block.kind,
    )
  for (const name of helpNames) expect(shape(name, 'kk'), name).toEqual(shape(name, 'ru'))
})

test.each(['no facts', '---\ntitle\n---\ntext', '---\na: b\n---\n# one', '---\na: b\n---\n```\ncode'])(
  'a malformed source is refused: %j',
  (text) => expect(() => readMarkdown(text)).toThrow(),
)
