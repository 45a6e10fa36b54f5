import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  getDocument,
  OPS,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import decodeQr from 'qr/decode.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { languages } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { standings } from '@kelisim/domain/outputs/output.ts'
import { Unprintable } from '@kelisim/pdf/incremental/original.ts'
import { printDocument } from './print.ts'
import type { PrintableJob } from './printable-job.ts'
import { faultOf } from './rehearsal.ts'
import { jobOf, signaturesOf } from './testing-jobs.ts'
import { oddPdfs, unprintablePdfs } from './testing-pdfs.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-printable-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [originalPath, outPath] = [join(folder, 'original.pdf'), join(folder, 'printed.pdf')]

let signatures: PrintableJob['signatures']
beforeAll(async () => {
  // The sheets only show the contents of signatures, so these need not be signatures of the printed document.
  signatures = await signaturesOf(Buffer.from('a document'), 3)
})

async function printed(original: Uint8Array, parts: Partial<PrintableJob> = {}): Promise<Buffer> {
  writeFileSync(originalPath, original)
  const { size } = await printDocument(jobOf({ originalPath, outPath, signatures, ...parts }))
  const bytes = readFileSync(outPath)
  expect(bytes.length).toBe(size)
  return bytes
}

const readers: PDFDocumentLoadingTask[] = []
afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.destroy())))

function opened(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const reader = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false })
  readers.push(reader)
  return reader.promise
}

async function pagesOf(document: PDFDocumentProxy, count: number): Promise<unknown[]> {
  const pages: unknown[] = []
  for (let i = 1; i <= count; i++) {
    const page = await document.getPage(i)
    const { items } = await page.getTextContent()
    const annotations = (await page.getAnnotations()) as {
      subtype: string
      rect: number[]
      fieldValue?: unknown
      url?: string
    }[]
    pages.push({
      view: page.view,
      rotate: page.rotate,
      unit: page.userUnit,
      text: items.map((item) => ('str' in item ? [item.str, item.transform as unknown] : [])),
      marks: annotations.map(({ subtype, rect, fieldValue, url }) => [subtype, rect, fieldValue, url]),
    })
  }
  return pages
}

async function titleOf(document: PDFDocumentProxy): Promise<unknown> {
  return ((await document.getMetadata()).info as { Title?: string }).Title
}

async function textOf(document: PDFDocumentProxy, number: number): Promise<string> {
  const { items } = await (await document.getPage(number)).getTextContent()
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}

async function filesOf(document: PDFDocumentProxy): Promise<{ name: string; note: string; bytes: Buffer }[]> {
  const files = (await document.getAttachments()) as Map<
    string,
    { filename: string; description: string }
  > | null
  return Promise.all(
    [...(files ?? [])].map(async ([id, { filename, description }]) => {
      return {
        name: filename,
        note: description,
        bytes: Buffer.from((await document.getAttachmentContent(id))!),
      }
    }),
  )
}

describe.each(oddPdfs)('a PDF $name', ({ make, isAddedTo }) => {
  test('keeps its pages, and gets the card and all attachments', async () => {
    const original = Buffer.from(await make())
    const bytes = await printed(original)
    expect(bytes.subarray(0, original.length).equals(original)).toBe(isAddedTo)

    const [before, after] = [await opened(original), await opened(bytes)]
    expect(after.numPages).toBe(before.numPages + 1 + signatures.length)
    const compared = Math.min(before.numPages, 20)
    expect(await pagesOf(after, compared)).toEqual(await pagesOf(before, compared))
    expect(await titleOf(after)).toBe(await titleOf(before))
    const sheet = await after.getPage(before.numPages + 1)
    expect([sheet.rotate, ...sheet.view.map(Math.round)]).toEqual([0, 0, 0, 595, 842])
    expect(await textOf(after, after.numPages)).toContain('ҒАБИТОВ ҚУАНЫШ ӨМІРҰЛЫ')

    const files = await filesOf(after)
    expect(files.map(({ name }) => name)).toEqual([
      'Договор поставки № 17-2026.pdf',
      ...signatures.map(({ fileName }) => fileName),
    ])
    expect(files[0]!.bytes.equals(original)).toBe(true)
    for (const [i, { cms }] of signatures.entries())
      expect(files[i + 1]!.bytes.equals(Buffer.from(cms))).toBe(true)
    expect(await after.getJSActions()).toBeNull()
  })

  test('is found printable', async () => {
    writeFileSync(originalPath, await make())
    expect(await faultOf(originalPath)).toBeNull()
  })
})

test.each(unprintablePdfs)('a PDF %s is found unprintable: %s', async (_, fault, make) => {
  const original = await make()
  writeFileSync(originalPath, original)
  expect(await faultOf(originalPath)).toBe(fault)
  await expect(printed(original)).rejects.toThrow(Unprintable)
})

test('the same job gives the same bytes', async () => {
  const original = makePdf(['One'])
  expect((await printed(original)).equals(await printed(original))).toBe(true)
})

