import { describe, expect, test } from 'vitest'
import { toHex } from '../asn1/values.ts'
import { nothing } from '../asn1/write.ts'
import { extensionOids } from '../certificates/certificate.ts'
import { checkSigned } from '../certificates/signed-by.ts'
import { readCrl } from '../revocation/crl.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { hasGostEngine, hasOpenssl, openssl, withoutGostEngine, withoutOpenssl } from '../testing/openssl.ts'
import {
  authority,
  authorityInfoAccess,
  certificatePolicies,
  crlDistributionPoints,
  extendedKeyUsage,
  extension,
  freshestCrl,
  keyStorage,
  keyUsage,
  makeName,
  ocspNoCheck,
  subjectEmail,
} from './extensions.ts'
import { invalidSince, makeCertificate, makeCrl, nationalSerial, type Party } from './issue.ts'
import { gostKey, keyKinds, type KeyKind } from './keys.ts'

const at = new Date('2026-06-01T00:00:00Z')
const later = new Date('2026-07-01T00:00:00Z')

async function party(kind: KeyKind, commonName: string): Promise<Party> {
  return { subject: makeName({ commonName, country: 'KZ' }), keys: await makeKeys(kind, commonName) }
}

describe.each(keyKinds)('%s', (kind) => {
  test('a certificate is read, and verified by its issuer and nobody else', async () => {
    const root = await party(kind, 'Root')
    const rootCertificate = await makeCertificate({ ...root, extensions: authority(1) })
    const certificate = await makeCertificate({
      subject: makeName({ commonName: 'ТЕСТОВ ТЕСТ', serialNumber: 'IIN123456789011' }),
      keys: await makeKeys(kind, 'person'),
      issuer: root,
      extensions: [keyUsage('digitalSignature', 'nonRepudiation'), extendedKeyUsage(['1.2.398.3.3.4.1.1'])],
    })
    expect(await checkSigned(certificate, rootCertificate.publicKey)).toBe('valid')
    expect(await checkSigned(certificate, certificate.publicKey)).toBe('wrong-signature')
    expect(rootCertificate.basicConstraints).toEqual({ isAuthority: true, pathLength: 1 })
    expect([...rootCertificate.keyUsage!]).toEqual(['keyCertSign', 'cRLSign'])
    expect([...certificate.keyUsage!]).toEqual(['digitalSignature', 'nonRepudiation'])
    expect(certificate.authorityKeyId).toEqual(rootCertificate.subjectKeyId)
  })

  test('a list of revoked certificates too, full and delta', async () => {
    const issuer = await party(kind, 'Centre')
    const certificate = await makeCertificate({ ...issuer, extensions: authority() })
    const entries = [
      { serial: 5, revokedAt: at, reason: 'keyCompromise' as const },
      { serial: Uint8Array.of(0xff, 1), revokedAt: at, extensions: [invalidSince(at)] },
    ]
    const full = readCrl(await makeCrl({ issuer, thisUpdate: at, nextUpdate: later, entries, number: 14 }))
    const delta = readCrl(await makeCrl({ issuer, thisUpdate: at, entries: [], number: 10, baseNumber: 14 }))
    expect(await checkSigned(full, certificate.publicKey)).toBe('valid')
    expect(await checkSigned(delta, certificate.publicKey)).toBe('valid')
    expect([full.number, full.baseNumber, full.nextUpdate]).toEqual([14n, null, later])
    expect([delta.number, delta.baseNumber, delta.nextUpdate]).toEqual([10n, 14n, null])
    expect(full.authorityKeyId).toEqual(certificate.subjectKeyId)
  })
})

test('serial numbers are made from the key as by the national centre', () => {
  const serialOf = (first: number) => {
    const key = gostKey('gost-kz-512', 7n)
    return toHex(nationalSerial({ ...key, keyId: key.keyId.with(0, first) })).slice(0, 2)
  }
  expect([0x81, 0xd3, 0x02, 0x30].map(serialOf)).toEqual(['11', '53', '12', '30'])
})

