import { expect, test } from 'vitest'
import {
  acceptedFormats,
  formatNames,
  formatOfName,
  inMegabytes,
  landingFormats,
  uploadFormats,
  sizeLimits,
} from './formats.ts'

test.each([
  ['a.pdf', 'pdf'],
  ['a.PDF ', 'pdf'],
  ['a.b.docx', 'docx'],
  ['Прайс.XLSX', 'xlsx'],
  ['a.doc', null],
  ['a.docm', null],
  ['a.pdf.exe', null],
  ['pdf', null],
  ['', null],
])('the format of "%s" is %s', (name, format) => {
  expect(formatOfName(name, uploadFormats)).toBe(format)
})

test('the landing page accepts older office files too', () => {
  expect(['a.doc', 'Б.XLS', 'c.docx', 'd.docm'].map((name) => formatOfName(name, landingFormats))).toEqual([
    'doc',
    'xls',
    'docx',
    null,
  ])
})

test('an organisation that accepts PDF only accepts no other format', () => {
  const strict = { documentsUploadPdfOnly: true, documentsUploadXml: true }
  expect(acceptedFormats(strict)).toEqual(['pdf'])
  const usual = { documentsUploadPdfOnly: false, documentsUploadXml: false }
  expect(formatNames(acceptedFormats(usual))).toBe('PDF, DOCX, XLSX')
})

test('XML is accepted where the organisation says so, and never on the landing page', () => {
  const options = { documentsUploadPdfOnly: false, documentsUploadXml: true }
  expect(formatNames(acceptedFormats(options))).toBe('PDF, DOCX, XLSX, XML')
  expect(formatOfName('Счёт.XML', acceptedFormats(options))).toBe('xml')
  expect(formatOfName('Счёт.xml', uploadFormats)).toBeNull()
  expect(formatOfName('Счёт.xml', landingFormats)).toBeNull()
})

test('the size limit is 20 MB for PDF and 10 MB for other formats', () => {
  expect(Object.entries(sizeLimits).map(([format, limit]) => [format, inMegabytes(limit)])).toEqual([
    ['pdf', 20],
    ['docx', 10],
    ['xlsx', 10],
    ['doc', 10],
    ['xls', 10],
    ['xml', 10],
  ])
})