describe.each(languages)('in %s', (language) => {
  const t = textsOf(language, 'outputs-printable')
  const law = textsOf(language, 'law')
  const codes = { letters: 'KX7MWP4R', link: 'https://kelisim.example.kz/r/1', validUntil: '2026-12-31' }

  test('the card contains document, access codes and legal notice', async () => {
    const document = await opened(await printed(makePdf(['One']), { language, codes }))
    const text = await textOf(document, 2)
    for (const words of [
      t('heading'),
      'Договор поставки № 17/2026',
      '0198c0de-7f2a-7c11-9a55-3d2f6b7e9a10',
      '01.06.2026',
      'KX7M WP4R',
      t('access.until', { date: '31.12.2026' }),
      'https://kelisim.example.kz/verify',
      t('outcome.passed', { count: 3 }),
      t('contents.page', { first: 5 }),
      t('footer'),
      '02.06.2026 14:30:00 UTC+5',
      t('page', { number: 2, count: 5 }),
      t('files.original'),
      t('about.force'),
      law('electronicDocumentLaw.equal', { number: '370-II', article: '7', paragraph: '1' }),
      t('warning'),
    ]) {
      expect(text.replaceAll(' ', '')).toContain(words.replaceAll(' ', ''))
    }
  })

  test('the card cites the law that was in force on the date of the document', async () => {
    const { facts } = jobOf({ originalPath, outPath })
    const later = { ...facts, signingDate: '2026-07-11' }
    const document = await opened(await printed(makePdf(['One']), { language, facts: later }))
    const text = (await textOf(document, 2)).replaceAll(' ', '')
    expect(text).toContain(law('digitalCode.equal', { number: '255-VIII' }).replaceAll(' ', ''))
    expect(text).not.toContain('370')
  })

  test('the sheet of a signature contains signer, times and checks', async () => {
    const document = await opened(await printed(makePdf(['One']), { language }))
    const text = (await textOf(document, 3)).replaceAll(' ', '')
    for (const words of [
      t('signature.title', { number: 1 }),
      t('verdict.TOTAL-PASSED'),
      'НҰРЛАНОВА ӘЙГЕРІМ СЕРІКҚЫЗЫ',
      `${t('signature.iin')} 900101400123`,
      'ТОО «Дала Транс»',
      `${t('signature.bin')} 123456789012`,
      '01.06.2026 15:00:00 UTC+5',
      'CN=НҰРЛАНОВА ӘЙГЕРІМ',
      t('revocation.good'),
      'CN=ҰЛТТЫҚ TSA, C=KZ',
      `${t('keyUsage.nonRepudiation')} (nonRepudiation)`,
      `${t('extendedKeyUsage.1-2-398-3-3-4-1-2-1')} (1.2.398.3.3.4.1.2.1)`,
      `${t('policies.1-2-398-3-3-2')} (1.2.398.3.3.2)`,
    ]) {
      expect(text).toContain(words.replaceAll(' ', ''))
    }
  })
})

test('without the option no time of signing is shown', async () => {
  const { facts } = jobOf({ originalPath, outPath })
  const document = await opened(
    await printed(makePdf(['One']), { facts: { ...facts, areTimesShown: false } }),
  )
  const text = `${await textOf(document, 2)} ${await textOf(document, 3)}`
  expect(text).not.toContain('01.06.2026 15:00:00')
  expect(text).not.toContain('02.06.2026')
})

test('a signature that did not pass is not shown as valid', async () => {
  const verdict = { indication: 'INDETERMINATE', code: 'DS-509', checkedAt: new Date(0) } as const
  const doubtful = signatures.map((signature, i) => (i === 1 ? { ...signature, verdict } : signature))
  const document = await opened(await printed(makePdf(['One']), { signatures: doubtful }))
  const t = textsOf('ru', 'outputs-printable')
  expect(await textOf(document, 2)).toContain(t('outcome.notAll', { count: 3 }))
  expect(await textOf(document, 4)).toContain(t('verdict.INDETERMINATE'))
  expect(await textOf(document, 4)).toContain('DS-509')
})

test.each(standings)('the card warns if the document is not in force: %s', async (standing) => {
  const { facts } = jobOf({ originalPath, outPath })
  const warning = textsOf('ru', 'outputs-printable')(`standing.${standing}`)
  const textWith = async (change: Partial<typeof facts>) =>
    textOf(await opened(await printed(makePdf(['One']), { facts: { ...facts, ...change } })), 2)
  expect(await textWith({ standing })).toContain(warning)
  expect(await textWith({ standing: null })).not.toContain(warning)
})

test('signatures are in the order of their timestamps', async () => {
  const bytes = await printed(makePdf(['One']), { signatures: signatures.toReversed() })
  const document = await opened(bytes)
  expect((await filesOf(document)).slice(1).map(({ name }) => name)).toEqual(
    signatures.map(({ fileName }) => fileName),
  )
})

test('characters missing in the font and very long names do not break the card', async () => {
  const { facts } = jobOf({ originalPath, outPath })
  const name = `Договор 契約 😀 ${'о'.repeat(250)}`
  const document = await opened(
    await printed(makePdf(['One']), { facts: { ...facts, name, description: 'ы '.repeat(2000) } }),
  )
  expect(await textOf(document, 2)).toContain('Договор ?? ?')
  expect(document.numPages).toBeGreaterThan(5)
})

