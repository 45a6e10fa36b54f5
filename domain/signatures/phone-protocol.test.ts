import { expect, test } from 'vitest'
import { documentsToSign, launchLink, phoneCode, readPhoneResponse } from './phone-protocol.ts'

const entry = 'https://kelisim.example/api/e/abc/mgovSign'
const names = { nameRu: 'Договор', nameKz: 'Шарт', nameEn: 'Contract' }
const one = { ...names, meta: [], mime: 'application/pdf' as const, data: 'cGRm' }
const documents = documentsToSign([one])

/** The body that the app sends back: unchanged except for the signature in place of the document. */
const signed = (data: string) => {
  const body = structuredClone(documents)
  body.documentsToSign[0].document.file.data = data
  return body
}

test('a QR code contains the plain address, a link contains it encoded', () => {
  expect(phoneCode(entry)).toBe(`mobileSign:${entry}`)
  expect(launchLink('businessSign', entry)).toBe(
    'https://m.egov.kz/businessSign/?link=https%3A%2F%2Fkelisim.example%2Fapi%2Fe%2Fabc%2FmgovSign',
  )
})

test('a response contains the signature in place of the document, and may have more fields', () => {
  expect(readPhoneResponse(signed('Q01T'))).toEqual({ data: ['Q01T'] })
  expect(readPhoneResponse({ ...signed('Q01T'), appVersion: '2.4.1' })).toEqual({ data: ['Q01T'] })
})

test('a response to several documents must contain each of them once, in any order', () => {
  const body = documentsToSign([one, one, one])
  const [first, second, third] = body.documentsToSign.map(({ id, document }) => ({
    id,
    document: { file: { ...document.file, data: `signature ${id}` } },
  }))
  const read = (...answers: unknown[]) => readPhoneResponse({ ...body, documentsToSign: answers }, 3)
  expect(read(third, first, second)).toEqual({ data: ['signature 1', 'signature 2', 'signature 3'] })
  expect(read(first, second)).toBeNull()
  expect(read(first, second, second)).toBeNull()
  expect(read(first, second, third, { ...third, id: 4 })).toBeNull()
})

test('a response to more documents than one code signs is not valid', () => {
  const body = documentsToSign(Array.from({ length: 101 }, () => one))
  expect(readPhoneResponse({ ...body, documentsToSign: body.documentsToSign.slice(1) }, 100)).toBeNull()
  const first = { ...body, documentsToSign: body.documentsToSign.slice(0, 100) }
  expect(readPhoneResponse(first, 100)).toEqual({ data: Array.from({ length: 100 }, () => one.data) })
  expect(readPhoneResponse(body, 101)).toBeNull()
})

test('a cancellation is recognised with and without the documents', () => {
  expect(readPhoneResponse({ ...documents, status: 'CANCELED' })).toBe('canceled')
  expect(readPhoneResponse({ status: 'CANCELED' })).toBe('canceled')
})

test.each([
  ['nothing', null],
  ['a text', 'signed'],
  ['no documents', { ...documents, documentsToSign: [] }],
  [
    'two documents',
    { ...documents, documentsToSign: [...documents.documentsToSign, ...documents.documentsToSign] },
  ],
  ['another document', { ...documents, documentsToSign: [{ ...documents.documentsToSign[0], id: 2 }] }],
  ['another method', { ...signed('Q01T'), signMethod: 'XML' }],
  ['XML', { signMethod: 'XML', documentsToSign: [{ id: 1, documentXml: '<a/>' }] }],
])('%s is not a valid response', (_, body) => {
  expect(readPhoneResponse(body)).toBeNull()
})
