import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, PDFString, type EncryptionAlgorithm, type PDFRef } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { oddPdfs } from '../../outputs/printable/testing-pdfs.ts'
import { deflated } from '../testing-bombs.ts'
import { goodPdf } from '../testing-corpus.ts'
import { faultOf, packed, pdfWithPacked, predictedUp, script } from './testing-pdfs.ts'

/** A PDF whose table names the object in the stream, and whose page has it as its action. */
const opening = (...packing: Parameters<typeof packed>) =>
  pdfWithPacked({ page: '/AA << /O 9 0 R >>' }, packed(...packing))
const predicted = '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 8 >>'

test.each<[string, Parameters<typeof packed>[1]]>([
  ['by its type', {}],
  ['by a type with digits', { dictionary: '/Type /Obj#53tm' }],
  ['without a type', { dictionary: '' }],
  ['as a picture', { dictionary: '/Type /ObjStm /Subtype /Image' }],
  ['beside a string with the word that begins objects', { filter: '/Filter /FlateDecode /X (obj)' }],
  ['beside a dictionary with a filter of its own', { dictionary: '/Type /ObjStm /X << /F /Y >>' }],
  ['in a long dictionary', { dictionary: `/Type /ObjStm /X (${'a'.repeat(9000)})` }],
  ['with the filter of encryption', { filter: '/Filter [/Crypt /FlateDecode]' }],
  ['with a predictor', { filter: predicted, pack: (bytes) => deflateSync(predictedUp(bytes)) }],
  ['after a comment', { beginning: '%c\nstream\n' }],
  ['after a zero', { beginning: '\0stream\n' }],
  ['after blanks in the line', { beginning: '\nstream  \r\n' }],
  ['without a filter', { filter: '', pack: (bytes) => bytes }],
  [
    'in digits',
    { filter: '/Filter /ASCIIHexDecode', pack: (bytes) => Buffer.from(`${bytes.toString('hex')}>`) },
  ],
])('a script in an object stream is found: %s', async (_, packing) => {
  expect(await faultOf(opening(script, packing))).toBe('scripts')
})

test('a name that is complete only at the end of the object stream is found', async () => {
  const data = '9 0 8 28 << /S 8 0 R /JS 8 0 R >>    /JavaScriptX'
  const stream = `<< /N 2 /First 9 /Length ${data.length - 1} >>\nstream\n${data}\nendstream`
  expect(await faultOf(pdfWithPacked({ page: '/AA << /O 9 0 R >>' }, stream, [9, 8]))).toBe('scripts')
})

test('a name that is complete only when read on into the next object is found', async () => {
  const data = '9 0 8 26 7 31 << /S 8 0 R /JS 8 0 R >>  /JavaScript '
  const stream = `<< /N 3 /First 14 /Length ${data.length} >>\nstream\n${data}\nendstream`
  expect(await faultOf(pdfWithPacked({ page: '/AA << /O 9 0 R >>' }, stream, [9, 8, 7]))).toBe('scripts')
})

/**
 * Blocks that are not compressed, with one between them whose sizes are zero: some readers skip it, others end there.
 */
function withDamagedBlock(bytes: Buffer): Buffer {
  const block = (data: Buffer) =>
    Buffer.concat([Buffer.from([0, data.length, 0, ~data.length & 255, 255]), data])
  const [before, after] = [bytes.subarray(0, 8), bytes.subarray(8)]
  return Buffer.concat([Buffer.from([0x78, 0x9c]), block(before), Buffer.alloc(5), block(after)])
}

test.each<[string, Parameters<typeof packed>[1]]>([
  ['a block that some readers pass over', { pack: withDamagedBlock }],
  ['a dictionary that readers repair differently', { dictionary: '/X << /Y >> /Z 1 >> /Type /ObjStm' }],
  ['another old filter', { filter: '/Filter /LZWDecode' }],
  ['another filter', { filter: '/Filter /BrotliDecode' }],
  ['filters in another object', { filter: '/Filter 5 0 R' }],
  ['two filters, of which readers choose', { filter: '/Filter /FlateDecode /F /LZWDecode' }],
  ['a filter twice', { filter: '/Filter /FlateDecode /Filter /LZWDecode' }],
  ['a predictor that nobody knows', { filter: '/Filter /FlateDecode /DecodeParms << /Predictor 9 >>' }],
  ['damaged data', { pack: () => Buffer.from('damaged') }],
  ['a list of objects that is none', { pack: () => deflateSync(Buffer.from('<< /S /GoTo >>')) }],
])('object streams with %s are refused', async (_, packing) => {
  expect(await faultOf(opening('<< /S /GoTo /D [3 0 R /Fit] >>', packing))).toBe('broken')
})

