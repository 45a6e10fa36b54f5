/** Requests that require timestamps: each signature is submitted twice by one certificate, the second with a timestamp. */
import { expect, test } from 'vitest'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { withTimestamp } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation, type Nation } from '@kelisim/signature/testing/nation.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { citizen, sign, type Signer } from '../../identity/testing-signers.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'

const app = await startRequestsApp()
const { nation, centre, database, time } = app
const { act, look } = actingIn(app)
const company = await app.company()
const employee = { id: company.employee, organizationId: company.organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const signed = (signer: Signer, content: Uint8Array = goodPdf) => sign(signer, content, time.now)

/** Adds a timestamp; `of` changes the bytes that it covers. */
const stamped = (
  cms: Uint8Array,
  {
    by = nation,
    at = time.now,
    of = (signature) => signature,
  }: {
    by?: Nation
    at?: Date
    of?: (signature: Uint8Array) => Uint8Array
  } = {},
) => withTimestamp(cms, 0, (signature) => by.stamp(of(signature), at))

async function signTwice(first: Uint8Array, second: Uint8Array): Promise<View> {
  centre.answer = 'good'
  const { result: sent } = await company.send(route, { isTimestampRequired: true })
  const { status, result } = await act(employee, sent, 'CompanyInternalSign', 'sign', {
    signature: base64(first),
    timestampedSignature: base64(second),
  })
  expect(status).toBe(200)
  return result
}

const refusedWith = (code: string) => ({
  status: pointStatuses.ValidationError,
  statusDescriptionData: { alias: 'signature-refused', parameters: { code } },
})

test('a signature and its timestamped copy are accepted, and the time is recorded', async () => {
  const cms = await signed(company.stamp)
  const view = await signTwice(cms, await stamped(cms))
  expect(statusOf(view)).toBe('Completed')
  expect(view.points[0]!.signatures).toMatchObject([
    { state: 'accepted', certificate: { timestampTime: time.now.toISOString() } },
  ])
  const kept = await database.db
    .selectFrom('requestSignatures')
    .select(['cms', 'timestampedCms'])
    .where('requestId', '=', view.id)
    .executeTakeFirstOrThrow()
  expect(kept.cms).toEqual(Buffer.from(cms))
  expect(kept.timestampedCms!.length).toBeGreaterThan(cms.length)
})

test('the timestamped copy may be a new signature by the same certificate', async () => {
  const again = await stamped(await signed(company.stamp))
  expect(statusOf(await signTwice(await signed(company.stamp), again))).toBe('Completed')
})

test('two signatures by different certificates of one organisation are refused', async () => {
  const other = await citizen(nation, { bin: company.bin })
  const view = await signTwice(await signed(company.stamp), await stamped(await signed(other)))
  expect(view.points[0]).toMatchObject(refusedWith('DS-403'))
})

test('a second signature without a timestamp is refused', async () => {
  const cms = await signed(company.stamp)
  expect((await signTwice(cms, cms)).points[0]).toMatchObject(refusedWith('DS-601'))
})

test('the timestamp of another signature is refused', async () => {
  const cms = await signed(company.stamp)
  const foreign = await stamped(cms, { of: (signature) => signature.toReversed() })
  expect((await signTwice(cms, foreign)).points[0]).toMatchObject(refusedWith('DS-603'))
})

test('a timestamp of an untrusted service and one from the future are refused', async () => {
  const cms = await signed(company.stamp)
  const stranger = await foundNation('gost-kz-512', 'Stranger')
  const untrusted = await signTwice(cms, await stamped(cms, { by: stranger }))
  expect(untrusted.points[0]).toMatchObject(refusedWith('DS-605'))
  const tomorrow = new Date(time.now.getTime() + 24 * 60 * 60 * 1000)
  const early = await signTwice(cms, await stamped(cms, { at: tomorrow }))
  expect(early.points[0]).toMatchObject(refusedWith('DS-606'))
})

test('a signature of another document is refused despite a valid timestamp', async () => {
  const good = await signed(company.stamp)
  const other = await signed(company.stamp, Buffer.from('another document'))
  expect((await signTwice(other, await stamped(good))).points[0]).toMatchObject(refusedWith('DS-202'))
  expect((await signTwice(good, await stamped(other))).points[0]).toMatchObject(refusedWith('DS-202'))
})

test('a point can be signed again after a refusal, but not without a timestamped signature', async () => {
  const cms = await signed(company.stamp)
  const view = await signTwice(cms, cms)
  expect(statusOf(view)).toBe('ValidationFail')
  const alone = await act(employee, view, 'CompanyInternalSign', 'sign', { signature: base64(cms) })
  expect(aliasOf(alone)).toBe('timestamp-needed')
  expect((await look(employee, view.id)).result.currentVersion).toBe(view.currentVersion)
  const twice = { signature: base64(cms), timestampedSignature: base64(await stamped(cms)) }
  expect(statusOf((await act(employee, view, 'CompanyInternalSign', 'sign', twice)).result)).toBe('Completed')
})
