/** The holder of a code sees the document and who signed it, until the chosen day, and nothing else. */
import { beforeEach, describe, expect, test } from 'vitest'
import { updateRequest } from '@kelisim/domain/requests/contract.ts'
import { downloadByCode, makeAccessCodes, openByCode } from '@kelisim/domain/requests/holder-contract.ts'
import { codeLetters, mostWrongAtRequest, mostWrongInAll } from '@kelisim/domain/requests/access-code.ts'
import { newId } from '@kelisim/db/id.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, database, time, travel } = testApp
const { act, signAt } = actingIn(testApp)
const company = await testApp.company()
const { organizationId } = company
const employee = { id: company.employee, organizationId }
const colleague = { id: company.colleague, organizationId }
const approval = await company.point('InternalApprove')
const route = await company.route(approval, await company.point('CompanyInternalSign'))

// The tests call more often in a minute than one address may.
beforeEach(() => database.pool.query('delete from rate_limits'))

async function signed(setting: { additionalComponents: number; accessCodeExpirationDate?: string | null }) {
  const generationSetting = { accessCodeExpirationDate: null, ...setting }
  const { result: sent } = await company.send(route, { generationSetting })
  await act(colleague, sent, 'InternalApprove', 'approve', { comment: 'Между нами' })
  await signAt(employee, sent, 'CompanyInternalSign', company.stamp, { comment: 'И это' })
  const { result: codes } = await call(employee.id, makeAccessCodes, {
    organizationId,
    signingRequestId: sent.id,
  })
  return { ...codes, id: sent.id, open: (code: string) => openWith(sent.id, code) }
}

const openWith = (signingRequestId: string, code: string) =>
  call(null, openByCode, { signingRequestId, code })

async function download(signingRequestId: string, code: string) {
  return app.inject({
    method: 'POST',
    url: downloadByCode.path,
    payload: { signingRequestId, code },
    headers: { origin: publicUrl.origin },
  })
}

test('a code of letters and digits, or the link of a QR code, opens the document with its signatures and verdicts', async () => {
  const { id, letters, link, open } = await signed({ additionalComponents: 3 })
  expect(letters).toMatch(new RegExp(`^[${codeLetters}]{8}$`))
  expect(link).toMatch(new RegExp(`^http://localhost:3000/signingRequests/redirect/${id}#code=[\\w-]{22}$`))
  const inPlain = `${letters!.slice(0, 4).toLowerCase()} - ${letters!.slice(4)}`
  for (const code of [letters!, inPlain, link!.split('code=')[1]!]) {
    const { status, result } = await open(code)
    expect(status).toBe(200)
    expect(result).toMatchObject({
      id,
      name: 'Договор поставки',
      organization: { bin: company.bin },
      signatures: [{ verdict: { verdict: 'TOTAL-PASSED' }, certificate: { bin: company.bin } }],
    })
    const bytes = await download(id, code)
    expect([bytes.statusCode, bytes.rawPayload.equals(goodPdf)]).toEqual([200, true])
  }
})

test('the holder sees neither the route, nor comments, nor identifiers of people', async () => {
  const { letters, open } = await signed({ additionalComponents: 1 })
  const { result } = await open(letters!)
  const all = JSON.stringify(result)
  for (const hidden of ['Между нами', 'И это', 'InternalApprove', company.employee, company.colleague]) {
    expect(all).not.toContain(hidden)
  }
  expect(Object.keys(result).toSorted()).toEqual([
    'document',
    'id',
    'name',
    'organization',
    'signatures',
    'signingDate',
    'status',
    'validUntil',
  ])
})

test('internal approvals with a key are not shown among the signatures', async () => {
  const inside = await company.point('InternalApprove', { isEdsPresentationRequired: true })
  const generationSetting = { additionalComponents: 1, accessCodeExpirationDate: null }
  const { result: sent } = await company.send(
    await company.route(inside, await company.point('CompanyInternalSign')),
    { generationSetting },
  )
  const key = await company.ownKey(company.colleague)
  await signAt(colleague, sent, 'InternalApprove', key)
  await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  const { result: codes } = await call(employee.id, makeAccessCodes, {
    organizationId,
    signingRequestId: sent.id,
  })
  const { result } = await openWith(sent.id, codes.letters!)
  expect(result.signatures).toMatchObject([{ certificate: { bin: company.bin } }])
  expect(JSON.stringify(result)).not.toContain(key.iin)
})

