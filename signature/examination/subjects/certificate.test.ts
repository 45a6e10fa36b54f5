import { describe, expect, test } from 'vitest'
import { constructed, primitive } from '../../asn1/read.ts'
import { toHex } from '../../asn1/values.ts'
import { element, integer, oid, sequence } from '../../asn1/write.ts'
import { addEvidence } from '../../cms/build.ts'
import { readSignedData } from '../../cms/signed-data.ts'
import { extension, keyUsage } from '../../signer/extensions.ts'
import { signDetached } from '../../signer/sign-cms.ts'
import { daysLater, settingIn, signedOn, type Nation } from '../../testing/nation.ts'
import type { Setting } from '../policy.ts'
import {
  document,
  options,
  nation,
  stranger,
  person,
  detached,
  found,
  flipped,
  assembled,
} from '../../testing/examined-signatures.ts'

describe("the signer's certificate", () => {
  const info = () => readSignedData(detached).signers[0]!.whole

  test('is reported as missing, damaged or another one', async () => {
    expect(await found(assembled([info()], { certificates: [] }))).toEqual(['certificate-missing'])
    const broken = flipped(person.certificate.der, 4)
    expect(await found(assembled([info()], { certificates: [broken] }))).toEqual(['certificate-damaged'])
    const renewed = await nation.issue('ТЕСТОВ ТЕСТ', {
      serial: person.certificate.serial,
      notAfter: daysLater(300),
    })
    expect(await found(assembled([info()], { certificates: [renewed.certificate.der] }))).toEqual([
      'certificate-other',
    ])
  })

  test('is found among those at hand if the signature does not bring it', async () => {
    const setting = settingIn(nation)
    const known = { ...setting, trust: { ...nation.trust, others: [nation.centre, person.certificate] } }
    expect(await found(assembled([info()], { certificates: [] }), document, known)).toEqual([])
  })

  test('must be named by the signer', async () => {
    const plain = await signDetached(document, person, { form: 'plain', ...options })
    expect(await found(plain)).toEqual(['certificate-not-bound'])
  })

  test('is not accepted before and after its time', async () => {
    expect(await found(detached, document, settingIn(nation, { at: daysLater(-101) }))).toEqual([
      'signing-time-after-receipt',
      'certificate-not-yet-valid',
    ])
    expect(await found(detached, document, settingIn(nation, { at: daysLater(266) }))).toEqual([
      'certificate-expired',
    ])
  })

  test('must be valid at the time that the signer claims, which is not after the receipt', async () => {
    const minute = 60_000
    const claimed = async (signingTime: Date, setting = settingIn(nation)) =>
      found(await signDetached(document, person, { signingTime }), document, setting)
    const { notBefore, notAfter } = person.certificate
    const off = (time: Date, minutes: number) => new Date(Number(time) + minutes * minute)

    expect(await claimed(off(notBefore, -5))).toEqual([])
    expect(await claimed(off(notBefore, -6))).toEqual(['signing-time-outside-certificate'])
    expect(await claimed(off(signedOn, 5))).toEqual([])
    expect(await claimed(off(signedOn, 6))).toEqual(['signing-time-after-receipt'])
    expect(await claimed(daysLater(1), { ...settingIn(nation, { at: daysLater(2) }) })).toEqual([])
    expect(
      await claimed(daysLater(1), { ...settingIn(nation, { at: daysLater(2) }), receivedAt: signedOn }),
    ).toEqual(['signing-time-after-receipt'])
    expect(await claimed(off(notAfter, 6))).toEqual([
      'signing-time-outside-certificate',
      'signing-time-after-receipt',
    ])
  })

  test('a timestamp bounds the time that the signer claims', async () => {
    const late = await signDetached(document, person, { signingTime: daysLater(1) })
    const token = await nation.stamp(readSignedData(late).signers[0]!.signature)
    const stampedLate = addEvidence(late, 0, { timestamps: [token] })
    expect(await found(stampedLate, document, settingIn(nation, { at: daysLater(2) }))).toEqual([
      'signing-time-after-receipt',
    ])
  })

  test('is not accepted from another nation, even if the signature brings its root', async () => {
    const foreign = await signDetached(document, stranger.person, options)
    expect(await found(foreign)).toEqual(['issuer-unknown'])
    const [signer] = readSignedData(foreign).signers
    const certificates = [stranger.person.certificate, stranger.centre, stranger.root].map(({ der }) => der)
    expect(await found(assembled([signer!.whole], { certificates }))).toEqual(['issuer-unknown'])
  })

  test('must be for signing by its key usage, if that is required', async () => {
    const login = await nation.issue('AUTH', {
      extensions: [keyUsage('digitalSignature', 'keyEncipherment')],
    })
    const signature = await signDetached(document, login, options)
    expect(await found(signature)).toEqual([])
    expect(await found(signature, document, settingIn(nation, { keyUsage: 'nonRepudiation' }))).toEqual([
      'certificate-not-for-signing',
    ])
    const cipher = await nation.issue('CIPHER', { extensions: [keyUsage('keyEncipherment')] })
    expect(await found(await signDetached(document, cipher, options))).toEqual([
      'certificate-not-for-signing',
    ])
  })

  test.each<[string, string, Uint8Array]>([
    ['no names', '2.5.29.17', sequence()],
    ['names that are none', '2.5.29.17', sequence(integer(1))],
    ['an address of five bytes', '2.5.29.17', sequence(element(primitive(7), new Uint8Array(5)))],
    ['another name without a value', '2.5.29.17', sequence(element(constructed(0), oid('1.2.3')))],
    ['access to nothing', '1.3.6.1.5.5.7.1.1', sequence()],
    ['access that is none', '1.3.6.1.5.5.7.1.1', sequence(oid('1.2.3'))],
    ['a use of nothing', '2.5.29.37', sequence()],
  ])('is refused with a malformed extension: %s', async (_, id, value) => {
    const extensions = [keyUsage('digitalSignature', 'nonRepudiation'), extension(id, value)]
    const odd = await nation.issue(`ЧУДНОЙ ${id} ${toHex(value)}`, { extensions })
    expect(await found(await signDetached(document, odd, options))).toEqual(['chain-constrained'])
  })

  test('may not be a root, which signs certificates only', async () => {
    const king = { key: nation.rootParty.keys, certificate: nation.root }
    expect(await found(await signDetached(document, king, options))).toContain('certificate-not-for-signing')
  })

  test('is refused if issued by somebody who may not issue', async () => {
    const issuer = { subject: person.certificate.subject, keys: person.key }
    const child = await nation.issue('CHILD', { issuer })
    const signature = await signDetached(document, child, options)
    const [signer] = readSignedData(signature).signers
    const certificates = [child.certificate.der, person.certificate.der]
    expect(await found(assembled([signer!.whole], { certificates }))).toEqual(['issuer-not-entitled'])
  })
})

