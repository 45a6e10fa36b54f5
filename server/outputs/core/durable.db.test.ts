/** Durable signatures: each has a timestamp and all its evidence. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { constructed, elements, read, tags } from '@kelisim/signature/asn1/read.ts'
import { explicit, integer, octetString, oid, sequence, setOf } from '@kelisim/signature/asn1/write.ts'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { cmsOids, readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { readCrl } from '@kelisim/signature/revocation/crl.ts'
import { timestampResponse } from '@kelisim/signature/signer/timestamp-authority.ts'
import { foundNation, settingIn } from '@kelisim/signature/testing/nation.ts'
import {
  attribute,
  certificateReference,
  signAttached,
  signDetached,
  signerInfo,
} from '@kelisim/signature/signer/sign-cms.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { actingIn } from '../../requests/core/testing-requests.ts'
import { findList } from '../../signatures/kept-list-queries.ts'
import { durableCms, durableSignatures, findKeptSignatures } from './durable.ts'
import { stampSignature } from './durable-stamping.ts'
import { answersOf } from '../archive/testing-timestamps.ts'
import { startOutputsApp } from '../testing-outputs.ts'

const testApp = await startOutputsApp()
const { nation, centre, database, time, sender, receiver, stamping, toStamp, stampAll, contract } = testApp
const { db } = database
const later = (minutes: number) => testApp.travel(new Date(time.now.getTime() + minutes * 60 * 1000))

/** Ten years later, offline: with the embedded evidence and the root certificate only. */
function setting(at = new Date('2036-01-01T00:00:00Z')) {
  const policy = { timestamp: 'required', revocation: 'any', issuerRevocation: 'if-known' } as const
  return { ...settingIn(nation, { at, ...policy }), trust: { roots: [nation.root], others: [] } }
}

test('a signature without a timestamp gets one, and its own evidence makes it valid ten years later', async () => {
  const { id } = await contract()
  expect(toStamp).toHaveLength(2)
  await later(1)
  await stampAll()
  const signatures = await durableSignatures(db, await testApp.load(id), 'signing')
  expect(signatures.map(({ side, fileName, timestampTime }) => ({ side, fileName, timestampTime }))).toEqual([
    {
      side: expect.objectContaining({ bin: sender.bin }),
      fileName: 'Договор.pdf - Серікова Айгерім Нұрланқызы.cms',
      timestampTime: time.now,
    },
    {
      side: expect.objectContaining({ bin: receiver.bin }),
      fileName: 'Договор.pdf - Серікова Айгерім Нұрланқызы (2).cms',
      timestampTime: time.now,
    },
  ])
  for (const { cms, certificate, verdict } of signatures) {
    const { findings, signers } = await examineSignature(cms, [goodPdf], setting())
    expect([findings, signers.map((one) => one.findings)]).toEqual([[], [[]]])
    expect(signers[0]!.timestampTime).toEqual(time.now)
    expect(certificate!.timestampTime).toBe(time.now.toISOString())
    expect(verdict).toMatchObject({ verdict: 'TOTAL-PASSED' })
    const { content, signers: infos } = readSignedData(cms)
    expect(content).toBeNull()
    const inside = embeddedEvidence(infos[0]!.unsignedAttributes)
    // OCSP responses for signer and timestamp service, the CRL of the root, the certificate of the centre
    expect([inside.basicOcspResponses.length, inside.crls.length, inside.timestamps.length]).toEqual([
      2, 1, 1,
    ])
    expect(inside.certificates.map((der) => Buffer.from(der))).toContainEqual(Buffer.from(nation.centre.der))
  }
})

test('the document is not hashed again for its timestamp', async () => {
  await contract()
  const made: unknown[] = []
  const check: typeof stamping.check = async (job, claimant) => {
    const result = await stamping.check(job, claimant)
    made.push(result.digests ?? [])
    return result
  }
  for (const signatureId of toStamp.splice(0)) await stampSignature({ ...stamping, check }, signatureId)
  expect(made).toEqual([[], []])
})

test('a timestamp is requested once, also when the job runs again', async () => {
  await contract()
  const [first] = toStamp
  await stampAll()
  const before = await db.selectFrom('signatureTimestamps').selectAll().orderBy('signatureId').execute()
  await stampSignature(stamping, first!)
  expect(await db.selectFrom('signatureTimestamps').selectAll().orderBy('signatureId').execute()).toEqual(
    before,
  )
})

test('an invalid timestamp token is not stored, and the job is retried', async () => {
  const { id } = await contract()
  const ids = toStamp.splice(0)
  const stranger = await foundNation('gost-kz-512', 'Stranger')
  const untrusted = answersOf(stranger.clock, () => time.now)
  await expect(stampSignature({ ...stamping, askTimestamp: untrusted }, ids[0]!)).rejects.toThrow(
    'timestamp-',
  )
  // A valid timestamp over the same signature, but one that answered another request.
  const [kept] = await findKeptSignatures(db, id)
  const { signature } = readSignedData(kept!.cms).signers[0]!
  const before = timestampResponse(await nation.stamp(signature, time.now, nation.clock, 'streebog-512'))
  const replayed = async () => before
  await expect(stampSignature({ ...stamping, askTimestamp: replayed }, kept!.id)).rejects.toThrow('nonce')
  centre.answer = undefined
  await expect(stampSignature(stamping, ids[0]!)).rejects.toThrow('not found good')
  centre.answer = 'good'
  expect((await findKeptSignatures(db, id)).map(({ token }) => token)).toEqual([null, null])
})

