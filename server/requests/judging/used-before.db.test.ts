/** One signature is one act: its bytes, or the same signature in other bytes, count at one point only. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { addSubstitution } from '@kelisim/domain/substitutions/contract.ts'
import { twinsWithin } from '@kelisim/domain/signatures/reuse.ts'
import { signDetached, withTimestamp } from '@kelisim/signature/signer/sign-cms.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'

// RSA keys, whose signatures are deterministic.
const app = await startRequestsApp({}, undefined, 'rsa')
const { centre, nation, time } = app
const { act, look, signatureOf } = actingIn(app)
const company = await app.company()
const refusedWith = (code: string) => ({
  result: { points: [{ statusDescriptionData: { parameters: { code } } }, {}] },
})
const employee = { id: company.employee, organizationId: company.organizationId }
const colleague = { id: company.colleague, organizationId: company.organizationId }
const twice = await company.route(
  await company.point('CompanyInternalSign'),
  await company.point('CompanyInternalSign'),
)

/** A request that the same person signs at two points, one after the other. */
const sentTwice = async (): Promise<View> => (await company.send(twice)).result
const signAt = (request: View, index: 0 | 1, change: object, who = employee) =>
  act(who, request, 'CompanyInternalSign', 'sign', {
    pointId: request.points[index]!.pointId,
    ...change,
  })
const sameSecond = async () =>
  Buffer.from(await signDetached(goodPdf, company.stamp, { signingTime: time.now })).toString('base64')
const stamped = async (signature: string) =>
  Buffer.from(
    await withTimestamp(Buffer.from(signature, 'base64'), 0, (value) => nation.stamp(value, time.now)),
  ).toString('base64')

describe('a signature used at another point of the same request', () => {
  test('is refused with the same bytes; a separate signature is accepted', async () => {
    const request = await sentTwice()
    const signature = await signatureOf(company.stamp)
    const first = await signAt(request, 0, { signature })
    expect(first.result.points[0]!.status).toBe(pointStatuses.Signed)
    const again = await signAt(request, 1, { signature })
    expect([again.status, aliasOf(again)]).toEqual([409, 'signature-used-before'])
    const { result: unchanged } = await look(employee, request.id)
    expect(unchanged.points[1]).toMatchObject({ signatures: [] })
    const own = await signAt(request, 1, { signature: await signatureOf(company.stamp) })
    expect(statusOf(own.result)).toBe('Completed')
  })

  test('is judged and refused in other bytes', async () => {
    const request = await sentTwice()
    const signature = await signatureOf(company.stamp)
    await signAt(request, 0, { signature })
    const again = await signAt(request, 1, { signature: await stamped(signature) })
    expect(again.result.points[1]).toMatchObject({
      status: pointStatuses.ValidationError,
      statusDescriptionData: { alias: 'signature-refused', parameters: { code: 'DS-713' } },
    })
  })
})

/** Signing many requests at once with an RSA key gives the same bytes for the same document in the same second. */
describe('a signature used in another request over the same document', () => {
  test('counts if submitted by the same person', async () => {
    const [one, other] = [await sentTwice(), await sentTwice()]
    const signature = await sameSecond()
    expect(await sameSecond()).toBe(signature)
    expect((await signAt(one, 0, { signature })).result.points[0]!.status).toBe(pointStatuses.Signed)
    expect((await signAt(other, 0, { signature })).result.points[0]!.status).toBe(pointStatuses.Signed)
    const again = await signAt(other, 1, { signature })
    expect([again.status, aliasOf(again)]).toEqual([409, 'signature-used-before'])
  })

  test('counts when both arrive at once', async () => {
    const [one, other] = [await sentTwice(), await sentTwice()]
    const signature = await signatureOf(company.stamp)
    const results = await Promise.all([signAt(one, 0, { signature }), signAt(other, 0, { signature })])
    const statuses = results.map(({ result }) => result.points[0]!.status)
    expect(statuses).toEqual([pointStatuses.Signed, pointStatuses.Signed])
  })

  test('is refused later, because then it is another act', async () => {
    const [one, other] = [await sentTwice(), await sentTwice()]
    const signature = await signatureOf(company.stamp)
    await signAt(one, 0, { signature })
    time.now = new Date(time.now.getTime() + twinsWithin + 1)
    expect(await signAt(other, 0, { signature })).toMatchObject(refusedWith('DS-713'))
  })

  test('is refused from a colleague', async () => {
    const [one, other] = [await sentTwice(), await sentTwice()]
    const signature = await signatureOf(company.stamp)
    await signAt(one, 0, { signature })
    expect(await signAt(other, 0, { signature }, colleague)).toMatchObject(refusedWith('DS-709'))
  })
})

test('a signature sent twice at its point is one act', async () => {
  const request = await sentTwice()
  const signature = await signatureOf(company.stamp)
  const key = newId()
  const first = await signAt(request, 0, { signature, key })
  const again = await signAt(request, 0, { signature, key })
  expect([first.status, again.status]).toEqual([200, 200])
  expect(again.result.points[0]!.signatures).toHaveLength(1)
})

test('a substitute signs for each person separately: one signature does not count for two', async () => {
  const firm = await app.company()
  const { organizationId } = firm
  const substitute = { id: firm.employee, organizationId }
  const today = dateInAlmaty(time.now)
  const term = { substituteId: firm.employee, from: today, to: today }
  const made = await app.call(firm.colleague, addSubstitution, { organizationId, ...term })
  expect(made.status).toBe(200)
  const key = await firm.ownKey(firm.employee)
  const both = await firm.point('EmployeeInternalSign', { agreementCondition: 'all' })
  const { result: sent } = await firm.send(await firm.route(both))
  const sign = (signature: string) => act(substitute, sent, 'EmployeeInternalSign', 'sign', { signature })
  const signature = await signatureOf(key)
  expect(statusOf((await sign(signature)).result)).toBe('InProgress')
  expect(aliasOf(await sign(signature))).toBe('signature-used-before')
  const dressed = await sign(await stamped(signature))
  expect(dressed.result.points[0]).toMatchObject({
    statusDescriptionData: { parameters: { code: 'DS-713' } },
  })
  time.now = new Date(time.now.getTime() + 1000)
  expect(statusOf((await sign(await signatureOf(key))).result)).toBe('Completed')
})

test('a refused signature can be submitted again', async () => {
  const request = await sentTwice()
  const signature = await signatureOf(company.stamp)
  centre.answer = { revokedAt: new Date(time.now.getTime() - 1000) }
  const refused = await signAt(request, 0, { signature })
  centre.answer = 'good'
  expect(refused.result.points[0]!.status).toBe(pointStatuses.ValidationError)
  const again = await signAt(request, 0, { signature })
  expect(again.result.points[0]!.status).toBe(pointStatuses.Signed)
})