describe.skipIf(!hasOpenssl)(`OpenSSL${withoutOpenssl}`, () => {
  test('reads every extension we write', async () => {
    const certificate = await makeCertificate({
      ...(await party('rsa', 'Person')),
      extensions: [
        keyUsage('digitalSignature', 'nonRepudiation', 'keyAgreement'),
        extendedKeyUsage(['1.3.6.1.5.5.7.3.4', '1.2.398.3.3.4.1.1']),
        certificatePolicies([{ oid: '1.2.398.3.3.2', rules: 'http://pki.gov.kz/cps' }]),
        authorityInfoAccess({ ocsp: 'http://ocsp.example', issuer: 'http://example/ca.cer' }),
        crlDistributionPoints(['http://crl.example/full.crl', 'http://crl1.example/full.crl']),
        freshestCrl(['http://crl.example/delta.crl']),
        subjectEmail('test@example.kz'),
        keyStorage('1.1'),
        ocspNoCheck(),
      ],
    })
    const text = openssl({ cert: certificate.der }, (run) =>
      run('x509', '-inform', 'DER', '-in', 'cert', '-noout', '-text'),
    ).output
    for (const expected of [
      'Digital Signature, Non Repudiation, Key Agreement',
      'E-mail Protection, 1.2.398.3.3.4.1.1',
      'CPS: http://pki.gov.kz/cps',
      'OCSP - URI:http://ocsp.example',
      'CA Issuers - URI:http://example/ca.cer',
      'URI:http://crl1.example/full.crl',
      'URI:http://crl.example/delta.crl',
      'email:test@example.kz',
      'OCSP No Check',
    ]) {
      expect(text).toContain(expected)
    }
  })

  test('verifies our chain, and refuses what our list revokes', async () => {
    await checkChain('rsa', [])
    await checkChain('p-256', [])
  })

  test.skipIf(!hasGostEngine).each(['gost-ru-256', 'gost-ru-512'] as const)(
    `verifies our chain with its GOST engine: %s${withoutGostEngine}`,
    (kind) => checkChain(kind, ['-engine', 'gost']),
  )
})

async function checkChain(kind: KeyKind, flags: string[]): Promise<void> {
  const root = await party(kind, 'Root')
  const rootCertificate = await makeCertificate({ ...root, extensions: authority() })
  const leaf = async (commonName: string, serial: number) =>
    makeCertificate({ ...(await party(kind, commonName)), issuer: root, serial })
  const [good, revoked] = [await leaf('Good', 4), await leaf('Revoked', 5)]
  const entries = [{ serial: 5, revokedAt: at, reason: 'cessationOfOperation' as const }]
  const crl = await makeCrl({ issuer: root, thisUpdate: at, nextUpdate: later, entries, number: 1 })
  openssl({ root: rootCertificate.der, good: good.der, revoked: revoked.der, crl }, (run) => {
    for (const name of ['root', 'good', 'revoked']) {
      run('x509', ...flags, '-inform', 'DER', '-in', name, '-out', `${name}.pem`)
    }
    run('crl', '-inform', 'DER', '-in', 'crl', '-out', 'crl.pem')
    const time = String(Number(at) / 1000 + 60)
    const trust = ['-CAfile', 'root.pem', '-crl_check', '-CRLfile', 'crl.pem', '-attime', time]
    const verified = (name: string) => run('verify', ...flags, ...trust, `${name}.pem`).output
    expect(verified('good')).toContain('good.pem: OK')
    expect(verified('revoked')).toContain('certificate revoked')
  })
}

test('an extension is written exactly as given', async () => {
  const certificate = await makeCertificate({
    ...(await party('gost-kz-2004', 'X')),
    extensions: [extension('1.2.3', nothing(), true)],
  })
  expect(certificate.extensions.get('1.2.3')).toEqual({ oid: '1.2.3', isCritical: true, value: nothing() })
  expect(certificate.extensions.has(extensionOids.subjectKeyId)).toBe(true)
})
