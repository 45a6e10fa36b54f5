/** The PDF contains the text as written, and printing again gives the same file. */
import { createHash } from 'node:crypto'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { unprintableCharacters } from './unprintable-characters.ts'
import { printPdf } from './print-pdf.ts'
import { readHtml } from './read-html.ts'

async function pagesOf(html: string, title = 'Договор'): Promise<string[]> {
  const pdf = await printPdf(readHtml(html), title)
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise
  const pages: string[] = []
  for (let i = 1; i <= document.numPages; i++) {
    const { items } = await (await document.getPage(i)).getTextContent()
    const words = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : ''))
    pages.push(words.join('').replaceAll(/\s+/g, ' ').trim())
  }
  return pages
}

const letters = 'әғқңөұүһі ӘҒҚҢӨҰҮҺІ ₸ № «»'

test.each([
  ['plain', `<p>${letters}</p>`],
  ['bold', `<p><strong>${letters}</strong></p>`],
  ['italic', `<p><em>${letters}</em></p>`],
  ['bold italic', `<p><strong><em>${letters}</em></strong></p>`],
  ['a heading', `<h1>${letters}</h1>`],
  ['a cell', `<table><tr><th>${letters}</th></tr></table>`],
])('Kazakh letters are printed in %s', async (_, html) => {
  expect(await pagesOf(html)).toEqual([`${letters} 1 / 1`])
})

test('every font has all characters of the three languages', () => {
  const alphabet = 'АаӘәБбВвГгҒғДдЕеЁёЖжЗзИиЙйКкҚқЛлМмНнҢңОоӨөПпРрСсТтУуҰұҮүФфХхҺһЦцЧчШшЩщЪъЫыІіЬьЭэЮюЯя'
  const rest =
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789₸№«»“”„—–-…•°²³§©€$%&@#*+=/\\|<>[]{}()!?;:,.\u00a0'
  expect(
    unprintableCharacters(
      readHtml(`<p>${alphabet}${rest.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`),
    ),
  ).toEqual([])
  expect(unprintableCharacters(readHtml('<p>ок 😀 漢</p>'))).toEqual(['😀', '漢'])
})

test('clauses are numbered by depth, also inside lists of other kinds', async () => {
  const [page] = await pagesOf(
    '<ol data-clauses><li><h2>Предмет</h2><ol data-clauses><li>а</li><li>б<ol data-clauses><li>в</li></ol></li></ol></li>' +
      '<li>Цена<ul><li>г<ol data-clauses><li>д</li></ol></li></ul></li></ol>',
  )
  expect(page).toContain('1. Предмет 1.1. а 1.2. б 1.2.1. в 2. Цена')
  expect(page).toContain('2.1. д')
})

test('a page break begins a page unless it is at the beginning or end, and pages are numbered', async () => {
  const pause = '<div data-page-break></div>'
  expect(await pagesOf(`${pause}<p>а</p>${pause}${pause}<p>б</p>${pause}`)).toEqual(['а 1 / 2', 'б 2 / 2'])
  expect(await pagesOf(`<p>а</p>${'<p></p>'.repeat(90)}`)).toEqual(['а 1 / 1'])
})

test('variables show their values, or their names without a value', async () => {
  const html =
    '<p><span data-variable="Номер" data-value="14">x</span>, <span data-variable="Город" data-kind="text">x</span></p>'
  expect(await pagesOf(html)).toEqual(['14, [Город] 1 / 1'])
})

test('the header of a long table is repeated on each page, and merged cells keep their text', async () => {
  const rows = Array.from({ length: 80 }, (_, i) => `<tr><td>${i + 1}</td><td>Пшеница</td></tr>`).join('')
  const pages = await pagesOf(
    `<table><tr><th>Номер</th><th>Товар</th></tr>${rows}<tr><td colspan=2>Итого</td></tr></table>`,
  )
  expect(pages.length).toBeGreaterThan(1)
  for (const page of pages) expect(page).toContain('Номер')
  expect(pages.at(-1)).toContain('Итого')
  expect(
    (await pagesOf('<table><tr><td rowspan=9>а</td><td>б</td></tr><tr><td>в</td></tr></table>'))[0],
  ).toContain('а б')
})

test('the same text gives the same file, another text or title another file', async () => {
  const hash = async (html: string, title: string) =>
    createHash('sha256')
      .update(await printPdf(readHtml(html), title))
      .digest('hex')
  const html = '<h1>Шарт</h1><p>Мәтін <strong>қалың</strong></p><table><tr><td>1</td></tr></table>'
  const first = await hash(html, 'Шарт')
  expect(await hash(html, 'Шарт')).toBe(first)
  expect(await hash(html, 'Келісім')).not.toBe(first)
  expect(await hash(`${html}<p>x</p>`, 'Шарт')).not.toBe(first)
})

test('the file contains no creation date', async () => {
  const pdf = await printPdf(readHtml('<p>а</p>'), 'Название')
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise
  const { info } = await document.getMetadata()
  expect(info).toMatchObject({ Title: 'Название', Creator: 'Kelisim', Producer: 'Kelisim', Language: 'ru' })
  expect(info).not.toHaveProperty('CreationDate')
})
