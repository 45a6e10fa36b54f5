import { describe, expect, test } from 'vitest'
import { hash } from '../algorithms/hash.ts'
import { timeOf, toHex } from '../asn1/values.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { checkSigner } from '../cms/check-signer.ts'
import { allValues, cmsOids, readSignedData, singleValue } from '../cms/signed-data.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { hasGostEngine, hasOpenssl, openssl, withoutOpenssl } from '../testing/openssl.ts'
import { hasSharedVectors, sharedVector, skippedWithout } from '../testing/shared-vectors.ts'
import { authority, keyUsage, makeName } from './extensions.ts'
import { makeCertificate } from './issue.ts'
import { keyKinds, type KeyKind } from './keys.ts'
import { openPkcs12 } from './pkcs12.ts'
import {
  coSign,
  signAttached,
  signDetached,
  signDigest,
  withTimestamp,
  type CmsForm,
  type CmsSigner,
} from './sign-cms.ts'

const signingTime = new Date('2026-06-01T00:00:00Z')
const document = new TextEncoder().encode('Келісімшарт № 1\n')
const forms: CmsForm[] = ['cades', 'plain', 'no-attributes']

async function signerOf(kind: KeyKind, commonName = 'Person') {
  const root = {
    subject: makeName({ commonName: 'Root', country: 'KZ' }),
    keys: await makeKeys(kind, 'root'),
  }
  const key = await makeKeys(kind, commonName)
  const certificate = await makeCertificate({
    subject: makeName({ commonName, country: 'KZ' }),
    keys: key,
    issuer: root,
    extensions: [keyUsage('digitalSignature', 'nonRepudiation')],
  })
  return { key, certificate, root: await makeCertificate({ ...root, extensions: authority() }) }
}

async function findingsOf(cms: Uint8Array, content = document): Promise<string[]> {
  const { signers, certificates, contentType } = readSignedData(cms)
  const checks = signers.map((signer) =>
    checkSigner(
      signer,
      { type: contentType, digest: (name) => hash(name, content) },
      certificates.map((der) => readCertificate(der)),
      { signedAttributes: 'optional', signingCertificate: 'optional' },
    ),
  )
  return (await Promise.all(checks)).flatMap(({ findings }) => findings)
}

describe.each(keyKinds)('%s', (kind) => {
  // an ECDSA signature over the document itself needs the whole document, but the examination has only digests
  const checkable = forms.filter((form) => kind !== 'p-256' || form !== 'no-attributes')

  test.each(checkable)('%s, attached and detached, is a signature of this document only', async (form) => {
    const signer = await signerOf(kind)
    const attached = await signAttached(document, signer, { form, signingTime })
    const detached = await signDetached(document, signer, { form, signingTime })
    expect(readSignedData(attached).content).toEqual([document])
    expect(readSignedData(detached).content).toBe(null)
    for (const cms of [attached, detached]) {
      expect(await findingsOf(cms)).toEqual([])
      expect(await findingsOf(cms, new Uint8Array(5))).not.toEqual([])
    }
  })

  test('a signature from a digest is as valid as from the document', async () => {
    const signer = await signerOf(kind)
    const cms = await signDigest(hash(signer.key.hash, document), signer, { signingTime })
    expect(await findingsOf(cms)).toEqual([])
  })

  test('a second signer is added beside the first', async () => {
    const [first, second] = [await signerOf(kind, 'First'), await signerOf('gost-kz-512', 'Second')]
    const cms = await coSign(await signAttached(document, first, { signingTime }), second, { signingTime })
    const { signers, certificates, content } = readSignedData(cms)
    expect([signers.length, certificates.length, content]).toEqual([2, 2, [document]])
    expect(await findingsOf(cms)).toEqual([])
  })
})

test('what the desktop program refuses is refused', async () => {
  const signer = await signerOf('gost-kz-512')
  const detached = await signDetached(document, signer, { signingTime })
  await expect(coSign(detached, signer, { signingTime })).rejects.toThrow('no document')
  const options = { form: 'no-attributes', signingTime } as const
  await expect(signDigest(new Uint8Array(64), signer, options)).rejects.toThrow('the document itself')
})

