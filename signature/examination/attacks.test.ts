/** Attacks found by a penetration test: none may pass, be blamed on another signer, or take longer than a second. */
import { MalformedError } from '../asn1/read.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { constructed, tags } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import { element, explicit, integer, nothing, octetString, oid, sequence, setOf } from '../asn1/write.ts'
import { digestOids } from '../algorithms/oids.ts'
import { addEvidence, mergeDetached } from '../cms/build.ts'
import { cmsOids, readSignedData } from '../cms/signed-data.ts'
import { hash } from '../algorithms/hash.ts'
import { allDerOf } from '../asn1/pem.ts'
import { readCrl } from '../revocation/crl.ts'
import { certIdOf, readOcspResponse } from '../revocation/ocsp.ts'
import {
  authority,
  basicConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
  makeName,
  subjectKeyId,
} from '../signer/extensions.ts'
import { invalidSince, makeCertificateDer, makeCrl } from '../signer/issue.ts'
import type { KeyKind, SigningKey } from '../signer/keys.ts'
import { answerOcsp } from '../signer/ocsp-responder.ts'
import { attribute, signDetached, signerInfo, usualAttributes, withTimestamp } from '../signer/sign-cms.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { daysLater, foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { examineSignature } from './examine.ts'
import type { Setting } from './policy.ts'

const document = new TextEncoder().encode('Келісімшарт № 1')
const options = { signingTime: signedOn }
let nation: Nation
let neighbour: Nation
let evil: SigningKey
let signature: Uint8Array
let stamped: Uint8Array

beforeAll(async () => {
  nation = await foundNation('p-256')
  neighbour = await foundNation('p-256', 'Neighbour')
  evil = await makeKeys('p-256')
  signature = await signDetached(document, nation.person, options)
  stamped = await withTimestamp(signature, 0, (value) => nation.stamp(value))
})

async function verdictOf(
  bytes: Uint8Array,
  setting: Setting,
  content: Uint8Array | null = document,
): Promise<string> {
  const { findings, signers } = await examineSignature(bytes, content && [content], setting)
  const all = [...findings, ...signers.flatMap((signer) => signer.findings)]
  return all.length === 0
    ? 'TOTAL-PASSED'
    : all.some((one) => proofs.has(one))
      ? 'TOTAL-FAILED'
      : 'INDETERMINATE'
}

/** The faults that domain/signatures/verdict.ts treats as proofs, as far as they occur here. */
const proofs: ReadonlySet<string> = new Set([
  'not-a-signature',
  'damaged',
  'too-much',
  'signed-twice',
  'attributes-wrong',
  'other-document',
  'unfit-algorithm',
  'wrong-signature',
])

const both = (setting: Setting): Setting => ({
  ...setting,
  trust: { roots: [nation.root, neighbour.root], others: [nation.centre, neighbour.centre] },
})

/** Assembles a CMS from its parts in the given order. */
function assembled(parts: {
  infos: Uint8Array[]
  certificates: Uint8Array[]
  digest: Uint8Array
  revocation?: Uint8Array[]
  content?: Uint8Array
  version?: number
}): Uint8Array {
  const { infos, certificates, digest, revocation = [], content, version = 1 } = parts
  return sequence(
    oid(cmsOids.signedData),
    explicit(
      0,
      sequence(
        integer(version),
        setOf([digest]),
        sequence(oid(cmsOids.data), ...(content ? [explicit(0, content)] : [])),
        element(constructed(0), joined(certificates)),
        ...(revocation.length > 0 ? [element(constructed(1), joined(revocation))] : []),
        element(tags.set, joined(infos)),
      ),
    ),
  )
}

const infoOf = (bytes: Uint8Array) => readSignedData(bytes).signers[0]!.whole

