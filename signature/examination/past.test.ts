/**
 * Judging a signature long after it was made (EN 319 102-1, 5.6): what is known now about a certificate that has
 * expired.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { extension, extendedKeyUsage, keyUsage, makeName } from '../signer/extensions.ts'
import { generalizedTime, nothing } from '../asn1/write.ts'
import { addEvidence } from '../cms/build.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { crlOids, readCrl } from '../revocation/crl.ts'
import { certIdOf, ocspOids, readOcspResponse } from '../revocation/ocsp.ts'
import type { RevocationReason } from '../revocation/reasons.ts'
import { makeCrl } from '../signer/issue.ts'
import { answerOcsp } from '../signer/ocsp-responder.ts'
import { signDetached, type CmsSigner } from '../signer/sign-cms.ts'
import { daysLater, foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { examineSignature } from './examine.ts'
import type { Evidence } from './policy.ts'

const contract = new TextEncoder().encode('Contract No. 1')
/** The signer's certificate ends after 265 days. */
const longAfter = daysLater(500)

let nation: Nation
let stamped: Uint8Array
beforeAll(async () => {
  nation = await foundNation('gost-kz-512', 'Past')
  const bare = await signDetached(contract, nation.person, { signingTime: signedOn })
  const { signature } = readSignedData(bare).signers[0]!
  stamped = addEvidence(bare, 0, { timestamps: [await nation.stamp(signature)] })
})

async function findingsWith(evidence: Partial<Evidence>, at: Date) {
  const setting = settingIn(nation, { evidence, at, revocation: 'any' })
  const { signers } = await examineSignature(stamped, [contract], setting)
  return signers[0]!
}

async function crlSince(keptSince: Date | null, revokedAt?: Date) {
  const { serial } = nation.person.certificate
  const list = await makeCrl({
    issuer: nation.centreParty,
    thisUpdate: daysLater(499),
    nextUpdate: daysLater(501),
    entries: revokedAt ? [{ serial, revokedAt }] : [],
    number: 9,
    extensions: keptSince ? [extension(crlOids.expiredCertsOnCrl, generalizedTime(keptSince))] : [],
  })
  return readCrl(list)
}

async function ocspBy(by: CmsSigner, at: Date, cutoff: Date | null = null) {
  const response = await answerOcsp({
    responder: { subject: by.certificate.subject, keys: by.key },
    producedAt: at,
    answers: [
      {
        question: certIdOf(nation.person.certificate.serial, nation.centre, 'sha-256'),
        status: 'good',
        thisUpdate: at,
        nextUpdate: new Date(Number(at) + 86_400_000),
        extensions: cutoff ? [extension(ocspOids.archiveCutoff, generalizedTime(cutoff))] : [],
      },
    ],
    certificates: [by.certificate.der],
  })
  return readOcspResponse(response).basic!
}

const responderWith = (commonName: string, extensions: readonly Uint8Array[]) =>
  nation.issue(commonName, {
    subject: makeName({ commonName, country: 'KZ' }),
    notAfter: daysLater(2000),
    extensions: [keyUsage('digitalSignature'), extendedKeyUsage(['1.3.6.1.5.5.7.3.9'], true), ...extensions],
  })

describe('a certificate that has ended', () => {
  test('is not known to be good by a list that may have dropped it', async () => {
    expect((await findingsWith({ crls: [await crlSince(null)] }, longAfter)).findings).toEqual([
      'revocation-stale',
    ])
    const late = await crlSince(daysLater(300))
    expect((await findingsWith({ crls: [late] }, longAfter)).findings).toEqual(['revocation-stale'])
  })

  test('is known to be good by a list that keeps those that ended since (expiredCertsOnCRL)', async () => {
    expect((await findingsWith({ crls: [await crlSince(daysLater(-50))] }, longAfter)).findings).toEqual([])
  })

  test('is known to be good by a responder that keeps them (archiveCutoff)', async () => {
    const responder = await responderWith('Long OCSP', [])
    const answer = (cutoff: Date | null) => ocspBy(responder, daysLater(499.9), cutoff)
    expect((await findingsWith({ ocsp: [await answer(null)] }, longAfter)).findings).toEqual([
      'revocation-stale',
    ])
    expect((await findingsWith({ ocsp: [await answer(daysLater(0))] }, longAfter)).findings).toEqual([])
    expect((await findingsWith({ ocsp: [await answer(daysLater(400))] }, longAfter)).findings).toEqual([
      'revocation-stale',
    ])
  })

  test('was good when it signed, although it was revoked later, and the revocation is reported', async () => {
    const revokedAt = daysLater(10)
    const signer = await findingsWith({ crls: [await crlSince(daysLater(-50), revokedAt)] }, longAfter)
    expect(signer.findings).toEqual([])
    expect(signer.revocation[0]).toMatchObject({ status: 'good', revokedAt })
    const before = await findingsWith({ crls: [await crlSince(daysLater(-50), daysLater(-1))] }, longAfter)
    expect(before.findings).toEqual(['revoked-by-crl'])
  })
})

describe('a responder that was itself revoked', () => {
  const at = daysLater(1)
  const judged = async (responder: CmsSigner, reason: RevocationReason, revokedAt: Date) => {
    const { certificate } = responder
    const evidence = {
      ocsp: [await ocspBy(responder, daysLater(0.5))],
      crls: [await nation.crl([{ certificate, revokedAt, reason }], daysLater(0.9))],
    }
    const setting = settingIn(nation, { evidence, at, revocation: 'ocsp' })
    const { signers } = await examineSignature(stamped, [contract], setting)
    return signers[0]!.findings
  }

  test('is trusted for its earlier answers, unless its key was stolen', async () => {
    const responder = await responderWith('Revoked OCSP', [])
    expect(await judged(responder, 'superseded', daysLater(0.7))).toEqual([])
    expect(await judged(responder, 'superseded', daysLater(0.2))).toEqual(['ocsp-untrusted'])
    expect(await judged(responder, 'keyCompromise', daysLater(0.7))).toEqual(['ocsp-untrusted'])
  })

  test('is trusted if its certificate says that its revocation need not be checked', async () => {
    const noCheck = extension('1.3.6.1.5.5.7.48.1.5', nothing())
    const responder = await responderWith('Short OCSP', [noCheck])
    expect(await judged(responder, 'keyCompromise', daysLater(0.2))).toEqual([])
  })
})
