/** For tests: PDFs with features that programs write, and broken ones. */
import { deflateSync } from 'node:zlib'
import {
  degrees,
  PDFDocument,
  PDFName,
  PDFString,
  StandardFonts,
  type EncryptionAlgorithm,
} from '@cantoo/pdf-lib'
import { makePdf, withTable } from '@kelisim/demo/sample-files.ts'
import { pdfBytes } from '@kelisim/pdf/make-pdf.ts'
import { printPdf } from '../../rich-text/print-pdf.ts'
import { readHtml } from '../../rich-text/read-html.ts'

/** `isAddedTo`: whether the original's bytes stay at the beginning of the printed PDF. */
export type OddPdf = { name: string; make: () => Promise<Uint8Array> | Uint8Array; isAddedTo: boolean }

const added = (name: string, make: OddPdf['make']): OddPdf => ({ name, make, isAddedTo: true })
const anew = (name: string, make: OddPdf['make']): OddPdf => ({ name, make, isAddedTo: false })

export const oddPdfs: OddPdf[] = [
  added('without metadata', () => makePdf(['One'], ['Two'])),
  added('that was made by this product', () => printPdf(readHtml('<h1>Шарт</h1><p>Мәтін</p>'), 'Шарт')),
  added('with a plain cross-reference table', async () =>
    (await contract(3)).save({ useObjectStreams: false }),
  ),
  added('with object streams', async () => (await contract(3)).save()),
  added('with a predicted cross-reference stream', () => withPredictedTable()),
  added('that is linearized', () => linearized()),
  added('with an incremental update', async () => {
    const document = await PDFDocument.load(await (await contract(2)).save(), { forIncrementalUpdate: true })
    document.getPage(0).drawText('changed', { x: 300, y: 300 })
    return document.save()
  }),
  added('with pages of different rotation', async () => {
    const document = await contract(4)
    for (const [i, page] of document.getPages().entries()) page.setRotation(degrees(i * 90))
    return document.save()
  }),
  added('whose pages inherit rotation and size', () => inheriting()),
  added('with a very large and a very small page', async () => {
    const document = await contract(1)
    document.addPage([14_400, 14_400]).drawText('poster', { x: 9000, y: 9000, size: 400 })
    document.addPage([72, 36]).drawText('stamp', { x: 4, y: 4, size: 8 })
    document.getPage(0).setCropBox(50, 60, 300, 400)
    return document.save()
  }),
  added('with a form to fill in', async () => {
    const document = await contract(1)
    const field = document.getForm().createTextField('name')
    field.setText('Aigerim')
    field.addToPage(document.getPage(0), { x: 60, y: 60, width: 200, height: 20 })
    return document.save()
  }),
  added('with attachments', async () => {
    const document = await contract(1)
    await document.attach(Buffer.from('a'), '0000 before all others.txt')
    await document.attach(Buffer.from('b'), 'б.txt')
    return document.save()
  }),
  added('with scripts', async () => {
    const document = await contract(1)
    document.addJavaScript('hello', 'app.alert("hello")')
    const script = { S: 'JavaScript', JS: PDFString.of('this.print()') }
    document.catalog.set(PDFName.of('OpenAction'), document.context.obj(script))
    document.catalog.set(PDFName.of('AA'), document.context.obj({ WC: script }))
    return document.save()
  }),
  added('that is a portfolio of files', async () => {
    const document = await contract(1)
    await document.attach(Buffer.from('a'), 'a.txt')
    document.catalog.set(PDFName.of('Collection'), document.context.obj({ View: 'T' }))
    return document.save()
  }),
  added('with a static XFA form', () => withXfa({ isDynamic: false })),
  added('of 500 pages', async () => (await contract(500)).save()),
  ...(['RC4-128', 'AES-128', 'AES-256'] as const).map((algorithm) =>
    anew(`encrypted with permission only to print (${algorithm})`, () => onlyForPrinting(algorithm)),
  ),
  anew('encrypted by another program, with permission only to print', () =>
    pdfBytes(
      {
        version: '1.7ext3',
        ownerPassword: 'owner',
        permissions: { printing: 'highResolution' },
        // Characters whose bytes have a special meaning inside a PDF string.
        info: { title: 'Шарт (Щ' },
        defaultStyle: { font: 'Serif' },
        content: [{ text: 'Келісім', link: 'https://example.kz/(1?back\\slash' }],
      },
      'only for printing',
    ),
  ),
  anew('with a wrong startxref', () => {
    const pdf = makePdf(['One'], ['Two']).toString('latin1')
    return Buffer.from(pdf.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
  }),
  anew('with wrong offsets of objects', () => {
    const pdf = makePdf(['One'], ['Two'])
    return Buffer.concat([pdf.subarray(0, 9), Buffer.from('% a line more\n'), pdf.subarray(9)])
  }),
  anew('without a trailer', () => {
    const pdf = makePdf(['One'], ['Two'])
    return pdf.subarray(0, pdf.indexOf('startxref'))
  }),
]

export const unprintablePdfs: [string, string, () => Promise<Uint8Array> | Uint8Array][] = [
  ['with a password', 'encrypted', () => encrypted({ userPassword: 'secret', ownerPassword: 'owner' })],
  ['truncated before its pages', 'broken', () => makePdf(['One']).subarray(0, 60)],
  ['of random bytes', 'broken', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3000, 7)])],
  ['without pages', 'broken', () => withTable('%PDF-1.4\n', ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 0 /Kids [] >>'])], // prettier-ignore
  ['with a page tree that contains itself', 'broken', () => withTable('%PDF-1.4\n', ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 2 /Kids [2 0 R] >>'])], // prettier-ignore
  ['with a dynamic XFA form', 'dynamic', () => withXfa({ isDynamic: true })],
]

export async function contract(pages: number): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let i = 0; i < pages; i++) {
    document.addPage([595, 842]).drawText(`Clause ${i + 1}`, { x: 60, y: 700, size: 12, font })
  }
  return document
}

const onlyForPrinting = (algorithm: EncryptionAlgorithm) =>
  encrypted({
    ownerPassword: 'owner',
    permissions: { printing: 'highResolution', modifying: false },
    algorithm,
    allowWeakCryptography: true,
  })

async function encrypted(options: Parameters<PDFDocument['encrypt']>[0]): Promise<Uint8Array> {
  const document = await contract(2)
  document.encrypt(options)
  return document.save()
}

async function withXfa({ isDynamic }: { isDynamic: boolean }): Promise<Uint8Array> {
  const document = await contract(1)
  document.getForm().createTextField('name').addToPage(document.getPage(0), { x: 60, y: 60 })
  const form = document.catalog.getOrCreateAcroForm().dict
  form.set(PDFName.of('XFA'), PDFString.of('<xdp/>'))
  if (isDynamic) document.catalog.set(PDFName.of('NeedsRendering'), document.context.obj(true))
  // The library would remove the XML.
  return document.save({ updateFieldAppearances: false })
}

/** Inherited attributes of the page tree, which must not apply to the added pages. */
function inheriting(): Buffer {
  const content = 'BT /F1 13 Tf 72 70 Td (Sideways) Tj ET'
  return withTable('%PDF-1.3\n', [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /Rotate 90 /MediaBox [0 0 300 200] /CropBox [10 10 290 190]' +
      ' /Resources << /Font << /F1 5 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
}

const pageParts = (first: number) => {
  const content = 'BT /F1 13 Tf 72 700 Td (Packed) Tj ET'
  return [
    `<< /Type /Catalog /Pages ${first + 1} 0 R >>`,
    `<< /Type /Pages /Count 1 /Kids [${first + 2} 0 R] >>`,
    `<< /Type /Page /Parent ${first + 1} 0 R /MediaBox [0 0 595 842] /Contents ${first + 3} 0 R` +
      ` /Resources << /Font << /F1 ${first + 4} 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
}

/**
 * A PDF as most programs since PDF 1.5 write it: three objects in a stream, and a cross-reference stream with a
 * predictor.
 */
function withPredictedTable(): Buffer {
  const [catalog = '', pages = '', page = '', content = '', font = ''] = pageParts(1)
  let text = '%PDF-1.5\n'
  const offsets = new Map<number, number>()
  const put = (number: number, body: string) => {
    offsets.set(number, text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const packed = [catalog, pages, page]
  const head = packed
    .map((_, i) => `${i + 1} ${packed.slice(0, i).join(' ').length + (i > 0 ? 1 : 0)}`)
    .join(' ')
  const inside = deflateSync(Buffer.from(`${head} ${packed.join(' ')}`)).toString('latin1')
  put(4, content)
  put(5, font)
  put(
    6,
    `<< /Type /ObjStm /N 3 /First ${head.length + 1} /Filter /FlateDecode /Length ${inside.length} >>\nstream\n${inside}\nendstream`,
  )
  const start = text.length
  const row = (kind: number, one: number, other: number) => [
    kind,
    one >> 16,
    (one >> 8) & 255,
    one & 255,
    other,
  ]
  const rows = [
    row(0, 0, 255),
    ...[0, 1, 2].map((i) => row(2, 6, i)),
    ...[4, 5, 6].map((number) => row(1, offsets.get(number)!, 0)),
    row(1, start, 0),
  ]
  const predicted = rows.map((own, i) => [
    2,
    ...own.map((byte, at) => (byte - (rows[i - 1]?.[at] ?? 0)) & 255),
  ])
  const table = deflateSync(Uint8Array.from(predicted.flat())).toString('latin1')
  put(
    7,
    `<< /Type /XRef /Size 8 /W [1 3 1] /Root 1 0 R /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 5 >> /Length ${table.length} >>\nstream\n${table}\nendstream`,
  )
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, 'latin1')
}

/**
 * A linearized PDF: the objects of the first page come first, with a table of their own that refers to the table at
 * the end.
 */
function linearized(): Buffer {
  const bodies = ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>', ...pageParts(2)]
  const [late, early] = [bodies.slice(0, 1), bodies.slice(1)]
  const line = (at: number) => `${String(at).padStart(10, '0')} 00000 n \n`
  // The head and its table have the same length for any numbers.
  const head = (offsets: readonly number[], previous: number) =>
    `%PDF-1.4\nxref\n2 ${early.length}\n${offsets.map(line).join('')}` +
    `trailer\n<< /Size 7 /Root 2 0 R /Prev ${String(previous).padStart(6, '0')} >>\nstartxref\n0\n%%EOF\n`
  let at = head(
    early.map(() => 0),
    0,
  ).length
  const place = (body: string, number: number) => {
    const object = `${number} 0 obj\n${body}\nendobj\n`
    const start = at
    at += object.length
    return { object, start }
  }
  const placed = [...early.map((body, i) => place(body, i + 2)), ...late.map((body) => place(body, 1))]
  const last = placed.at(-1)!
  const table = `xref\n0 2\n0000000000 65535 f \n${line(last.start)}trailer\n<< /Size 2 >>\nstartxref\n9\n%%EOF\n`
  return Buffer.from(
    head(
      placed.slice(0, -1).map(({ start }) => start),
      at,
    ) +
      placed.map(({ object }) => object).join('') +
      table,
    'latin1',
  )
}