describe('must not pass', () => {
  test('revoked before the timestamp, with a list from after the end of the certificate, which need not name it any more', async () => {
    const late = daysLater(300)
    const setting = settingIn(nation, {
      revocation: 'any',
      at: late,
      evidence: { crls: [await nation.crl([], late)] },
    })
    expect(await verdictOf(stamped, setting)).toBe('INDETERMINATE')
  })
  test('timestamped by a service whose key was later revoked as compromised', async () => {
    const revoked = [
      { certificate: nation.clock.certificate, revokedAt: daysLater(10), reason: 'keyCompromise' as const },
      { certificate: nation.person.certificate, revokedAt: daysLater(5), reason: 'keyCompromise' as const },
    ]
    const setting = settingIn(nation, {
      revocation: 'any',
      at: daysLater(50),
      evidence: { crls: [await nation.crl(revoked, daysLater(50))] },
    })
    expect(await verdictOf(stamped, setting)).not.toBe('TOTAL-PASSED')
  })
  test('OCSP is demanded and says good, but a list at hand says revoked', async () => {
    const evidence = {
      ocsp: [await nation.ocsp(nation.person.certificate)],
      crls: [await nation.crl([{ certificate: nation.person.certificate, revokedAt: daysLater(-1) }])],
    }
    expect(await verdictOf(signature, settingIn(nation, { revocation: 'ocsp', evidence }))).not.toBe(
      'TOTAL-PASSED',
    )
  })
  test('checked at an invalid time', async () => {
    await expect(verdictOf(signature, settingIn(nation, { at: new Date('x') }))).rejects.toThrow('no time')
  })
  test.each([
    ['of a timestamp service', [keyUsage('digitalSignature'), extendedKeyUsage(['1.3.6.1.5.5.7.3.8'], true)]],
    ['of a responder', [keyUsage('digitalSignature'), extendedKeyUsage(['1.3.6.1.5.5.7.3.9'], true)]],
    ['of a centre', [basicConstraints(true), keyUsage('digitalSignature', 'keyCertSign')]],
  ])('signed with the key %s', async (name, extensions) => {
    const signer = await nation.issue(name, { extensions })
    expect(await verdictOf(await signDetached(document, signer, options), settingIn(nation))).not.toBe(
      'TOTAL-PASSED',
    )
  })
  test('a timestamp from after the check', async () => {
    const soon = await withTimestamp(signature, 0, (value) =>
      nation.stamp(value, new Date(Number(signedOn) + 240_000)),
    )
    expect(await verdictOf(soon, settingIn(nation))).not.toBe('TOTAL-PASSED')
    // clocks differ: a check of the present sets the tolerance
    const now = { ...settingIn(nation), clockAllowance: 300_000 }
    expect(await verdictOf(soon, now)).toBe('TOTAL-PASSED')
  })

  test('revoked, and the list that says so is out of date', async () => {
    const certificate = nation.person.certificate
    const old = await nation.crl([{ certificate, revokedAt: daysLater(-20) }], daysLater(-10))
    const answer = await nation.ocsp(certificate, { revokedAt: daysLater(-20) }, daysLater(-10))
    for (const evidence of [{ crls: [old] }, { ocsp: [answer] }]) {
      const { signers } = await examineSignature(
        signature,
        [document],
        settingIn(nation, { revocation: 'any', evidence }),
      )
      expect(signers[0]!.findings[0]).toMatch(/^revoked-by/)
    }
  })

  test('the key was lost before the timestamp, although the centre was told after it', async () => {
    const entry = {
      serial: nation.person.certificate.serial,
      revokedAt: daysLater(3),
      extensions: [invalidSince(daysLater(-20))],
    }
    const at = daysLater(5)
    const list = { issuer: nation.centreParty, thisUpdate: at, nextUpdate: daysLater(6), number: 1 }
    const crls = [readCrl(await makeCrl({ ...list, entries: [entry] }))]
    expect(
      await verdictOf(stamped, settingIn(nation, { at, revocation: 'any', evidence: { crls } })),
    ).not.toBe('TOTAL-PASSED')
  })

  test('evidence inside the signature if only the present counts', async () => {
    const answer = (await nation.ocsp(nation.person.certificate)).der
    const kept = addEvidence(signature, 0, { basicOcspResponses: [answer] })
    expect(await verdictOf(kept, settingIn(nation, { revocation: 'any' }))).toBe('TOTAL-PASSED')
    const present = settingIn(nation, { revocation: 'any', broughtEvidence: 'ignore' })
    expect(await verdictOf(kept, present)).toBe('INDETERMINATE')
  })

  test('an OCSP answer from before the timestamp, kept beside it', async () => {
    const before = (await nation.ocsp(nation.person.certificate, 'good', daysLater(-0.5))).der
    const kept = addEvidence(stamped, 0, { basicOcspResponses: [before] })
    expect(await verdictOf(kept, settingIn(nation, { at: daysLater(300), revocation: 'any' }))).toBe(
      'INDETERMINATE',
    )
  })

  test.each<[KeyKind, string, string]>([
    ['gost-kz-2004', '1.2.398.3.10.1.3.2', '1.2.398.3.10.1.1.2.3.1'],
    ['gost-kz-512', '1.2.643.7.1.1.2.3', '1.2.643.7.1.1.3.3'],
    ['gost-ru-256', '1.2.398.3.10.1.3.2', '1.2.398.3.10.1.1.2.3.1'],
  ])('%s under the identifiers of other keys', async (kind, digestOid, signatureOid) => {
    const place = await foundNation(kind)
    const { key, certificate } = place.person
    const hashName = digestOids[digestOid]!
    const relabelled: SigningKey = {
      ...key,
      hash: hashName,
      digestAlgorithm: sequence(oid(digestOid), nothing()),
      signatureAlgorithm: sequence(oid(signatureOid), nothing()),
    }
    const forged = await signDetached(document, { key: relabelled, certificate }, options)
    const { signers } = await examineSignature(forged, [document], settingIn(place))
    expect(signers[0]!.findings).toContain('unfit-algorithm')
  })

  test('garbage as the parameter of the algorithm', async () => {
    const place = await foundNation('rsa')
    const garbled = {
      ...place.person.key,
      signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.1'), integer(5)),
    }
    const odd = await signDetached(document, { ...place.person, key: garbled }, options)
    expect(await verdictOf(odd, settingIn(place))).not.toBe('TOTAL-PASSED')
  })
})

