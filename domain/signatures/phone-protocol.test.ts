import { expect, test } from 'vitest'
import { documentToSign, launchLink, phoneCode, readPhoneResponse } from './phone-protocol.ts'

const entry = 'https://kelisim.example/api/e/abc/mgovSign'
const names = { nameRu: 'Договор', nameKz: 'Шарт', nameEn: 'Contract' }
const asked = documentToSign({ ...names, meta: [], mime: 'application/pdf', data: 'cGRm' })

/** As the app sends it back: unchanged, with the signature in place of the document. */
const signed = (data: string) => {
  const body = structuredClone(asked)
  body.documentsToSign[0].document.file.data = data
  return body
}

test('a QR holds the address as it is, a link holds it encoded', () => {
  expect(phoneCode(entry)).toBe(`mobileSign:${entry}`)
  expect(launchLink('businessSign', entry)).toBe(
    'https://m.egov.kz/businessSign/?link=https%3A%2F%2Fkelisim.example%2Fapi%2Fe%2Fabc%2FmgovSign',
  )
})

test('the same with a signature in place of the document is an answer, whatever else an app adds', () => {
  expect(readPhoneResponse(signed('Q01T'))).toEqual({ data: 'Q01T' })
  expect(readPhoneResponse({ ...signed('Q01T'), appVersion: '2.4.1' })).toEqual({ data: 'Q01T' })
})

test('a refusal by the person is one, with the documents or without', () => {
  expect(readPhoneResponse({ ...asked, status: 'CANCELED' })).toBe('canceled')
  expect(readPhoneResponse({ status: 'CANCELED' })).toBe('canceled')
})

test.each([
  ['nothing', null],
  ['a text', 'signed'],
  ['no documents', { ...asked, documentsToSign: [] }],
  ['two documents', { ...asked, documentsToSign: [...asked.documentsToSign, ...asked.documentsToSign] }],
  ['another document', { ...asked, documentsToSign: [{ ...asked.documentsToSign[0], id: 2 }] }],
  ['another method', { ...signed('Q01T'), signMethod: 'XML' }],
  ['XML', { signMethod: 'XML', documentsToSign: [{ id: 1, documentXml: '<a/>' }] }],
])('%s is no answer', (_, body) => {
  expect(readPhoneResponse(body)).toBeNull()
})
