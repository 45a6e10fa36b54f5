import { describe, expect, test } from 'vitest'
import { hash } from '../../algorithms/hash.ts'
import { toHex } from '../../asn1/values.ts'
import { integer, sequence } from '../../asn1/write.ts'
import { addEvidence } from '../../cms/build.ts'
import { readSignedData } from '../../cms/signed-data.ts'
import { extendedKeyUsage, keyUsage } from '../../signer/extensions.ts'
import { signDetached, withTimestamp, type CmsSigner } from '../../signer/sign-cms.ts'
import { daysLater, settingIn, signedOn } from '../../testing/nation.ts'
import { trustBasis } from '../trust-basis.ts'
import {
  document,
  options,
  nation,
  stranger,
  person,
  detached,
  examined,
  found,
  replaced,
  flipped,
} from '../../testing/examined-signatures.ts'

describe('timestamps', () => {
  const stamped = (at?: Date, by?: CmsSigner) =>
    withTimestamp(detached, 0, (signature) => nation.stamp(signature, at, by))

  test('prove when the signature existed', async () => {
    const { signers } = await examined(await stamped())
    expect(signers[0]).toMatchObject({ timestampTime: signedOn, findings: [] })
  })

  test('keep a signature valid when its certificate has expired', async () => {
    const setting = settingIn(nation, { at: daysLater(1000) })
    expect(await found(await stamped(), document, setting)).toEqual([])
  })

  test('do not make a signature valid that was not valid before', async () => {
    expect(
      await found(
        await stamped(daysLater(266), nation.clock),
        document,
        settingIn(nation, { at: daysLater(270) }),
      ),
    ).toContain('certificate-expired')
    expect(await found(await stamped(daysLater(-101)))).toContain('timestamp-untrusted')
  })

  test('keep a signature valid that was revoked later, but not one that was revoked earlier', async () => {
    const at = daysLater(30)
    const signature = await stamped()
    const by = async (revokedAt: Date) => {
      const ocsp = [await nation.ocsp(person.certificate, { revokedAt }, at)]
      return found(signature, document, settingIn(nation, { at, revocation: 'any', evidence: { ocsp } }))
    }
    expect(await by(daysLater(10))).toEqual([])
    expect(await by(daysLater(-1))).toEqual(['revoked-by-ocsp'])
    expect(
      await found(
        detached,
        document,
        settingIn(nation, {
          at,
          revocation: 'any',
          evidence: { ocsp: [await nation.ocsp(person.certificate, { revokedAt: daysLater(10) }, at)] },
        }),
      ),
    ).toEqual(['revoked-by-ocsp'])
  })

  test('of another signature are refused', async () => {
    const moved = await withTimestamp(detached, 0, () => nation.stamp(document))
    expect(await found(moved)).toEqual(['timestamp-of-other'])
  })

  test('from the future are refused', async () => {
    expect(await found(await stamped(daysLater(1)))).toEqual(['timestamp-from-future'])
  })

  test('by somebody who may not give timestamps are not trusted', async () => {
    expect(await found(await stamped(signedOn, stranger.clock))).toEqual(['timestamp-untrusted'])
    expect(await found(await stamped(signedOn, nation.person))).toEqual(['timestamp-untrusted'])
    const both = await nation.issue('BOTH', {
      extensions: [extendedKeyUsage(['1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.4'], true)],
    })
    expect(await found(await stamped(signedOn, both))).toEqual(['timestamp-untrusted'])
    const careless = await nation.issue('CARELESS', { extensions: [extendedKeyUsage(['1.3.6.1.5.5.7.3.8'])] })
    expect(await found(await stamped(signedOn, careless))).toEqual(['timestamp-untrusted'])
  })

  test('that are damaged or changed are refused', async () => {
    const damaged = addEvidence(detached, 0, { timestamps: [sequence(integer(1))] })
    expect(await found(damaged)).toEqual(['timestamp-damaged'])
    const token = await nation.stamp(readSignedData(detached).signers[0]!.signature)
    const value = readSignedData(token).signers[0]!.signature
    const changed = replaced(token, value, flipped(value))
    expect(await found(addEvidence(detached, 0, { timestamps: [changed] }))).toEqual([
      'timestamp-wrong-signature',
    ])
  })

  test('can be required or ignored by the policy', async () => {
    expect(await found(detached, document, settingIn(nation, { timestamp: 'required' }))).toEqual([
      'timestamp-missing',
    ])
    const setting = settingIn(nation, { timestamp: 'ignore', at: daysLater(1000) })
    expect(await found(await stamped(), document, setting)).toEqual(['certificate-expired'])
  })

  test('count by the earliest of several, and each must be valid', async () => {
    const tokens = async (...times: Date[]) => {
      const { signature } = readSignedData(detached).signers[0]!
      return Promise.all(times.map((time) => nation.stamp(signature, time)))
    }
    const at = daysLater(10)
    const two = addEvidence(detached, 0, { timestamps: await tokens(daysLater(5), daysLater(2)) })
    const { signers } = await examined(two, document, settingIn(nation, { at }))
    expect(signers[0]).toMatchObject({ timestampTime: daysLater(2), findings: [] })
    const foreign = await stranger.stamp(readSignedData(detached).signers[0]!.signature)
    const mixed = addEvidence(two, 0, { timestamps: [foreign] })
    expect(await found(mixed, document, settingIn(nation, { at }))).toEqual(['timestamp-untrusted'])
  })
})