test('wrong codes of letters do not delay QR codes', async () => {
  const { link, letters, open } = await signed({ additionalComponents: 3 })
  for (let i = 0; i < 6; i++) await open('AAAAAAAA')
  expect(aliasOf(await open(letters!))).toBe('too-many-requests')
  expect((await open(link!.split('code=')[1]!)).status).toBe(200)
})

/** The status of the answer to a code from an address. */
async function openFrom(remoteAddress: string, payload: { signingRequestId?: string; code: string }) {
  const response = await app.inject({
    method: 'POST',
    url: openByCode.path,
    payload,
    remoteAddress,
    headers: { origin: publicUrl.origin },
  })
  return response.statusCode
}

test('wrong codes of one network do not block others, until there are too many in total', async () => {
  const { id, letters } = await signed({ additionalComponents: 1 })
  const from = (address: string, code: string) => openFrom(address, { signingRequestId: id, code })
  for (let i = 0; i < 4; i++) await from('192.0.2.20', 'ACDEFGHJ')
  expect(await from('192.0.2.20', letters!)).toBe(429)
  expect(await from('198.51.100.1', letters!)).toBe(200)
  const wrongInAll = (wrong: number) =>
    database.pool.query('update code_tries set wrong = $1, at = $2 where source = $3', [
      wrong,
      time.now,
      `request ${id}`,
    ])
  await wrongInAll(mostWrongAtRequest - 1)
  expect(await from('198.51.100.2', letters!)).toBe(200)
  await wrongInAll(mostWrongAtRequest)
  expect(await from('198.51.100.2', letters!)).toBe(429)
})

test('wrong codes of all networks of one customer of a provider do not block others', async () => {
  const { id, letters } = await signed({ additionalComponents: 1 })
  for (const signingRequestId of [id, undefined]) {
    const from = (address: string, code: string) =>
      openFrom(address, signingRequestId === undefined ? { code } : { signingRequestId, code })
    const statuses: number[] = []
    for (let network = 0; network < 34; network++)
      for (let i = 0; i < 3; i++) statuses.push(await from(`2001:db8:7:${network}::${i + 1}`, 'ACDEFGHJ'))
    const taken = statuses.filter((status) => status === 403)
    expect(taken).toHaveLength(signingRequestId === undefined ? 50 : 30)
    expect(await from('2001:db8:7:ffff::1', letters!)).toBe(429)
    expect(await from('2001:db8:8::1', letters!)).toBe(200)
    expect(await from('198.51.100.3', letters!)).toBe(200)
  }
})

test('only hashes are stored, and codes made earlier stay valid', async () => {
  const { id, letters, open } = await signed({ additionalComponents: 1 })
  const again = await call(employee.id, makeAccessCodes, { organizationId, signingRequestId: id })
  expect(again.result).toMatchObject({ link: null, validUntil: null })
  expect(again.result.letters).not.toBe(letters)
  for (const code of [letters!, again.result.letters!]) expect((await open(code)).status).toBe(200)
  const rows = await database.db
    .selectFrom('requestAccessCodes')
    .selectAll()
    .where('requestId', '=', id)
    .execute()
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain(letters)
})

