/** One signature with an archive timestamp inside, made when somebody asks. */
import { expect, test } from 'vitest'
import { day } from '@kelisim/domain/durations.ts'
import { makeLongTerm } from '@kelisim/domain/outputs/long-term-contract.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { settingIn } from '@kelisim/signature/testing/nation.ts'
import { serviceOf } from '@kelisim/signature/testing/records.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { actingIn } from '../../requests/core/testing-requests.ts'
import { durableSignatures, findKeptSignatures } from '../core/durable.ts'
import { startOutputsApp } from '../testing-outputs.ts'
import { takeFrom, type TakeTimestamp } from './services.ts'
import { answersOf, timestampChecksIn } from './testing-timestamps.ts'

let take: TakeTimestamp | null = null
let taken = 0
const testApp = await startOutputsApp('gost-kz-512', {
  signatures: {
    takeTimestamp: (name, root) => {
      if (!take) return Promise.reject(new Error('unreachable'))
      taken++
      return take(name, root)
    },
  },
})
const { nation, database, time, ours, theirs, call, get, contract, stampAll } = testApp
const { look, signAt } = actingIn(testApp)
const started = time.now.getUTCFullYear()
const services = [
  await serviceOf(nation, started - 1, started + 2),
  await serviceOf(nation, started + 1, started + 6),
] as const
const checkTimestamp = timestampChecksIn(nation)

/** Makes this service answer all requests for timestamps, as if it were the only one. */
function use(service: 0 | 1): void {
  const ask = answersOf(services[service], () => time.now)
  take = takeFrom([{ name: `service ${service}`, ask }], checkTimestamp, () => time.now)
}

async function signed() {
  const { id } = await contract()
  await stampAll()
  const signatures = await durableSignatures(database.db, await testApp.load(id), 'signing')
  return { id, signatureId: signatures[0]!.id }
}
type Signed = Awaited<ReturnType<typeof signed>>

const keyOf = (who: typeof ours, { id, signatureId }: Signed) => ({
  organizationId: who.organizationId,
  signingRequestId: id,
  signatureId,
})
const make = (who: typeof ours, it: Signed) => call(who.id, makeLongTerm, keyOf(who, it))
const load = (who: typeof ours, { id, signatureId }: Signed) =>
  get(who, `/api/SigningRequests/${who.organizationId}/${id}/signatures/${signatureId}/long-term`)

const examined = async (cms: Uint8Array, at: Date) => {
  const setting = settingIn(nation, { at, timestampLife: 'until-check' })
  const { findings, signers } = await examineSignature(cms, [goodPdf], setting)
  return { findings: [...findings, ...signers[0]!.findings], stamps: signers[0]!.archiveTimestamps }
}

test('two people who ask at once for a long-term signature get the same file', async () => {
  use(0)
  const it = await signed()
  await Promise.all([make(ours, it), make(theirs, it)])
  const [one, other] = await Promise.all([load(ours, it), load(theirs, it)])
  expect(one.rawPayload).toEqual(other.rawPayload)
})

test('a long-term signature is refused without a timestamp service that responds, and can be requested again', async () => {
  const it = await signed()
  take = null
  expect(await make(ours, it)).toMatchObject({
    status: 503,
    error: { ExceptionData: { Alias: 'timestamp-unavailable' } },
  })
  use(0)
  expect(await make(ours, it)).toMatchObject({ status: 200 })
})

test('a long-term signature is refused for a signature of another request, and to strangers', async () => {
  use(0)
  const it = await signed()
  const other = await signed()
  expect(await make(ours, { id: it.id, signatureId: other.signatureId })).toMatchObject({
    error: { ExceptionData: { Alias: 'signing-sign-not-found' } },
  })
  const stranger = await testApp.company()
  const they = { id: stranger.owner, organizationId: stranger.organizationId }
  expect((await make(they, it)).error.ExceptionData.Alias).toBe('signing-request-not-found')
  expect((await load(they, it)).json()).toMatchObject({
    ExceptionData: { Alias: 'signing-request-not-found' },
  })
  expect((await findKeptSignatures(database.db, it.id)).map(({ id }) => id)).toContain(it.signatureId)
})

test('an internal approval has a long-term signature for its own organisation, not for the other side', async () => {
  use(0)
  const { sender, receiver } = testApp
  const inside = await sender.point('InternalApprove', { isEdsPresentationRequired: true })
  const outside = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
  const { result: sent } = await sender.send(await sender.route(inside, outside))
  const key = await sender.ownKey(sender.colleague)
  await signAt({ ...ours, id: sender.colleague }, sent, 'InternalApprove', key)
  await stampAll()
  const [approval] = await findKeptSignatures(database.db, sent.id)
  const it = { id: sent.id, signatureId: approval!.id }
  expect((await make(ours, it)).status).toBe(200)
  expect((await load(ours, it)).statusCode).toBe(200)
  expect((await look(theirs, sent.id)).status).toBe(200)
  expect((await make(theirs, it)).error.ExceptionData.Alias).toBe('signing-sign-not-found')
  expect((await load(theirs, it)).json()).toMatchObject({
    ExceptionData: { Alias: 'signing-sign-not-found' },
  })
})

/** This test is the last one, because the certificates that the other tests use end during it. */
test('a long-term signature proves by itself a signature whose own timestamp has ended', async () => {
  use(0)
  const it = await signed()
  expect((await load(ours, it)).json()).toMatchObject({
    ExceptionData: { Alias: 'signing-sign-not-found' },
  })
  const { result } = await make(ours, it)
  expect(result).toEqual({
    time: time.now.toISOString(),
    holdsUntil: services[0].certificate.notAfter.toISOString(),
  })
  const file = await load(theirs, it)
  expect(file.headers['content-disposition']).toContain('.cms')
  expect(readSignedData(file.rawPayload).content).toBeNull()
  const now = await examined(file.rawPayload, time.now)
  expect(now).toMatchObject({ findings: [], stamps: [{ covers: 'document' }] })

  const before = taken
  await make(theirs, it)
  expect(taken).toBe(before)

  // A service whose own certificate ends soon adds nothing, however often it is asked.
  await testApp.travel(new Date(Number(services[0].certificate.notAfter) - 30 * day))
  for (let i = 0; i < 3; i++) {
    expect((await make(theirs, it)).result.holdsUntil).toBe(result.holdsUntil)
    await testApp.travel(new Date(time.now.getTime() + day))
  }
  expect((await load(ours, it)).rawPayload.equals(file.rawPayload)).toBe(true)
  use(1)
  expect((await make(theirs, it)).result.holdsUntil).toBe(services[1].certificate.notAfter.toISOString())
  const renewed = (await load(ours, it)).rawPayload
  const later = new Date(Number(services[0].certificate.notAfter) + 300 * day)
  expect((await examined(renewed, later)).stamps).toHaveLength(2)
  expect((await examined(renewed, later)).findings).toEqual([])
  expect((await examined(file.rawPayload, later)).findings).toContain('record-expired')
})
