/** Signing by phone, as the national app speaks: code, introduction, document, signature; and those who only pretend to. */
import { beforeEach, describe, expect, test } from 'vitest'
import { sizeLimits } from '@kelisim/domain/documents/formats.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { removeMember } from '@kelisim/domain/identity/portal-contract.ts'
import { lockRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { createCrosslinks, getCrosslinks } from '@kelisim/domain/requests/mobile-contract.ts'
import { pointStatuses, requestStatuses } from '@kelisim/domain/requests/status.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { withTimestamp } from '@kelisim/signature/signer/sign-cms.ts'
import { goodDocx, goodPdf, pdfOfSize } from '../documents/testing-corpus.ts'
import { citizen, sign, type Signer } from '../identity/testing-signers.ts'
import { aliasOf, parametersOf } from '../routes/testing-routes.ts'
import { publicUrl } from '../testing.ts'
import { sweepMobileSignings } from './mobile-signings.ts'
import { actingIn, startRequestsApp, type View } from './testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, make, nation, centre, database, time, travel } = testApp
const { look, act, signAt } = actingIn(testApp)
const sender = await testApp.company()
const receiver = await testApp.company()
const employee = { id: sender.employee, organizationId: sender.organizationId }
const colleague = { id: sender.colleague, organizationId: sender.organizationId }
const partner = { id: receiver.owner, organizationId: receiver.organizationId }
const simple = await sender.route(await sender.point('CompanyInternalSign'))

// One person asks for more codes here than anybody does in a minute.
beforeEach(() => database.pool.query('delete from rate_limits'))

const statusOf = (view: View) => requestStatuses.list(view.status)[0]
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const minutes = (count: number) => travel(new Date(time.now.getTime() + count * 60_000))

type Who = { id: string; organizationId?: string }

const ask = (who: Who, request: Pick<View, 'id' | 'points'>, change: object = {}) =>
  call(who.id, createCrosslinks, {
    ...{ organizationId: who.organizationId ?? emptyId, signingRequestId: request.id },
    ...{ pointId: request.points.at(-1)!.pointId, ...change },
  })

const follow = (who: Who, crosslinkId: string) =>
  call(who.id, getCrosslinks, { organizationId: who.organizationId ?? emptyId, crosslinkId })

/** A request that waits for a signature, and a code for it. */
async function asked(change: object = {}, form: object = {}) {
  centre.answer = 'good'
  const { result: request } = await sender.send(simple, form)
  const { status, result } = await ask(employee, request, change)
  expect(status).toBe(200)
  return { request, ...result }
}

type Introduction = {
  description: string
  expiry_date: string
  organisation: object
  document: { uri: string; auth_type: string; auth_token: string }
}
type Documents = {
  signMethod: string
  documentsToSign: { id: number; nameRu: string; document: { file: { mime: string; data: string } } }[]
}

/** What the app does over the network: no cookies, no origin, its own language. */
async function over(
  method: 'GET' | 'PUT',
  url: string,
  { token, body, language = 'ru' }: { token?: string; body?: unknown; language?: string } = {},
) {
  const answer = await app.inject({
    ...{ method, url: url.replace(publicUrl.origin, '') },
    headers: {
      'accept-language': language,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: answer.json<{ message?: string; backUrl?: string }>() }
}

async function opened(code: string, language?: string) {
  expect(code).toMatch(/^mobileSign:http:\/\/localhost:3000\/api\/e\/[\w-]{32}\/mgovSign$/)
  const at = { ...(language !== undefined && { language }) }
  const introduction = (await over('GET', code.slice('mobileSign:'.length), at)).body as Introduction
  const { uri, auth_token: token } = introduction.document
  const fetched = await over('GET', uri, { token, ...at })
  expect(fetched.status).toBe(200)
  const documents = fetched.body as Documents
  const put = (body: unknown) => over('PUT', uri, { token, body, ...at })
  return { introduction, documents, put, uri, token }
}

/** The same as it came, with a signature of what came in its place. */
async function signed(documents: Documents, signer: Signer, stamp = false): Promise<Documents> {
  const body = structuredClone(documents)
  const { file } = body.documentsToSign[0]!.document
  const cms = await sign(signer, Buffer.from(file.data, 'base64'), time.now)
  const value = stamp ? await withTimestamp(cms, 0, (bytes) => nation.stamp(bytes, time.now)) : cms
  file.data = base64(value)
  return body
}

test('the app is introduced, gets the very document, signs it, and the page sees how far it has come', async () => {
  const { request, id, code, links, qr, expiresAt, standInUrl } = await asked({ comment: 'С телефона' })
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
      ...{ nameRu: expect.any(String), nameKz: expect.any(String), nameEn: expect.any(String) },
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

test('the app speaks the language of the person', async () => {
  const { code } = await asked()
  expect((await opened(code, 'kk')).introduction.description).toBe('Құжатқа қол қою')
  const unknown = await over('GET', `/api/e/${'x'.repeat(32)}/mgovSign`, { language: 'en' })
  expect(unknown).toEqual({ status: 404, body: { message: expect.stringContaining('no such request') } })
})

test('an outsider signs with the phone what was sent to their number', async () => {
  const signer = await citizen(nation, { bin: '880315300123' })
  const point = await sender.point('ExternalSign', { bin: '880315300123', emails: ['o@example.kz'] })
  const { result: sent } = await sender.send(await sender.route(point))
  const outsider = { id: await make.outsider(signer.iin, '880315300123') }
  const { result } = await ask(outsider, sent)
  const { documents, put } = await opened(result.code)
  expect((await put(await signed(documents, signer))).status).toBe(200)
  expect((await follow(outsider, result.id)).result.signature).toMatchObject({ state: 'accepted' })
  const other = { id: await make.outsider('900101300999', '880315300999') }
  expect(aliasOf(await follow(other, result.id))).toBe('mobile-signing-not-found')
  expect(aliasOf(await ask(other, sent))).toBe('signing-request-access-failure')
})

describe('with a timestamp required', () => {
  test('the one that the app puts in is enough', async () => {
    const { code, request } = await asked({}, { isTimestampRequired: true })
    const { documents, put } = await opened(code)
    expect((await put(await signed(documents, sender.stamp, true))).status).toBe(200)
    expect(statusOf((await look(employee, request.id)).result)).toBe('Completed')
  })

  test('an app that puts none in is refused', async () => {
    const { code, id } = await asked({}, { isTimestampRequired: true })
    const { documents, put } = await opened(code)
    expect((await put(await signed(documents, sender.stamp))).status).toBe(403)
    expect((await follow(employee, id)).result.signature).toMatchObject({ state: 'refused', code: 'DS-601' })
  })
})

test('the terminating document is signed by phone too; a code for the contract does not serve for it', async () => {
  const { request, code } = await asked()
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

test('what is no PDF is signed on a computer', async () => {
  const document = (
    await sender.upload(employee.id, sender.organizationId, {
      name: 'Смета.docx',
      bytes: goodDocx,
    })
  ).result
  const { result: request } = await sender.send(simple, { documentId: document.id })
  const answer = await ask(employee, request)
  expect([answer.status, aliasOf(answer)]).toEqual([415, 'mobile-pdf-only'])
})

describe('the way back', () => {
  test('is there on the phone itself, and leads to our own address', async () => {
    const callbackURI = `${publicUrl.origin}/signingRequests/incomings/1?organizationId=2`
    const { code } = await asked({ deviceType: 'Android', callbackURI })
    const { documents, put } = await opened(code)
    expect((await put(await signed(documents, sender.stamp))).body.backUrl).toBe(callbackURI)
    const { code: another, request } = await asked({ deviceType: 'IOS' })
    const unnamed = await opened(another)
    expect((await unnamed.put(await signed(unnamed.documents, sender.stamp))).body.backUrl).toBe(
      `${publicUrl.origin}/signingRequests/redirect/${request.id}`,
    )
  })

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', String.raw`\\evil.example`])(
    'never to %s',
    async (callbackURI) => {
      const { result: request } = await sender.send(simple)
      const answer = await ask(employee, request, { deviceType: 'Android', callbackURI })
      expect(parametersOf(answer)).toEqual({ fields: [{ path: 'callbackURI', code: 'incorrect' }] })
    },
  )
})

test('while the centre cannot be reached the app is told that it was taken, and the page that it is checked', async () => {
  const { code, id } = await asked()
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

describe('an answer', () => {
  test('whose own answer got lost is told the same, and counts once', async () => {
    const { code, request } = await asked()
    const { documents, put } = await opened(code)
    const body = await signed(documents, sender.stamp)
    const twice = await Promise.all([put(body), put(body)])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    body.documentsToSign[0]!.document.file.data = body.documentsToSign[0]!.document.file.data.replaceAll(
      /.{76}/g,
      '$&\r\n',
    )
    expect((await put(body)).status).toBe(200)
    const { result } = await look(employee, request.id)
    expect(result.points[0]!.signatures).toHaveLength(1)
  })

  test('that is another one than the first is not taken', async () => {
    const { code, request } = await asked()
    const { documents, put } = await opened(code)
    await put(await signed(documents, sender.stamp))
    await minutes(1)
    const other = await put(await signed(documents, sender.stamp))
    expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('уже ответили')])
    expect((await put({ ...documents, status: 'CANCELED' })).status).toBe(409)
    expect((await look(employee, request.id)).result.points[0]!.signatures).toHaveLength(1)
  })

  test('of two at once one is taken', async () => {
    const { code, request } = await asked()
    const { documents, put } = await opened(code)
    const one = await signed(documents, sender.stamp)
    const other = await signed(documents, await citizen(nation, { bin: sender.bin }))
    const answers = await Promise.all([put(one), put(other)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await look(employee, request.id)).result.points[0]!.signatures).toHaveLength(1)
  })

  test('by the wrong key is refused on the phone with the reason, also when it comes again', async () => {
    const { code, id, request } = await asked()
    const { documents, put } = await opened(code)
    const body = await signed(documents, receiver.stamp)
    const first = await put(body)
    expect(first).toEqual({ status: 403, body: { message: expect.any(String) } })
    expect(await put(body)).toEqual(first)
    expect((await follow(employee, id)).result.signature).toMatchObject({ state: 'refused', code: 'DS-706' })
    expect((await look(employee, request.id)).result.points[0]!.status).toBe(pointStatuses.ValidationError)
    // The person takes another code, and the right key.
    const next = await opened((await ask(employee, request)).result.code)
    expect((await next.put(await signed(next.documents, sender.stamp))).status).toBe(200)
  })

  test('with a signature of another document is refused', async () => {
    const { code, id } = await asked()
    const { documents, put } = await opened(code)
    const other = structuredClone(documents)
    other.documentsToSign[0]!.document.file.data = base64(Buffer.from('%PDF another'))
    expect((await put(await signed(other, sender.stamp))).status).toBe(403)
    expect((await follow(employee, id)).result.signature).toMatchObject({ code: 'DS-202' })
  })

  test('that says no closes the code and changes nothing', async () => {
    const { code, id, request } = await asked()
    const { documents, put, uri, token } = await opened(code)
    expect((await put({ ...documents, status: 'CANCELED' })).status).toBe(200)
    expect((await put({ ...documents, status: 'CANCELED' })).status).toBe(200)
    expect((await follow(employee, id)).result).toMatchObject({ state: 'canceled', signature: null })
    expect((await over('GET', uri, { token })).status).toBe(410)
    expect((await look(employee, request.id)).result.currentVersion).toBe(request.currentVersion)
  })

  test('that says no to the largest document there may be brings it back whole', async () => {
    const bytes = pdfOfSize(sizeLimits.pdf)
    const document = (await sender.upload(employee.id, sender.organizationId, { bytes })).result
    const { code, id } = await asked({}, { documentId: document.id })
    const { documents, put, uri } = await opened(code)
    const { data } = documents.documentsToSign[0]!.document.file
    expect(Buffer.from(data, 'base64').equals(bytes)).toBe(true)
    const body = { ...documents, status: 'CANCELED' }
    // Nobody without the token makes us read as much.
    expect((await over('PUT', uri, { token: 'x'.repeat(43), body })).status).toBe(401)
    expect((await put(body)).status).toBe(200)
    expect((await follow(employee, id)).result.state).toBe('canceled')
  })

  test.each([
    ['by another method', (d: Documents) => ({ ...d, signMethod: 'CMS_WITH_DATA' })],
    ['as XML', () => ({ signMethod: 'XML', documentsToSign: [{ id: 1, documentXml: '<a/>' }] })],
    [
      'of another number',
      (d: Documents) => ({ ...d, documentsToSign: [{ ...d.documentsToSign[0], id: 7 }] }),
    ],
    ['without documents', (d: Documents) => ({ ...d, documentsToSign: [] })],
    ['with letters that are no base64', (d: Documents) => withData(d, '{"signature":"…"}')],
    ['that is no object', () => [1]],
  ])('%s is not understood, and the code stays open', async (_, change) => {
    const { code } = await asked()
    const { documents, put } = await opened(code)
    expect(await put(change(documents))).toEqual({ status: 400, body: { message: expect.any(String) } })
    expect((await put(await signed(documents, sender.stamp))).status).toBe(200)
  })

  test('that cannot be read, or is too large, is told so in the words of the app', async () => {
    const { code, id } = await asked()
    const { documents, put } = await opened(code)
    expect(await put('{"broken')).toEqual({ status: 400, body: { message: expect.any(String) } })
    const large = await put(withData(documents, 'A'.repeat(300_000)))
    expect(large).toEqual({ status: 413, body: { message: expect.any(String) } })
    expect((await follow(employee, id)).result.state).toBe('data')
  })
})

const withData = (documents: Documents, data: string): Documents => {
  const body = structuredClone(documents)
  body.documentsToSign[0]!.document.file.data = data
  return body
}

describe('nothing', () => {
  test('for whoever has not the token', async () => {
    const { code } = await asked()
    const { uri, documents } = await opened(code)
    const wrong = 'x'.repeat(43)
    expect((await over('GET', uri)).status).toBe(401)
    expect((await over('GET', uri, { token: wrong })).status).toBe(401)
    const body = await signed(documents, sender.stamp)
    expect((await over('PUT', uri, { token: wrong, body })).status).toBe(401)
    const { token } = await opened((await asked()).code)
    expect((await over('GET', uri, { token })).status).toBe(401)
  })

  test('after the time is over', async () => {
    const { code, id, request } = await asked()
    const { documents, put, uri, token } = await opened(code)
    const body = await signed(documents, sender.stamp)
    await minutes(10)
    expect((await over('GET', code.slice('mobileSign:'.length))).status).toBe(410)
    expect((await over('GET', uri, { token })).status).toBe(410)
    expect((await put(body)).status).toBe(410)
    expect((await follow(employee, id)).result.state).toBe('expired')
    expect((await look(employee, request.id)).result.points[0]!.signatures).toEqual([])
    await minutes(25 * 60)
    await database.write((tx) => sweepMobileSignings(tx, time.now))
    expect(aliasOf(await follow(employee, id))).toBe('mobile-signing-not-found')
  })

  test('of how far it has come for anybody but who asked', async () => {
    const { id } = await asked()
    for (const who of [colleague, partner, { id: employee.id }]) {
      expect(aliasOf(await follow(who, id))).toBe('mobile-signing-not-found')
    }
  })

  test('for who could not sign on the page either', async () => {
    const { result: request } = await sender.send(simple)
    expect(aliasOf(await ask(partner, request))).toBe('signing-request-not-found')
    const pointId = '00000000-0000-4000-8000-000000000001'
    expect(aliasOf(await ask(employee, request, { pointId }))).toBe('point-not-found')
    await signAt(employee, request, 'CompanyInternalSign', sender.stamp)
    expect(aliasOf(await ask(employee, request))).toBe('wrong-request-status')
  })

  test('of a document that was withdrawn after the code was shown; the page is told why', async () => {
    const { code, id, request } = await asked()
    const { documents, put, uri, token } = await opened(code)
    const input = { organizationId: sender.organizationId, signingRequestId: request.id, comment: 'Ошибка' }
    await call(employee.id, revokeRequest, input)
    expect((await over('GET', uri, { token })).status).toBe(409)
    const body = await signed(documents, sender.stamp)
    expect(await put(body)).toEqual({ status: 409, body: { message: expect.any(String) } })
    expect((await put(body)).status).toBe(409)
    expect((await follow(employee, id)).result).toMatchObject({
      state: 'fail',
      refusal: { alias: 'wrong-request-status' },
      signature: null,
    })
  })

  test('while another holds the document', async () => {
    const { code, id, request } = await asked()
    const { documents, put } = await opened(code)
    const input = { organizationId: sender.organizationId, signingRequestId: request.id }
    await call(sender.colleague, lockRequest, input)
    const { status } = await put(await signed(documents, sender.stamp))
    expect(status).toBe(423)
    expect((await follow(employee, id)).result.refusal).toMatchObject({
      alias: 'document-is-on-signing-process',
    })
  })

  test('in the name of an organisation that the person has left', async () => {
    const leaver = await make.member(sender.organizationId, await make.person(), 'Owner')
    const { result: request } = await sender.send(
      await sender.route(await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })),
    )
    const theirs = await make.member(receiver.organizationId, leaver, 'Owner')
    const { result } = await ask({ id: theirs, organizationId: receiver.organizationId }, request)
    const { documents, put, uri, token } = await opened(result.code)
    await call(receiver.owner, removeMember, { organizationId: receiver.organizationId, userId: leaver })
    expect((await over('GET', uri, { token })).status).toBe(404)
    expect((await put(await signed(documents, receiver.stamp))).status).toBe(404)
    expect((await look(employee, request.id)).result.points[0]!.signatures).toEqual([])
  })
})

test('an act on the page and one on the phone at once: one counts, the other is told', async () => {
  const { code, request } = await asked()
  const { documents, put } = await opened(code)
  const body = await signed(documents, sender.stamp)
  const signature = base64(await sign(sender.stamp, goodPdf, time.now))
  const [phone, page] = await Promise.all([
    put(body),
    act(colleague, request, 'CompanyInternalSign', 'sign', { signature }),
  ])
  expect([phone.status, page.status].toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await look(employee, request.id)).result.points[0]!.signatures).toHaveLength(1)
})