describe('evidence kept with the signature', () => {
  test('proves it years later, when everybody in it has expired', async () => {
    const stampedSignature = await withTimestamp(detached, 0, (signature) => nation.stamp(signature))
    const basicOcspResponses = [(await nation.ocsp(person.certificate)).der]
    const kept = addEvidence(stampedSignature, 0, { certificates: [nation.centre.der], basicOcspResponses })
    const setting = settingIn(nation, { revocation: 'any', at: daysLater(1800) })
    const alone = { ...setting, trust: { roots: [nation.root], others: [] } }
    expect(await found(kept, document, alone)).toEqual([])
    expect(await found(stampedSignature, document, setting)).toEqual(['revocation-unknown'])
  })

  test('must not be older than the signature', async () => {
    const stampedSignature = await withTimestamp(detached, 0, (signature) => nation.stamp(signature))
    const old = (await nation.ocsp(person.certificate, 'good', daysLater(-3))).der
    const kept = addEvidence(stampedSignature, 0, { basicOcspResponses: [old] })
    expect(await found(kept, document, settingIn(nation, { revocation: 'any' }))).toEqual([
      'revocation-stale',
    ])
  })

  test('without a timestamp proves the present only', async () => {
    const kept = addEvidence(detached, 0, { crls: [(await nation.crl()).der] })
    expect(await found(kept, document, settingIn(nation, { revocation: 'any' }))).toEqual([])
    const later = settingIn(nation, { revocation: 'any', at: daysLater(20) })
    expect(await found(kept, document, later)).toEqual(['revocation-stale'])
  })

  test('is added once, and other attributes stay', async () => {
    const certificates = [nation.centre.der]
    const once = addEvidence(detached, 0, { certificates })
    expect(addEvidence(once, 0, { certificates })).toEqual(once)
    const both = addEvidence(once, 0, { timestamps: [await nation.stamp(person.certificate.der)] })
    expect(readSignedData(both).signers[0]!.unsignedAttributes).toHaveLength(2)
  })
})

describe('the basis of trust', () => {
  const head = '1.2.398.3.3.4.1.2.1'

  test('is the root, the role, who answered about revocation and for what time, and the timestamp', async () => {
    const director = await nation.issue('ДИРЕКТОРОВ ДИРЕКТОР', {
      extensions: [keyUsage('digitalSignature', 'nonRepudiation'), extendedKeyUsage([head])],
    })
    const signed = await signDetached(document, director, options)
    const stamped = await withTimestamp(signed, 0, (value) => nation.stamp(value))
    const ofCentre = await nation.crl([], signedOn, nation.rootParty)
    const setting = settingIn(nation, {
      evidence: { ocsp: [await nation.ocsp(director.certificate)], crls: [ofCentre] },
      revocation: 'any',
    })
    const { signers } = await examined(stamped, document, setting)
    expect(signers[0]!.findings).toEqual([])
    expect(trustBasis(signers[0]!)).toEqual({
      root: { name: 'Test root', sha256: toHex(hash('sha-256', nation.root.der)) },
      roles: [{ role: 'head', oid: head }],
      policies: [],
      revocation: [
        {
          certificate: 'ДИРЕКТОРОВ ДИРЕКТОР',
          status: 'good',
          revokedAt: null,
          by: 'ocsp',
          of: 'Test OCSP',
          at: signedOn,
        },
        {
          certificate: 'Test centre',
          status: 'good',
          revokedAt: null,
          by: 'crl',
          of: 'Test root',
          at: signedOn,
        },
      ],
      timestamps: [
        {
          time: signedOn,
          service: 'Test TSA',
          root: 'Test root',
          revocation: [
            { certificate: 'Test TSA', status: 'unknown', revokedAt: null, by: null, of: null, at: null },
            {
              certificate: 'Test centre',
              status: 'good',
              revokedAt: null,
              by: 'crl',
              of: 'Test root',
              at: signedOn,
            },
          ],
        },
      ],
    })
  })

  test('names the list by which a certificate is revoked', async () => {
    const revokedAt = daysLater(-1)
    const list = await nation.crl([{ certificate: person.certificate, revokedAt }])
    const setting = settingIn(nation, { evidence: { crls: [list] }, revocation: 'any' })
    const { signers } = await examined(detached, document, setting)
    expect(trustBasis(signers[0]!)!.revocation[0]).toMatchObject({
      status: 'revoked',
      revokedAt,
      by: 'crl',
      of: 'Test centre',
      at: signedOn,
    })
  })

  test('is nothing if the chain leads to no trusted root', async () => {
    const signed = await signDetached(document, stranger.person, options)
    const forged = await withTimestamp(signed, 0, (value) => stranger.stamp(value))
    const { signers } = await examined(forged)
    expect(trustBasis(signers[0]!)).toMatchObject({ root: null, revocation: [], timestamps: [] })
    expect(trustBasis({ certificate: null, root: null, revocation: [] })).toBeNull()
  })
})