describe('services', () => {
  test('are asked once about a certificate, however often a message names it', async () => {
    const again = await signDetached(document, nation.person, { signingTime: daysLater(1) })
    let asked = 0
    const setting = settingIn(nation, { revocation: 'any' })
    const counted: Setting = { ...setting, evidence: async () => (asked++, { crls: [], ocsp: [] }) }
    await examineSignature(mergeDetached([signature, again]), [document], counted)
    expect(asked).toBe(2)
  })
})

describe('bytes of somebody else do not affect an honest signature', () => {
  const withOthers = (
    certificates: Uint8Array[],
    revocation: Uint8Array[] = [],
    version = 1,
    base = signature,
  ) => {
    const digest = nation.person.key.digestAlgorithm
    return assembled({
      infos: [infoOf(base)],
      certificates: [...certificates, nation.person.certificate.der],
      digest,
      revocation,
      version,
    })
  }
  test('a certificate of the same issuer and number, with another key', async () => {
    const plain = await signDetached(document, nation.person, { ...options, form: 'plain' })
    const { subject, serial } = nation.person.certificate
    const fake = await makeCertificateDer({
      subject,
      keys: evil,
      issuer: { subject: nation.centre.subject, keys: evil },
      serial,
    })
    expect(
      await verdictOf(
        withOthers([fake], [], 1, plain),
        settingIn(nation, { signingCertificate: 'optional' }),
      ),
    ).toBe('TOTAL-PASSED')
  })
  test('64 centres with the same name', async () => {
    const fakes = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        makeCertificateDer({
          subject: nation.centre.subject,
          keys: evil,
          isBare: true,
          serial: i + 1,
          extensions: [subjectKeyId(nation.centreParty.keys.keyId), ...authority()],
        }),
      ),
    )
    expect(await verdictOf(withOthers(fakes), settingIn(nation))).toBe('TOTAL-PASSED')
  })
  test('a forged list in the name of the root', async () => {
    const forged = await makeCrl({
      issuer: { subject: nation.root.subject, keys: evil },
      thisUpdate: signedOn,
      nextUpdate: daysLater(1),
      entries: [],
    })
    const evidence = { ocsp: [await nation.ocsp(nation.person.certificate)] }
    expect(
      await verdictOf(withOthers([], [forged]), settingIn(nation, { revocation: 'any', evidence })),
    ).toBe('TOTAL-PASSED')
  })
  test('an OCSP answer whose algorithm cannot be read', async () => {
    const signatureAlgorithm = sequence(oid('1.2.840.113549.1.1.10'), sequence(explicit(0, nothing())))
    const answer = await answerOcsp({
      responder: { subject: nation.centre.subject, keys: { ...evil, signatureAlgorithm } },
      producedAt: signedOn,
      answers: [
        {
          question: certIdOf(nation.person.certificate.serial, nation.centre, 'sha-256'),
          status: 'good',
          thisUpdate: signedOn,
        },
      ],
    })
    const evidence = { ocsp: [readOcspResponse(answer).basic!], crls: [await nation.crl()] }
    expect(await verdictOf(signature, settingIn(nation, { revocation: 'any', evidence }))).toBe(
      'TOTAL-PASSED',
    )
  })
  test('more certificates than anybody needs, in one of two signatures that are merged', async () => {
    const junk = Array.from({ length: 511 }, (_, i) => sequence(integer(i)))
    const theirs = await signDetached(document, neighbour.person, options)
    const stuffed = assembled({
      infos: [infoOf(theirs)],
      certificates: [...junk, neighbour.person.certificate.der],
      digest: neighbour.person.key.digestAlgorithm,
    })
    expect(await verdictOf(stuffed, both(settingIn(nation)))).toBe('TOTAL-PASSED')
    expect(await verdictOf(mergeDetached([signature, stuffed]), both(settingIn(nation)))).toBe('TOTAL-PASSED')
  })
})

