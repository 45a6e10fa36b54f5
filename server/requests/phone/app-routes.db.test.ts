/** Responses of the phone that come twice, wrong or too late, and calls by others than the phone. */
import { describe, expect, test } from 'vitest'
import { sizeLimits } from '@kelisim/domain/documents/formats.ts'
import { removeMember } from '@kelisim/domain/portal/contract.ts'
import { lockRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { goodPdf, pdfOfSize } from '../../documents/testing-corpus.ts'
import { sign } from '../../identity/testing-signers.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { statusOf, type View } from '../core/testing-requests.ts'
import { sweepMobileSignings } from './phone-signings.ts'
import { mobileScene, type Documents } from './testing-phone.ts'

const {
  call,
  make,
  database,
  time,
  look,
  act,
  signAt,
  sender,
  receiver,
  employee,
  colleague,
  partner,
  simple,
  base64,
  minutes,
  ask,
  follow,
  requestWithCode,
  over,
  opened,
  signed,
  centre,
  checking,
} = await mobileScene()

describe('a response of the app', () => {
  test('that is repeated gets the same result and counts once', async () => {
    const { code, request } = await requestWithCode()
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

  test('over a document that was corrected meanwhile does not count', async () => {
    const { code, request } = await requestWithCode()
    const { documents, put } = await opened(code)
    const body = await signed(documents, sender.stamp)
    const { organizationId } = employee
    const bytes = Buffer.concat([goodPdf, Buffer.from('\n% corrected\n')])
    const { result: better } = await sender.upload(sender.employee, organizationId, { bytes })
    const change = { signingRequestId: request.id, documentId: better.id, comment: 'Цена' }
    expect((await call(sender.employee, correctRequest, { organizationId, ...change })).status).toBe(200)
    await put(body)
    const { result } = await look(employee, request.id)
    expect(result.revision).toBe(2)
    expect(result.points[0]!.signatures.filter(({ state }) => state === 'accepted')).toEqual([])
  })

  test('that differs from the first is refused', async () => {
    const { code, request } = await requestWithCode()
    const { documents, put } = await opened(code)
    await put(await signed(documents, sender.stamp))
    await minutes(1)
    const other = await put(await signed(documents, sender.stamp))
    expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('уже ответили')])
    expect((await put({ ...documents, status: 'CANCELED' })).status).toBe(409)
    expect((await look(employee, request.id)).result.points[0]!.signatures).toHaveLength(1)
  })

  test('is accepted once if two come at once', async () => {
    const { code, request } = await requestWithCode()
    const { documents, put } = await opened(code)
    const one = await signed(documents, sender.stamp)
    const other = await signed(documents, sender.stamp)
    const responses = await Promise.all([put(one), put(other)])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await look(employee, request.id)).result.points[0]!.signatures).toHaveLength(1)
  })

  test('signed with the wrong key is refused with a reason, also when repeated', async () => {
    const { code, id, request } = await requestWithCode()
    const { documents, put } = await opened(code)
    const body = await signed(documents, receiver.stamp)
    const first = await put(body)
    expect(first).toEqual({ status: 403, body: { message: expect.any(String) } })
    expect(await put(body)).toEqual(first)
    expect((await follow(employee, id)).result.signature).toMatchObject({ state: 'refused', code: 'DS-706' })
    expect((await look(employee, request.id)).result.points[0]!.status).toBe(pointStatuses.ValidationError)
    // The person signs with another code and the right key.
    const next = await opened((await ask(employee, request)).result.code)
    expect((await next.put(await signed(next.documents, sender.stamp))).status).toBe(200)
  })

  test('signed with the wrong key is refused each time, also if it is repeated before the check has ended', async () => {
    const { code, request } = await requestWithCode()
    const { documents, put } = await opened(code)
    const body = await signed(documents, receiver.stamp)
    const both = Promise.withResolvers<void>()
    let checks = 0
    checking.before = () => {
      if (++checks === 2) both.resolve()
      return both.promise
    }
    const responses = await Promise.all([put(body), put(body)])
    checking.before = async () => {}
    expect(responses.map(({ status }) => status)).toEqual([403, 403])
    expect((await look(employee, request.id)).result.points[0]!.signatures).toHaveLength(1)
  })

  test('is accepted while the centre cannot be reached, and gets the result of the check when repeated', async () => {
    const { code, request } = await requestWithCode()
    const { documents, put } = await opened(code)
    const body = await signed(documents, sender.stamp)
    centre.answer = undefined
    const first = await put(body)
    expect(first).toEqual({
      status: 200,
      body: { status: 'success', message: expect.stringContaining('проверяется') },
    })
    centre.answer = { revokedAt: new Date(time.now.getTime() - 60_000) }
    expect((await put(body)).status).toBe(403)
    expect((await look(employee, request.id)).result.points[0]!.status).toBe(pointStatuses.ValidationError)
  })

  test('with a signature of another document is refused', async () => {
    const { code, id } = await requestWithCode()
    const { documents, put } = await opened(code)
    const other = structuredClone(documents)
    other.documentsToSign[0]!.document.file.data = base64(Buffer.from('%PDF another'))
    expect((await put(await signed(other, sender.stamp))).status).toBe(403)
    expect((await follow(employee, id)).result.signature).toMatchObject({ code: 'DS-202' })
  })

  test('that cancels closes the code and does not change the request', async () => {
    const { code, id, request } = await requestWithCode()
    const { documents, put, uri, token } = await opened(code)
    expect((await put({ ...documents, status: 'CANCELED' })).status).toBe(200)
    expect((await put({ ...documents, status: 'CANCELED' })).status).toBe(200)
    expect((await follow(employee, id)).result).toMatchObject({ state: 'canceled', signature: null })
    expect((await over('GET', uri, { token })).status).toBe(410)
    expect((await look(employee, request.id)).result.currentVersion).toBe(request.currentVersion)
  })

  test('that cancels may contain the largest allowed document', async () => {
    const bytes = pdfOfSize(sizeLimits.pdf)
    const document = (await sender.upload(employee.id, sender.organizationId, { bytes })).result
    const { code, id } = await requestWithCode({}, { documentId: document.id })
    const { documents, put, uri } = await opened(code)
    const { data } = documents.documentsToSign[0]!.document.file
    expect(Buffer.from(data, 'base64').equals(bytes)).toBe(true)
    const body = { ...documents, status: 'CANCELED' }
    // Without the token such a large body is not read.
    expect((await over('PUT', uri, { token: 'x'.repeat(43), body })).status).toBe(401)
    expect((await put(body)).status).toBe(200)
    expect((await follow(employee, id)).result.state).toBe('canceled')
  })

  test.each([
    ['by another method', (d: Documents) => ({ ...d, signMethod: 'CMS_WITH_DATA' })],
    ['as XML', () => ({ signMethod: 'XML', documentsToSign: [{ id: 1, documentXml: '<a/>' }] })],
    [
      'with another document number',
      (d: Documents) => ({ ...d, documentsToSign: [{ ...d.documentsToSign[0], id: 7 }] }),
    ],
    ['without documents', (d: Documents) => ({ ...d, documentsToSign: [] })],
    ['with a signature that is not base64', (d: Documents) => withData(d, '{"signature":"…"}')],
    ['that is not an object', () => [1]],
  ])('%s is refused as invalid, and the code stays open', async (_, change) => {
    const { code } = await requestWithCode()
    const { documents, put } = await opened(code)
    expect(await put(change(documents))).toEqual({ status: 400, body: { message: expect.any(String) } })
    expect((await put(await signed(documents, sender.stamp))).status).toBe(200)
  })

  test('with hundreds of thousands of documents is refused as invalid', async () => {
    const { code } = await requestWithCode()
    const { documents, put } = await opened(code)
    for (const count of [9_000, 300_000]) {
      const documentsToSign = Array.from({ length: count }, () => ({}))
      expect((await put({ ...documents, documentsToSign })).status).toBe(400)
    }
    expect((await put(await signed(documents, sender.stamp))).status).toBe(200)
  })

  test('that is not JSON or too large is refused in the format of the app', async () => {
    const { code, id } = await requestWithCode()
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

describe('access is refused', () => {
  test('without the right token', async () => {
    const { code } = await requestWithCode()
    const { uri, documents } = await opened(code)
    const wrong = 'x'.repeat(43)
    expect((await over('GET', uri)).status).toBe(401)
    expect((await over('GET', uri, { token: wrong })).status).toBe(401)
    const body = await signed(documents, sender.stamp)
    expect((await over('PUT', uri, { token: wrong, body })).status).toBe(401)
    const { token } = await opened((await requestWithCode()).code)
    expect((await over('GET', uri, { token })).status).toBe(401)
  })

  test('after the code has expired', async () => {
    const { code, id, request } = await requestWithCode()
    const { documents, put, uri, token } = await opened(code)
    const body = await signed(documents, sender.stamp)
    await minutes(10)
    expect((await over('GET', code.slice('mobileSign:'.length))).status).toBe(410)
    expect((await over('GET', uri, { token })).status).toBe(410)
    expect((await put(body)).status).toBe(410)
    // The body of a late answer is not even parsed.
    expect((await put('{"broken')).status).toBe(410)
    expect((await follow(employee, id)).result.state).toBe('expired')
    expect((await look(employee, request.id)).result.points[0]!.signatures).toEqual([])
    await minutes(25 * 60)
    await database.write((tx) => sweepMobileSignings(tx, time.now))
    expect(aliasOf(await follow(employee, id))).toBe('mobile-signing-not-found')
  })

  test('to the progress of a code of another person', async () => {
    const { id } = await requestWithCode()
    for (const who of [colleague, partner, { id: employee.id }]) {
      expect(aliasOf(await follow(who, id))).toBe('mobile-signing-not-found')
    }
  })

  test('to people who cannot sign on the page either', async () => {
    const { result: request } = await sender.send(simple)
    expect(aliasOf(await ask(partner, request))).toBe('signing-request-not-found')
    const pointId = '00000000-0000-4000-8000-000000000001'
    expect(aliasOf(await ask(employee, request, { pointId }))).toBe('point-not-found')
    await signAt(employee, request, 'CompanyInternalSign', sender.stamp)
    expect(aliasOf(await ask(employee, request))).toBe('wrong-request-status')
  })

  test('to a request that was withdrawn after the code was shown, and the page shows why', async () => {
    const { code, id, request } = await requestWithCode()
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

  test('to a document that somebody else has locked', async () => {
    const { code, id, request } = await requestWithCode()
    const { documents, put } = await opened(code)
    const input = { organizationId: sender.organizationId, signingRequestId: request.id }
    await call(sender.colleague, lockRequest, input)
    const { status } = await put(await signed(documents, sender.stamp))
    expect(status).toBe(423)
    expect((await follow(employee, id)).result.refusal).toMatchObject({
      alias: 'document-is-on-signing-process',
    })
  })

  test('for an organisation that the person has left', async () => {
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
    const { refusal } = await database.db
      .selectFrom('mobileSignings')
      .select('refusal')
      .where('id', '=', result.id)
      .executeTakeFirstOrThrow()
    expect(refusal?.alias).toBe('organization-not-found')
    expect((await look(employee, request.id)).result.points[0]!.signatures).toEqual([])
  })
})

test('when signing on the page and by phone at once, one succeeds and the other is refused', async () => {
  const { code, request } = await requestWithCode()
  const { documents, put } = await opened(code)
  const body = await signed(documents, sender.stamp)
  const signature = base64(await sign(sender.stamp, goodPdf, time.now))
  const [phone, page] = await Promise.all([
    put(body),
    // The page acts as the same person, because an earlier test bound the colleague's account to another key, so
    // theirs would be refused.
    act(employee, request, 'CompanyInternalSign', 'sign', { signature }),
  ])
  expect([phone.status, page.status].toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await look(employee, request.id)).result.points[0]!.signatures).toHaveLength(1)
})

describe('several documents with one code', () => {
  const bytesOf = (i: number) => Buffer.concat([goodPdf, Buffer.from(`\n% document ${i}\n`)])
  const asked = ({ id, points }: View) => ({ signingRequestId: id, pointId: points[0]!.pointId })

  async function sent(files: Buffer[], isTogether = false) {
    const { organizationId } = employee
    const uploaded = await Promise.all(
      files.map((bytes) => sender.upload(employee.id, organizationId, { bytes })),
    )
    const documents = uploaded.map(({ result }, i) => ({ documentId: result.id, name: `Документ ${i + 1}` }))
    const form = { name: 'Сделка', routeId: simple, isTogether, documents }
    return (await call(employee.id, createPackage, { organizationId, ...form })).result.requests
  }

  async function codeFor(requests: readonly View[]) {
    const [first, ...rest] = requests
    return ask(employee, first!, { also: rest.map(asked) })
  }

  test('are shown and signed at once', async () => {
    const requests = await sent([bytesOf(1), bytesOf(2), bytesOf(3)], true)
    const { result } = await codeFor(requests)
    const { documents, put } = await opened(result.code)
    expect(documents.documentsToSign.map(({ id, nameRu }) => [id, nameRu])).toEqual([
      [1, 'Документ 1'],
      [2, 'Документ 2'],
      [3, 'Документ 3'],
    ])
    expect(documents.documentsToSign.map(({ document }) => document.file.data)).toEqual(
      [1, 2, 3].map((i) => base64(bytesOf(i))),
    )
    const body = await signed(documents, sender.stamp)
    body.documentsToSign.reverse()
    expect([(await put(body)).status, (await put(body)).status]).toEqual([200, 200])
    const { state, signature, also } = (await follow(employee, result.id)).result
    expect([state, signature?.state, ...also.map((one) => one.signature?.state)]).toEqual([
      'done',
      'accepted',
      'accepted',
      'accepted',
    ])
    for (const { id } of requests) expect(statusOf((await look(employee, id)).result)).toBe('Completed')
  })

  test('are refused together if one signature is over another document', async () => {
    const requests = await sent([bytesOf(1), bytesOf(2)])
    const { result } = await codeFor(requests)
    const { documents, put } = await opened(result.code)
    const body = await signed(documents, sender.stamp)
    const [one, two] = body.documentsToSign
    two!.document.file.data = one!.document.file.data
    expect((await put(body)).status).toBe(403)
    const after = await Promise.all(requests.map(({ id }) => look(employee, id)))
    expect(after.map(({ result }) => statusOf(result))).toEqual(['Completed', 'ValidationFail'])
  })

  test('are refused one by one if they are decided together', async () => {
    const requests = await sent([bytesOf(1), bytesOf(2)], true)
    const { result } = await ask(employee, requests[0]!)
    const { documents, put } = await opened(result.code)
    expect((await put(await signed(documents, sender.stamp))).status).toBe(409)
    expect((await follow(employee, result.id)).result.refusal?.alias).toBe('package-together')
  })

  test('need one sender, and together may not be larger than one document', async () => {
    const large = await sent([pdfOfSize(sizeLimits.pdf / 2 + 1), pdfOfSize(sizeLimits.pdf / 2 + 2)])
    expect(aliasOf(await codeFor(large))).toBe('mobile-too-large')
    const { groupId, organizationId, owner: id } = sender
    const one = { groupId, organizationId, userId: id }
    await database.write((tx) => tx.insertInto('groupParticipants').values(one).execute())
    const external = await receiver.point('ExternalSign', { bin: sender.bin, emails: ['in@example.kz'] })
    const foreign = (await receiver.send(await receiver.route(external))).result
    const [own] = await sent([bytesOf(1), bytesOf(2)])
    const mixed = await ask({ id, organizationId }, own!, { also: [asked(foreign)] })
    expect(aliasOf(mixed)).toBe('mobile-one-sender')
  })
})