test('a signature can be restored from the QR codes of its sheet', async () => {
  const document = await opened(await printed(makePdf(['One'])))
  const parts: { total: number; index: number; data: string }[] = []
  for (const picture of await picturesOn(document, 3)) {
    const words = decodeQr(picture)
    if (words.startsWith('{')) parts.push(JSON.parse(words) as (typeof parts)[number])
  }
  expect(parts.map(({ index }) => index)).toEqual(Array.from({ length: parts[0]!.total }, (_, i) => i + 1))
  const zip = Buffer.from(parts.map(({ data }) => data).join(''), 'base64')
  const begin = 30 + zip.readUInt16LE(26)
  const cms = inflateRawSync(zip.subarray(begin, begin + zip.readUInt32LE(18)))
  expect(cms.equals(Buffer.from(signatures[0]!.cms))).toBe(true)
})

describe('the compact card', () => {
  const compactly = async (count: number, parts: Partial<PrintableJob['facts']> = {}) => {
    const { facts } = jobOf({ originalPath, outPath })
    const many = await signaturesOf(Buffer.from('a document'), count)
    return opened(
      await printed(makePdf(['One']), { signatures: many, facts: { ...facts, isCompact: true, ...parts } }),
    )
  }

  test('has four signatures on one sheet, with what was checked, and all of them attached', async () => {
    const document = await compactly(4)
    expect(document.numPages).toBe(3)
    const text = await textOf(document, 3)
    const t = textsOf('ru', 'outputs-printable')
    for (let number = 1; number <= 4; number++) expect(text).toContain(t('signature.title', { number }))
    expect(text.split(t('verdict.TOTAL-PASSED'))).toHaveLength(5)
    expect(text).toContain('UTC+5')
    expect(text).toContain(t('compact.note'))
    expect(await filesOf(document)).toHaveLength(5)
    expect(await textOf(document, 2)).not.toContain(t('check.codes'))
  })

  test('continues on a second sheet, and hides times if the organisation does', async () => {
    const document = await compactly(8, { areTimesShown: false })
    expect(document.numPages).toBe(4)
    expect(await textOf(document, 4)).toContain(
      textsOf('ru', 'outputs-printable')('signature.title', { number: 8 }),
    )
    expect(await textOf(document, 3)).not.toContain('01.06.2026')
  })
})

test.each(oddPdfs)('the mark is inside of the first page of a PDF $name', async ({ make }) => {
  const original = await make()
  const { facts } = jobOf({ originalPath, outPath })
  const plain = await opened(await printed(original))
  const bytes = await printed(original, { facts: { ...facts, hasFooterMark: true } })
  const marked = await opened(bytes)
  expect(marked.numPages).toBe(plain.numPages)
  const first = await marked.getPage(1)
  const stampsOf = async (page: typeof first) =>
    ((await page.getAnnotations()) as { subtype: string; rect: number[] }[]).filter(
      ({ subtype }) => subtype === 'Stamp',
    )
  const before = await stampsOf(await plain.getPage(1))
  const stamps = (await stampsOf(first)).slice(before.length)
  expect(stamps).toHaveLength(1)
  const [left = 0, bottom = 0, right = 0, top = 0] = first.view
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = stamps[0]!.rect
  expect([x1 >= left, y1 >= bottom, x2 <= right, y2 <= top]).toEqual([true, true, true, true])
})

test('a marked document begins with the bytes of its original', async () => {
  const original = makePdf(['One', 'Two'])
  const { facts } = jobOf({ originalPath, outPath })
  const bytes = await printed(original, { facts: { ...facts, hasFooterMark: true } })
  expect(bytes.subarray(0, original.length).equals(Buffer.from(original))).toBe(true)
})

type Picture = { width: number; height: number; data: Uint8Array }

/** The QR codes of a page as images, four pixels for each module. */
async function picturesOn(document: PDFDocumentProxy, number: number) {
  const page = await document.getPage(number)
  const { fnArray, argsArray } = await page.getOperatorList()
  const names = argsArray.flatMap((args, i) =>
    fnArray[i] === OPS.paintImageXObject ? [(args as [string])[0]] : [],
  )
  const pictures = await Promise.all(
    names.map((name) => {
      // Objects used on several pages are stored with the common ones.
      const kept = name.startsWith('g_') ? page.commonObjs : page.objs
      return new Promise<Picture>((resolve) =>
        kept.get(name, (picture: unknown) => resolve(picture as Picture)),
      )
    }),
  )
  return pictures.map(({ width, height, data }) => {
    const scale = 4
    const picture = new Uint8Array(width * scale * height * scale * 4).fill(255)
    for (let y = 0; y < height * scale; y++) {
      for (let x = 0; x < width * scale; x++) {
        const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)]
        const isLight = (data[row * Math.ceil(width / 8) + (column >> 3)]! >> (7 - (column & 7))) & 1
        if (!isLight) picture.fill(0, (y * width * scale + x) * 4, (y * width * scale + x) * 4 + 3)
      }
    }
    return { width: width * scale, height: height * scale, data: picture }
  })
}