describe.skipIf(!hasSharedVectors)(`the national library${skippedWithout}`, () => {
  const people = [
    ['gost2015-person', 'kz/p12/2026-gost2015/person.sign.valid.ec425659.p12'],
    ['gost2004-ceo', 'kz/p12/2023-gost2004/ceo.sign.valid.455af122.p12'],
    ['rsa-person', 'kz/p12/2023-rsa/person.sign.valid.641e7295.p12'],
  ] as const
  const theirs = (name: string) => sharedVector(`kz/cms/${name}.cms`)

  async function ownerOf(path: string): Promise<CmsSigner> {
    const opened = await openPkcs12(sharedVector(path), 'Qwerty12')
    if (opened.outcome !== 'opened') throw new Error(opened.outcome)
    const { key, certificate } = opened.contents.entries[0]!
    return { key, certificate: certificate! }
  }

  function timeIn(cms: Uint8Array): Date {
    const attributes = readSignedData(cms).signers[0]!.signedAttributes?.list ?? []
    const value = singleValue(attributes, cmsOids.signingTime)
    return value ? timeOf(value) : signingTime
  }

  /** GOST signatures are randomised; everything else must be equal. */
  function withoutSignature(cms: Uint8Array): string {
    const { signature } = readSignedData(cms).signers[0]!
    return toHex(cms).replace(toHex(signature), 'signature')
  }

  describe.each(people)('%s', (name, path) => {
    test.each([
      ['cades', 'cades'],
      ['plain', 'plain'],
      ['noattr', 'no-attributes'],
    ] as const)('%s: our signature has the same bytes', async (theirForm, form) => {
      const signer = await ownerOf(path)
      const content = sharedVector('kz/cms/document.txt')
      const attached = theirs(`${name}.${theirForm}.attached`)
      const detached = theirs(`${name}.${theirForm}.detached`)
      const ours = await signAttached(content, signer, { form, signingTime: timeIn(attached) })
      expect(withoutSignature(ours)).toBe(withoutSignature(attached))
      const oursDetached = await signDetached(content, signer, { form, signingTime: timeIn(detached) })
      expect(withoutSignature(oursDetached)).toBe(withoutSignature(detached))
      expect(await findingsOf(attached, content)).toEqual([])
    })

    test('our signature from a digest has the same bytes', async () => {
      const signer = await ownerOf(path)
      const cms = theirs(`${name}.cades.detached-hash`)
      const digest = hash(signer.key.hash, sharedVector('kz/cms/document.txt'))
      const ours = await signDigest(digest, signer, { signingTime: timeIn(cms) })
      expect(withoutSignature(ours)).toBe(withoutSignature(cms))
    })

    test('with a timestamp', async () => {
      const signer = await ownerOf(path)
      const content = sharedVector('kz/cms/document.txt')
      const cms = theirs(`${name}.cadest.detached`)
      const [token] = allValues(
        readSignedData(cms).signers[0]!.unsignedAttributes,
        cmsOids.signatureTimestamp,
      )
      const bare = await signDetached(content, signer, { signingTime: timeIn(cms) })
      const ours = await withTimestamp(bare, 0, async () => token!.whole)
      expect(withoutSignature(ours)).toBe(withoutSignature(cms))
    })
  })

  test('our signature with two signers has the same parts', async () => {
    const content = sharedVector('kz/cms/document.txt')
    const person = await ownerOf('kz/p12/2026-gost2015/person.sign.valid.ec425659.p12')
    const ceo = await ownerOf('kz/p12/2026-gost2015/ceo.sign.valid.303eebdf.p12')
    const ours = await coSign(await signAttached(content, person, { signingTime }), ceo, { signingTime })
    const their = readSignedData(theirs('cosign.gost2015-person+gost2015-ceo.attached'))
    const read = readSignedData(ours)
    expect(read.certificates).toHaveLength(their.certificates.length)
    // their CMS names one hash twice, which is invalid in a set
    expect(new Set(read.digestAlgorithms.map(({ oid }) => oid))).toEqual(
      new Set(their.digestAlgorithms.map(({ oid }) => oid)),
    )
    expect(read.signers).toHaveLength(their.signers.length)
    expect(await findingsOf(ours, content)).toEqual([])
  })
})

describe.skipIf(!hasOpenssl)(`OpenSSL${withoutOpenssl}`, () => {
  const kinds: [KeyKind, string[]][] = [
    ['rsa', []],
    ['p-256', []],
    ...(hasGostEngine
      ? ([
          ['gost-ru-256', ['-engine', 'gost']],
          ['gost-ru-512', ['-engine', 'gost']],
        ] satisfies [KeyKind, string[]][])
      : []),
  ]

  test.each(kinds)('verifies what we sign: %s', async (kind, flags) => {
    const signer = await signerOf(kind)
    for (const form of forms) {
      const detached = await signDetached(document, signer, { form, signingTime })
      const attached = await signAttached(document, signer, { form, signingTime })
      const files = { detached, attached, document, root: signer.root.der, other: new Uint8Array(3) }
      openssl(files, (run) => {
        run('x509', ...flags, '-inform', 'DER', '-in', 'root', '-out', 'root.pem')
        const verify = [
          'cms',
          '-verify',
          ...flags,
          '-binary',
          '-inform',
          'DER',
          '-CAfile',
          'root.pem',
          '-purpose',
          'any',
        ]
        const verified = (...args: string[]) => run(...verify, '-out', 'out', ...args)
        expect(verified('-in', 'detached', '-content', 'document').output).toContain(
          'Verification successful',
        )
        expect(verified('-in', 'detached', '-content', 'other').isDone).toBe(false)
        const whole = verified('-in', 'attached')
        expect(whole.output).toContain('Verification successful')
        expect(whole.file('out')).toEqual(document)
      })
    }
  })
})
