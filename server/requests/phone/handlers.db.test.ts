/** Signing by phone in the protocol of the national app: code, introduction, document, signature. */
import { describe, expect, test } from 'vitest'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { goodDocx, goodPdf } from '../../documents/testing-corpus.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { mobileScene } from './testing-phone.ts'

const {
  call,
  make,
  nation,
  centre,
  look,
  signAt,
  sender,
  employee,
  simple,
  statusOf,
  ask,
  follow,
  requestWithCode,
  over,
  opened,
  signed,
} = await mobileScene()

test('the app gets the introduction and the document and signs it, and the page follows the progress', async () => {
  const { request, id, code, links, qr, expiresAt, standInUrl } = await requestWithCode({
    comment: 'С телефона',
  })
  expect(links.eGovMobile).toContain('https://m.egov.kz/mobileSign/?link=http%3A%2F%2Flocalhost')
  expect(links.eGovBusiness).toContain('https://m.egov.kz/businessSign/?link=')
  expect(qr.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/)
  expect(standInUrl).toBeNull()
  const state = async () => (await follow(employee, id)).result.state
  expect(await state()).toBe('new')

  const entry = code.slice('mobileSign:'.length)
  const { body } = await over('GET', entry)
  expect(body).toEqual({
    description: 'Подписание документа',
    expiry_date: expiresAt,
    organisation: {
      nameRu: expect.any(String),
      nameKz: expect.any(String),
      nameEn: expect.any(String),
      bin: sender.bin,
    },
    document: {
      uri: entry.replace('mgovSign', 'documents'),
      auth_type: 'Token',
      auth_token: expect.stringMatching(/^[\w-]{43}$/),
    },
  })
  expect(await state()).toBe('meta')

  const { documents, put } = await opened(code)
  expect(await state()).toBe('data')
  expect(documents).toMatchObject({
    signMethod: 'CMS_SIGN_ONLY',
    version: 1,
    documentsToSign: [{ id: 1, nameRu: 'Договор поставки', document: { file: { mime: 'application/pdf' } } }],
  })
  expect(Buffer.from(documents.documentsToSign[0]!.document.file.data, 'base64')).toEqual(goodPdf)

  expect(await put(await signed(documents, sender.stamp))).toEqual({
    status: 200,
    body: { status: 'success', message: 'success' },
  })
  const { result } = await look(employee, request.id)
  expect(statusOf(result)).toBe('Completed')
  expect(result.points[0]!.signatures).toMatchObject([{ state: 'accepted', comment: 'С телефона' }])
  expect((await follow(employee, id)).result).toMatchObject({
    state: 'done',
    signature: { state: 'accepted', code: null },
    refusal: null,
  })
})

test('responses to the app are in the language of the person', async () => {
  const { code } = await requestWithCode()
  expect((await opened(code, 'kk')).introduction.description).toBe('Құжатқа қол қою')
  const unknown = await over('GET', `/api/e/${'x'.repeat(32)}/mgovSign`, { language: 'en' })
  expect(unknown).toEqual({ status: 404, body: { message: expect.stringContaining('no such request') } })
})

test('an outsider signs by phone what was sent to their number', async () => {
  const signer = await citizen(nation, { bin: '880340300123' })
  const point = await sender.point('ExternalSign', { bin: '880340300123', emails: ['o@example.kz'] })
  const { result: sent } = await sender.send(await sender.route(point))
  const outsider = { id: await make.outsider(signer.iin, '880340300123') }
  const { result } = await ask(outsider, sent)
  const { documents, put } = await opened(result.code)
  expect((await put(await signed(documents, signer))).status).toBe(200)
  expect((await follow(outsider, result.id)).result.signature).toMatchObject({ state: 'accepted' })
  const other = { id: await make.outsider('900101300999', '880315300999') }
  expect(aliasOf(await follow(other, result.id))).toBe('mobile-signing-not-found')
  expect(aliasOf(await ask(other, sent))).toBe('signing-request-access-failure')
})