test('a timestamp earlier than the time stated by the signer is requested again later', async () => {
  const { signAt, look } = actingIn(testApp)
  const route = await sender.route(
    await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] }),
  )
  const { result: sent } = await sender.send(route)
  const minutes = (count: number) => new Date(time.now.getTime() + count * 60 * 1000)
  const fast = await signDetached(goodPdf, receiver.stamp, { signingTime: minutes(4) })
  const received = (await look(testApp.theirs, sent.id)).result
  await signAt(testApp.theirs, received, 'ExternalSign', receiver.stamp, {
    signature: Buffer.from(fast).toString('base64'),
  })
  const [signatureId] = toStamp.splice(0)
  const askTimestamp = answersOf(nation.clock, () => minutes(-2))
  await expect(stampSignature({ ...stamping, askTimestamp }, signatureId!)).rejects.toThrow(
    'signing-time-after-receipt',
  )
  await later(5)
  await stampSignature({ ...stamping, askTimestamp }, signatureId!)
  const [kept] = await findKeptSignatures(db, sent.id)
  expect(kept!.token).not.toBeNull()
})

test('a signature whose certificate was revoked meanwhile gets no timestamp', async () => {
  const { id } = await contract()
  centre.answer = { revokedAt: time.now }
  await later(60)
  await stampAll()
  centre.answer = 'good'
  expect((await findKeptSignatures(db, id)).map(({ token }) => token)).toEqual([null, null])
})

test('a CRL is stored and returned unchanged', async () => {
  const { id } = await contract()
  const [one] = await findKeptSignatures(db, id)
  const { lists } = await durableCms(db, one!)
  expect(lists).toHaveLength(1)
  const list = (await findList(db, lists[0]!.sha256))!
  expect(readCrl(list).thisUpdate).toEqual(one!.receivedAt)
  expect([createHash('sha256').update(list).digest('hex'), list.length]).toEqual([
    lists[0]!.sha256,
    lists[0]!.size,
  ])
  expect(await findList(db, '00'.repeat(32))).toBeUndefined()
})

test('an attached signature becomes a valid detached one', async () => {
  const { theirs } = testApp
  const { signAt, look } = actingIn(testApp)
  const route = await sender.route(
    await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] }),
  )
  const { result: sent } = await sender.send(route)
  const attached = await signAttached(goodPdf, receiver.stamp, { signingTime: time.now })
  const received = (await look(theirs, sent.id)).result
  await signAt(theirs, received, 'ExternalSign', receiver.stamp, {
    signature: Buffer.from(attached).toString('base64'),
  })
  await stampAll()
  const [durable] = await durableSignatures(db, await testApp.load(sent.id), 'signing')
  expect(readSignedData(durable!.cms).content).toBeNull()
  expect(durable!.cms.length).toBeLessThan(12_000)
  const { signers } = await examineSignature(durable!.cms, [goodPdf], setting())
  expect(signers[0]!.findings).toEqual([])
})

test('signatures of the terminating document are those of the last attempt, or none', async () => {
  const { id } = await contract()
  expect(await durableSignatures(db, await testApp.load(id), 'terminating')).toEqual([])
  await testApp.terminate(id, 'reject')
  const document = await testApp.terminate(id, 'sign')
  await stampAll()
  const signatures = await durableSignatures(db, await testApp.load(id), 'terminating')
  expect(signatures.map(({ side }) => side.bin)).toEqual([sender.bin, receiver.bin])
  expect(signatures[0]!.fileName).toMatch(/^Соглашение о расторжении \(2\) — Договор поставки\.pdf - /)
  for (const { cms } of signatures) {
    const { signers } = await examineSignature(cms, [document], setting())
    expect(signers[0]!.findings).toEqual([])
  }
})

test('unsigned attributes added by a signer do not make a durable signature invalid', async () => {
  const { theirs } = testApp
  const { signAt, look } = actingIn(testApp)
  const route = await sender.route(
    await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] }),
  )
  const { result: sent } = await sender.send(route)
  // A countersignature that is valid today, by a second key that the signer could have revoked later to make the
  // signature invalid.
  const plain = await signDetached(goodPdf, receiver.stamp, { signingTime: time.now })
  const [signer] = readSignedData(plain).signers
  const second = await nation.issue('Second key')
  const counter = await signerInfo(second, [
    attribute(cmsOids.messageDigest, octetString(hash('streebog-512', signer!.signature))),
    attribute(cmsOids.signingCertificateV2, certificateReference('sha-256', second.certificate)),
  ])
  const fields = elements(read(signer!.whole, tags.sequence)).map(({ whole }) => whole)
  const whole = sequence(...fields, setOf([attribute(cmsOids.counterSignature, counter)], constructed(1)))
  const certificates = [receiver.stamp, second].map(({ certificate }) => certificate.der)
  const body = sequence(
    integer(1),
    setOf([receiver.stamp.key.digestAlgorithm]),
    sequence(oid(cmsOids.data)),
    setOf(certificates, constructed(0)),
    setOf([whole]),
  )
  const signature = sequence(oid(cmsOids.signedData), explicit(0, body))
  const received = (await look(theirs, sent.id)).result
  await signAt(theirs, received, 'ExternalSign', receiver.stamp, {
    signature: Buffer.from(signature).toString('base64'),
  })
  await stampAll()
  const [durable] = await durableSignatures(db, await testApp.load(sent.id), 'signing')
  expect(durable!.verdict).toMatchObject({ verdict: 'TOTAL-PASSED' })
  const { findings, signers } = await examineSignature(durable!.cms, [goodPdf], setting())
  expect([findings, signers.map((one) => one.findings)]).toEqual([[], [[]]])
})