/** An attack would take minutes and hit the test's timeout; a merely slow machine does not. */
describe('ends soon and without an exception', () => {
  const pieces = (count: number) =>
    Uint8Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? tags.octetString : 0))
  const withContent = (content: Uint8Array) =>
    assembled({
      infos: [infoOf(signature)],
      certificates: [nation.person.certificate.der],
      digest: nation.person.key.digestAlgorithm,
      content,
    })
  test('a document in 200 000 empty pieces inside a piece', () =>
    verdictOf(withContent(element(0x24, element(0x24, pieces(200_000)))), settingIn(nation), null))
  test('a document in a million empty pieces', { timeout: 30_000 }, () =>
    verdictOf(withContent(element(0x24, pieces(1_000_000))), settingIn(nation), null),
  )
  test('256 signers who may mean any of 20 long certificates', { timeout: 60_000 }, async () => {
    const subject = makeName({ commonName: 'x' })
    const long = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        makeCertificateDer({
          subject,
          keys: evil,
          serial: 7,
          extensions: [extension(`1.2.3.${i}`, new Uint8Array(64_000))],
        }),
      ),
    )
    const reference = sequence(
      sequence(sequence(sequence(oid('1.2.398.3.10.1.3.1')), octetString(new Uint8Array(32)))),
    )
    const info = await signerInfo({ key: evil, certificate: readCertificate(long[0]!) }, [
      ...usualAttributes(cmsOids.data, hash('sha-256', document), signedOn),
      attribute(cmsOids.signingCertificateV2, reference),
    ])
    const bytes = assembled({
      infos: Array.from({ length: 256 }, () => info),
      certificates: long,
      digest: evil.digestAlgorithm,
    })
    await verdictOf(bytes, settingIn(nation))
  })
  test('a list of many issuers with the same serial numbers', { timeout: 60_000 }, async () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => ({
      serial: 1000 + Math.floor(i / 125),
      revokedAt: signedOn,
      extensions: [
        extension('2.5.29.29', sequence(explicit(4, makeName({ commonName: `n${i % 125}` }))), true),
      ],
    }))
    const indirect = extension('2.5.29.28', sequence(element(0x84, Uint8Array.of(0xff))), true)
    const list = await makeCrl({
      issuer: nation.centreParty,
      thisUpdate: signedOn,
      nextUpdate: daysLater(1),
      entries,
      extensions: [indirect],
    })
    expect(() => endOf(() => readCrl(list))).not.toThrow()
  })
  test('PEM that begins and never ends', { timeout: 30_000 }, () => {
    const endless = new TextEncoder().encode('-----BEGIN A-----'.repeat(16_000))
    expect(() => endOf(() => allDerOf(endless))).not.toThrow()
  })
})

/** The input is either parsed or refused as malformed: nothing else may happen. */
function endOf(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
  }
}