test.each<[string, Parameters<typeof packed>[1]]>([
  ['a megabyte of spaces over and over', {}],
  ['as a picture', { dictionary: '/Type /ObjStm /Subtype /Image' }],
  ['beside a string with the word that begins objects', { filter: '/Filter /FlateDecode /X (obj)' }],
  ['after a comment', { beginning: '%c\nstream\n' }],
])('object streams larger than a document needs are refused: %s', async (_, packing) => {
  const pack = () => deflated(20)
  expect(await faultOf(opening('null', { ...packing, pack }))).toBe('bomb')
})

test('object streams with a predictor are accepted', async () => {
  const packing = { filter: predicted, pack: (bytes: Buffer) => deflateSync(predictedUp(bytes)) }
  expect(await faultOf(opening('<< /S /GoTo /D [3 0 R /Fit] >>', packing))).toBeNull()
})

const refused = ['with scripts', 'that is a portfolio of files', 'with a static XFA form']

test.each(oddPdfs)(
  'a PDF made by another program, $name, has the expected result',
  async ({ name, make }) => {
    const fault = await faultOf(Buffer.from(await make()))
    if (refused.includes(name)) expect(fault).toMatch(/^(scripts|xfa)$/)
    else expect(fault).toBeNull()
  },
)

const algorithms: EncryptionAlgorithm[] = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256']

async function restricted(algorithm: EncryptionAlgorithm, change: (pdf: PDFDocument) => void) {
  const pdf = await PDFDocument.load(goodPdf)
  change(pdf)
  pdf.encrypt({
    ownerPassword: 'owner',
    permissions: { modifying: false },
    algorithm,
    allowWeakCryptography: true,
  })
  return pdf.save({ useObjectStreams: true })
}

/** The library packs every object of its own. */
const packedIn = (pdf: PDFDocument, entries: Record<string, string | number[] | PDFString | PDFRef>) =>
  pdf.context.register(pdf.context.obj(entries))
const javaScript = (pdf: PDFDocument) => packedIn(pdf, { S: 'JavaScript', JS: PDFString.of('1') })
const openingWith = (pdf: PDFDocument, action: PDFRef) => pdf.catalog.set(PDFName.of('OpenAction'), action)

const hidden: [string, (pdf: PDFDocument) => void][] = [
  [
    'a script of a page',
    (pdf) => pdf.getPage(0).node.set(PDFName.of('AA'), packedIn(pdf, { O: javaScript(pdf) })),
  ],
  ['a program', (pdf) => openingWith(pdf, packedIn(pdf, { S: 'Launch', F: PDFString.of('cmd.exe') }))],
  [
    'a script after another action',
    (pdf) => openingWith(pdf, packedIn(pdf, { S: 'GoTo', Next: javaScript(pdf) })),
  ],
  [
    'media',
    (pdf) => {
      const annotation = packedIn(pdf, { Type: 'Annot', Subtype: 'RichMedia', Rect: [0, 0, 9, 9] })
      pdf.getPage(0).node.set(PDFName.of('Annots'), pdf.context.obj([annotation]))
    },
  ],
]

test.each(algorithms.flatMap((algorithm) => hidden.map(([what, hide]) => ({ algorithm, what, hide }))))(
  'in a PDF with restricted permissions ($algorithm), $what is found',
  async ({ algorithm, hide }) => {
    expect(await faultOf(await restricted(algorithm, hide))).toBe('scripts')
  },
)

test.each(algorithms)('a PDF whose permissions are restricted (%s) is accepted', async (algorithm) => {
  const pdf = await restricted(algorithm, (changed) => {
    openingWith(changed, packedIn(changed, { S: 'Named', N: 'FirstPage' }))
  })
  expect(await faultOf(pdf)).toBeNull()
})

test('a PDF whose objects cannot be decrypted is refused', async () => {
  const pdf = Buffer.from(await restricted('AES-128', () => {}))
  const changed = pdf.toString('latin1').replace('/CFM /AESV2', '/CFM /V2   ')
  expect(await faultOf(Buffer.from(changed, 'latin1'))).toBe('broken')
})

test('more keys than are tried do not hide an object stream without encryption', async () => {
  const encryption = '/Encryption << /O (a) /U (b) /R 3 >>'
  const identifiers = Array.from({ length: 20 }, (_, i) => `/X << /ID [(${i})] >>`).join(' ')
  const pdf = pdfWithPacked(
    { page: '/AA << /O 9 0 R >>', catalog: `${encryption} ${identifiers}` },
    packed(script),
  )
  expect(await faultOf(pdf)).toBe('scripts')
})