test('a code expires at the end of its last day in Almaty, and when its kind is turned off', async () => {
  const start = time.now
  const { id, letters, link, open } = await signed({
    additionalComponents: 3,
    accessCodeExpirationDate: '2026-11-16',
  })
  const token = link!.split('code=')[1]!
  await travel(new Date('2026-11-16T18:59:00Z'))
  expect((await open(letters!)).status).toBe(200)
  await travel(new Date('2026-11-16T19:00:00Z'))
  for (const code of [letters!, token]) expect(aliasOf(await open(code))).toBe('access-denied')
  await travel(start)
  const generationSetting = { additionalComponents: 2, accessCodeExpirationDate: null }
  await call(employee.id, updateRequest, { organizationId, signingRequestId: id, generationSetting })
  expect(aliasOf(await open(letters!))).toBe('access-denied')
  expect((await open(token)).status).toBe(200)
  // A code that was switched off does not work again when another kind is switched on.
  for (const additionalComponents of [0, 3])
    await call(employee.id, updateRequest, {
      organizationId,
      signingRequestId: id,
      generationSetting: { additionalComponents, accessCodeExpirationDate: null },
    })
  for (const code of [letters!, token]) expect(aliasOf(await open(code))).toBe('access-denied')
})

test('a wrong code, a code of another request and a code for an unknown request get the same refusal', async () => {
  const { letters, open } = await signed({ additionalComponents: 1 })
  const other = await signed({ additionalComponents: 1 })
  const refusals = [
    await open('ACDEFGHJ'),
    await open('what?'),
    await open('x'.repeat(22)),
    await other.open(letters!),
    await openWith(newId(), letters!),
  ]
  for (const refusal of refusals) {
    expect([refusal.status, aliasOf(refusal), parametersOf(refusal)]).toEqual([403, 'access-denied', {}])
  }
  expect((await download(other.id, letters!)).json()).toMatchObject({
    ExceptionData: { Alias: 'access-denied' },
  })
})

test('wrong codes are counted per request, and each makes the next attempt wait longer', async () => {
  const start = time.now
  const { id, letters, open } = await signed({ additionalComponents: 1 })
  const all = await Promise.all(Array.from({ length: 12 }, () => open('ACDEFGHJ')))
  expect(all.filter(({ status }) => status === 403)).toHaveLength(3)
  expect(all.filter(({ status }) => status === 429)).toHaveLength(9)
  const refused = await open(letters!)
  expect([refused.status, parametersOf(refused)]).toEqual([429, { seconds: 30 }])
  await travel(new Date(start.getTime() + 30_000))
  expect((await open('ACDEFGHJ')).status).toBe(403)
  expect(parametersOf(await open(letters!))).toEqual({ seconds: 60 })
  await travel(new Date(start.getTime() + 90_000))
  expect((await open(letters!)).status).toBe(200)
  expect((await signed({ additionalComponents: 1 })).letters).not.toBeNull()
  const { wrong } = await database.db
    .selectFrom('codeTries')
    .select('wrong')
    .where('source', '=', `request ${id}`)
    .executeTakeFirstOrThrow()
  expect(wrong).toBe(4)
  await travel(start)
})

test('waiting times do not reveal whether a request exists', async () => {
  const statusesOf = async (requestId: string) => {
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await openWith(requestId, 'ACDEFGHJ')).status)
    return statuses
  }
  const { id } = await signed({ additionalComponents: 1 })
  expect(await statusesOf(newId())).toEqual(await statusesOf(id))
})