describe('revocation', () => {
  const needed = (evidence: Partial<Awaited<ReturnType<Setting['evidence']>>>, at?: Date) =>
    settingIn(nation, { revocation: 'any', evidence, ...(at && { at }) })
  const revokedOn = (days: number) => ({ revokedAt: daysLater(days) })

  test('is unknown without evidence', async () => {
    expect(await found(detached, document, needed({}))).toEqual(['revocation-unknown'])
    expect(await found(detached, document, needed({ unreachable: ['ocsp'] }))).toEqual(['ocsp-unreachable'])
  })

  test('is known by OCSP: good, revoked, on hold, unknown', async () => {
    const by = async (status: Parameters<Nation['ocsp']>[1]) =>
      found(detached, document, needed({ ocsp: [await nation.ocsp(person.certificate, status)] }))
    expect(await by('good')).toEqual([])
    expect(await by(revokedOn(-1))).toEqual(['revoked-by-ocsp'])
    expect(await by({ ...revokedOn(-1), reason: 'certificateHold' })).toEqual(['on-hold'])
    expect(await by('unknown')).toEqual(['ocsp-knows-not'])
  })

  test('is not known by an answer that is old, or signed by somebody who may not answer', async () => {
    const old = await nation.ocsp(person.certificate, 'good', daysLater(-2))
    expect(await found(detached, document, needed({ ocsp: [old] }))).toEqual(['revocation-stale'])
    const forged = await nation.ocsp(person.certificate, 'good', signedOn, stranger.responder)
    expect(await found(detached, document, needed({ ocsp: [forged] }))).toEqual(['ocsp-untrusted'])
    const unfit = await nation.ocsp(person.certificate, 'good', signedOn, nation.person)
    expect(await found(detached, document, needed({ ocsp: [unfit] }))).toEqual(['ocsp-untrusted'])
  })

  test('is known by a list, if it is current', async () => {
    const certificate = person.certificate
    expect(await found(detached, document, needed({ crls: [await nation.crl()] }))).toEqual([])
    const listed = await nation.crl([{ certificate, ...revokedOn(-1) }])
    expect(await found(detached, document, needed({ crls: [listed] }))).toEqual(['revoked-by-crl'])
    const old = await nation.crl([], daysLater(-2))
    expect(await found(detached, document, needed({ crls: [old] }))).toEqual(['revocation-stale'])
    const forged = await nation.crl([], signedOn, { ...nation.centreParty, keys: stranger.person.key })
    expect(await found(detached, document, needed({ crls: [forged] }))).toEqual(['crl-untrusted'])
  })

  test('is known by evidence that says revoked, even beside evidence that says good', async () => {
    const certificate = person.certificate
    const evidence = {
      ocsp: [await nation.ocsp(certificate)],
      crls: [await nation.crl([{ certificate, ...revokedOn(-1) }])],
    }
    expect(await found(detached, document, needed(evidence))).toEqual(['revoked-by-crl'])
  })

  test('is known only by evidence of the required kind', async () => {
    const ocsp = [await nation.ocsp(person.certificate)]
    const crls = [await nation.crl()]
    const by = (revocation: 'ocsp' | 'crl', evidence: Parameters<typeof needed>[0]) =>
      found(detached, document, settingIn(nation, { revocation, evidence }))
    expect(await by('crl', { ocsp })).toEqual(['revocation-unknown'])
    expect(await by('ocsp', { crls })).toEqual(['revocation-unknown'])
    expect(await by('crl', { crls })).toEqual([])
    expect(await by('ocsp', { ocsp })).toEqual([])
  })

  test('of the centre is checked too', async () => {
    const ocsp = [await nation.ocsp(person.certificate)]
    const revokedCentre = await nation.crl(
      [{ certificate: nation.centre, ...revokedOn(-1) }],
      signedOn,
      nation.rootParty,
    )
    expect(await found(detached, document, needed({ ocsp, crls: [revokedCentre] }))).toEqual([
      'issuer-revoked',
    ])
    const required = settingIn(nation, {
      revocation: 'any',
      issuerRevocation: 'required',
      evidence: { ocsp },
    })
    expect(await found(detached, document, required)).toEqual(['issuer-revocation-unknown'])
  })

  test('is known by evidence at hand even if none is required', async () => {
    const crls = [await nation.crl([{ certificate: person.certificate, ...revokedOn(-1) }])]
    expect(await found(detached, document, settingIn(nation, { evidence: { crls } }))).toEqual([
      'revoked-by-crl',
    ])
  })
})
