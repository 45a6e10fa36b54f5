import { expect, test } from 'vitest'
import { checkSigned } from '../certificates/signed-by.ts'
import { authority, extendedKeyUsage, keyUsage, makeCertificate, makeName } from './make-certificate.ts'
import { makeKeys, type KeyKind } from './make-keys.ts'

const kinds: KeyKind[] = ['rsa', 'p-256', 'gost-kz-512', 'gost-kz-2004', 'gost-ru-256']

test.each(kinds)(
  'a made certificate is read, and verifies by its issuer and nobody else: %s',
  async (kind) => {
    const root = {
      subject: makeName({ commonName: 'Root', country: 'KZ' }),
      keys: await makeKeys(kind, 'root'),
    }
    const keys = await makeKeys(kind, 'person')
    const rootCertificate = await makeCertificate({ ...root, extensions: authority(1) })
    const subject = makeName({ commonName: 'ТЕСТОВ ТЕСТ', serialNumber: 'IIN123456789011' })
    const extensions = [
      keyUsage('digitalSignature', 'nonRepudiation'),
      extendedKeyUsage(['1.2.398.3.3.4.1.1']),
    ]
    const certificate = await makeCertificate({ subject, keys, issuer: root, extensions })

    expect(await checkSigned(certificate, rootCertificate.publicKey)).toBe('valid')
    expect(await checkSigned(certificate, certificate.publicKey)).toBe('wrong-signature')
    expect(rootCertificate.basicConstraints).toEqual({ isAuthority: true, pathLength: 1 })
    expect([...rootCertificate.keyUsage!]).toEqual(['keyCertSign', 'cRLSign'])
    expect([...certificate.keyUsage!]).toEqual(['digitalSignature', 'nonRepudiation'])
    expect(certificate.authorityKeyId).toEqual(rootCertificate.subjectKeyId)
  },
)