describe('a code without the id of its request', () => {
  const find = (code: string, remoteAddress = '192.0.2.1') =>
    app
      .inject({
        method: 'POST',
        url: openByCode.path,
        payload: { code },
        remoteAddress,
        headers: { origin: publicUrl.origin },
      })
      .then((response) => ({ status: response.statusCode, body: response.json<Record<string, unknown>>() }))
  beforeEach(() => database.pool.query('delete from code_tries'))

  test('opens its request until its kind is turned off', async () => {
    const { id, letters, link } = await signed({ additionalComponents: 3 })
    const token = link!.split('code=')[1]!
    for (const code of [letters!, letters!.toLowerCase(), token]) {
      const { status, body } = await find(code)
      expect([status, body['id']]).toEqual([200, id])
    }
    const generationSetting = { additionalComponents: 2, accessCodeExpirationDate: null }
    await call(employee.id, updateRequest, { organizationId, signingRequestId: id, generationSetting })
    expect((await find(letters!)).status).toBe(403)
    expect((await find(token)).status).toBe(200)
  })

  test('is delayed only at the address that sent wrong codes', async () => {
    const { letters, link } = await signed({ additionalComponents: 3 })
    const wrong = await Promise.all(Array.from({ length: 10 }, () => find('ACDEFGHJ')))
    expect(wrong.filter(({ status }) => status === 403)).toHaveLength(5)
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(5)
    expect((await find(letters!)).status).toBe(429)
    expect((await find(link!.split('code=')[1]!)).status).toBe(200)
    expect((await find(letters!, '192.0.2.2')).status).toBe(200)
    const kept = JSON.stringify((await database.pool.query('select source from code_tries')).rows)
    expect(kept).not.toContain('192.0.2')
  })

  test('is refused to every address after too many wrong codes in total', async () => {
    const { id, letters } = await signed({ additionalComponents: 1 })
    const at = time.now
    await database.write((tx) =>
      tx
        .insertInto('codeTries')
        .values({ source: 'all', wrong: mostWrongInAll - 1, at })
        .execute(),
    )
    expect((await find('ACDEFGHJ', '192.0.2.7')).status).toBe(403)
    expect((await find('ACDEFGHJ', '192.0.2.8')).status).toBe(429)
    expect((await find(letters!, '192.0.2.9')).status).toBe(429)
    expect((await openWith(id, letters!)).status).toBe(200)
  })

  test('that belongs to two requests opens neither of them', async () => {
    const [one, other] = [
      await signed({ additionalComponents: 1 }),
      await signed({ additionalComponents: 1 }),
    ]
    await database.pool.query(
      `insert into request_access_codes select $1, kind, hash, created_at from request_access_codes where request_id = $2`,
      [one.id, other.id],
    )
    expect((await find(other.letters!)).status).toBe(403)
    expect((await find(one.letters!)).status).toBe(200)
  })
})

test('an address can try twenty codes a minute', async () => {
  const responses = []
  for (let i = 0; i < 21; i++) responses.push(await openWith(newId(), 'ACDEFGHJ'))
  expect(responses.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 403), 429])
})

test('typed codes from one address do not use up the tries of QR codes from it', async () => {
  const { id, link } = await signed({ additionalComponents: 3 })
  const token = link!.split('code=')[1]!
  for (let i = 0; i < 21; i++) await openWith(newId(), 'ACDEFGHJ')
  expect((await openWith(newId(), 'ACDEFGHJ')).status).toBe(429)
  expect((await openWith(id, token)).status).toBe(200)
  expect((await call(null, openByCode, { code: token })).status).toBe(200)
  for (let i = 0; i < 21; i++) await download(newId(), 'ACDEFGHJ')
  expect((await download(id, token)).statusCode).toBe(200)
})

test('QR codes have their own limit of tries', async () => {
  const { id, link } = await signed({ additionalComponents: 2 })
  const token = link!.split('code=')[1]!
  const statuses = new Set<number>()
  for (let i = 0; i < 121; i++) statuses.add((await openWith(newId(), 'x'.repeat(22))).status)
  expect(statuses).toEqual(new Set([403, 429]))
  expect((await openWith(id, token)).status).toBe(429)
  expect((await openWith(newId(), 'ACDEFGHJ')).status).toBe(403)
})

test('only the author and owners can make codes', async () => {
  const { id } = await signed({ additionalComponents: 3 })
  const make = (personId: string, of = organizationId) =>
    call(personId, makeAccessCodes, { organizationId: of, signingRequestId: id })
  expect((await make(company.owner)).status).toBe(200)
  const refused = await make(colleague.id)
  expect([refused.status, aliasOf(refused)]).toEqual([403, 'improper-role'])
  const other = await testApp.company()
  expect(aliasOf(await make(other.owner, other.organizationId))).toBe('signing-request-not-found')
  // Nor can they change anything else of the author's request.
  const tags = { organizationId, signingRequestId: id, classificatorsV2: [] }
  expect(aliasOf(await call(colleague.id, updateRequest, tags))).toBe('improper-role')
})