describe('with a timestamp required', () => {
  test('a signature in which the app includes one is accepted', async () => {
    const { code, request } = await requestWithCode({}, { isTimestampRequired: true })
    const { documents, put } = await opened(code)
    expect((await put(await signed(documents, sender.stamp, true))).status).toBe(200)
    expect(statusOf((await look(employee, request.id)).result)).toBe('Completed')
  })

  test('a signature without one is refused', async () => {
    const { code, id } = await requestWithCode({}, { isTimestampRequired: true })
    const { documents, put } = await opened(code)
    expect((await put(await signed(documents, sender.stamp))).status).toBe(403)
    expect((await follow(employee, id)).result.signature).toMatchObject({ state: 'refused', code: 'DS-601' })
  })
})

test('the terminating document is signed by phone too, but not with a code of the contract', async () => {
  const { request, code } = await requestWithCode()
  const early = await opened(code)
  await signAt(employee, request, 'CompanyInternalSign', sender.stamp)
  const input = { organizationId: sender.organizationId, signingRequestId: request.id, comment: 'Передумали' }
  expect(statusOf((await call(employee.id, terminateRequest, input)).result)).toBe('Terminating')
  expect((await early.put(await signed(early.documents, sender.stamp))).status).toBe(409)
  expect(aliasOf(await ask(employee, request, { signingRequestsAssociationType: 1 }))).toBe(
    'wrong-request-status',
  )
  const { result } = await ask(employee, request, { signingRequestsAssociationType: 2 })
  const { introduction, documents, put } = await opened(result.code)
  expect(introduction.description).toBe('Подписание соглашения о расторжении')
  expect(documents.documentsToSign[0]!.nameRu).toContain(request.name)
  expect((await put(await signed(documents, sender.stamp))).status).toBe(200)
  expect(statusOf((await look(employee, request.id)).result)).toBe('Terminated')
})

test('documents other than PDF cannot be signed by phone', async () => {
  const document = (
    await sender.upload(employee.id, sender.organizationId, {
      name: 'Смета.docx',
      bytes: goodDocx,
    })
  ).result
  const { result: request } = await sender.send(simple, { documentId: document.id })
  const response = await ask(employee, request)
  expect([response.status, aliasOf(response)]).toEqual([415, 'mobile-pdf-only'])
})

describe('the link back to the page', () => {
  test('is returned if signing began on the phone, and leads to our site', async () => {
    const callbackURI = `${publicUrl.origin}/signingRequests/incomings/1?organizationId=2`
    const { code } = await requestWithCode({ deviceType: 'Android', callbackURI })
    const { documents, put } = await opened(code)
    expect((await put(await signed(documents, sender.stamp))).body.backUrl).toBe(callbackURI)
    const { code: another, request } = await requestWithCode({ deviceType: 'IOS' })
    const unnamed = await opened(another)
    expect((await unnamed.put(await signed(unnamed.documents, sender.stamp))).body.backUrl).toBe(
      `${publicUrl.origin}/signingRequests/redirect/${request.id}`,
    )
  })

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', String.raw`\\evil.example`])(
    'cannot lead to %s',
    async (callbackURI) => {
      const { result: request } = await sender.send(simple)
      const response = await ask(employee, request, { deviceType: 'Android', callbackURI })
      expect(parametersOf(response)).toEqual({ fields: [{ path: 'callbackURI', code: 'incorrect' }] })
    },
  )
})

test('while the centre is unavailable the app gets a success, and the page shows that the signature is being checked', async () => {
  const { code, id } = await requestWithCode()
  const { documents, put } = await opened(code)
  const body = await signed(documents, sender.stamp)
  centre.answer = undefined
  expect((await put(body)).status).toBe(200)
  centre.answer = 'good'
  expect((await follow(employee, id)).result).toMatchObject({
    state: 'done',
    signature: { state: 'checking' },
  })
})
