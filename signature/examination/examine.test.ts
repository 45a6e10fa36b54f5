import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { hash } from '../algorithms/hash.ts'
import { constructed, elements, primitive, read, tags } from '../asn1/read.ts'
import { joined, toHex } from '../asn1/values.ts'
import { element, integer, octetString, oid, sequence, setOf, unsignedInteger } from '../asn1/write.ts'
import { addEvidence, mergeAttached, mergeDetached } from '../cms/build.ts'
import { cmsOids, readSignedData } from '../cms/signed-data.ts'
import { extendedKeyUsage, extension, keyUsage } from '../signer/extensions.ts'
import type { KeyKind } from '../signer/keys.ts'
import {
  attribute,
  coSign,
  signAttached,
  signDetached,
  signDigest,
  signerInfo,
  usualAttributes,
  withTimestamp,
  type CmsForm,
  type CmsSigner,
} from '../signer/sign-cms.ts'
import { daysLater, foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import type { HashedContent } from './content.ts'
import { examineSignature, type Examination } from './examine.ts'
import type { Finding } from '../findings/findings.ts'
import type { Setting } from './policy.ts'
import { trustBasis } from './trust-basis.ts'

const document = new TextEncoder().encode('Келісімшарт № 1')
const other = new TextEncoder().encode('Келісімшарт № 2')
const options = { signingTime: signedOn }

let nation: Nation
let stranger: Nation
let person: CmsSigner
let detached: Uint8Array
let attached: Uint8Array

beforeAll(async () => {
  nation = await foundNation('gost-kz-512')
  stranger = await foundNation('gost-kz-512', 'Stranger')
  person = nation.person
  detached = await signDetached(document, person, options)
  attached = await signAttached(document, person, options)
})

async function examined(
  signature: Uint8Array,
  content: Uint8Array | null = document,
  setting: Setting = settingIn(nation),
): Promise<Examination> {
  return examineSignature(signature, content && [content], setting)
}

/** All findings, of the container and of all signers. */
async function found(...args: Parameters<typeof examined>): Promise<Finding[]> {
  const { findings, signers } = await examined(...args)
  return [...new Set([...findings, ...signers.flatMap((signer) => signer.findings)])]
}

/** The bytes with the first occurrence of some others replaced. */
function replaced(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const at = bytes.findIndex((_, i) => from.every((byte, j) => bytes[i + j] === byte))
  expect(at).toBeGreaterThanOrEqual(0)
  return joined([bytes.subarray(0, at), to, bytes.subarray(at + from.length)])
}

const flipped = (bytes: Uint8Array, at = bytes.length >> 1) =>
  bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

/** For ECDSA on P-256: if (r, s) is valid, so is (r, q - s). */
function twinOf(signature: Uint8Array) {
  const q = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const second = 4 + signature[3]!
  const s = BigInt(`0x${toHex(signature.subarray(second + 2))}`)
  const other = Buffer.from((q - s).toString(16).padStart(64, '0'), 'hex')
  return sequence(signature.subarray(2, second), unsignedInteger(other))
}

/** A SignedData built by hand, to be wrong in one respect. */
function assembled(
  infos: readonly Uint8Array[],
  {
    content,
    certificates = [person.certificate.der],
    digests = [person.key.digestAlgorithm],
    type = cmsOids.data,
    version = type === cmsOids.data ? 1 : 3,
    revocation,
  }: {
    content?: Uint8Array
    certificates?: Uint8Array[]
    digests?: Uint8Array[]
    type?: string
    version?: number
    revocation?: Uint8Array
  } = {},
): Uint8Array {
  const encapsulated = sequence(
    oid(type),
    ...(content ? [element(constructed(0), octetString(content))] : []),
  )
  return sequence(
    oid(cmsOids.signedData),
    element(
      constructed(0),
      sequence(
        integer(version),
        setOf(digests),
        encapsulated,
        ...(certificates.length > 0 ? [setOf(certificates, constructed(0))] : []),
        ...(revocation ? [revocation] : []),
        setOf(infos),
      ),
    ),
  )
}

describe('a signature that holds', () => {
  test.each<KeyKind>(['gost-kz-512', 'gost-kz-2004', 'gost-ru-256', 'gost-ru-512', 'rsa', 'p-256'])(
    '%s',
    async (kind) => {
      const place = await foundNation(kind)
      for (const form of ['cades', 'plain'] satisfies CmsForm[]) {
        const setting = settingIn(place, { signingCertificate: form === 'cades' ? 'required' : 'optional' })
        const signature = await signDetached(document, place.person, { form, ...options })
        expect(await found(signature, document, setting)).toEqual([])
      }
    },
  )

  test('attached, with the document given or not', async () => {
    expect(await found(attached)).toEqual([])
    expect(await found(attached, null)).toEqual([])
  })

  test('says who, when and how', async () => {
    const { signers } = await examined(detached)
    expect(signers).toMatchObject([
      {
        owner: { commonName: 'ТЕСТОВ ТЕСТ', iin: '900101300123' },
        algorithm: 'GOST 34.10-2015 512',
        signingTime: signedOn,
        timestampTime: null,
      },
    ])
    expect(signers[0]!.path).toEqual([person.certificate, nation.centre, nation.root])
  })

  test('made from a digest', async () => {
    const signature = await signDigest(hash('streebog-512', document), person, options)
    expect(await found(signature)).toEqual([])
    expect(await found(await signDigest(new Uint8Array(3), person, options))).toEqual(['other-document'])
  })

  test('a document that comes in pieces of any size, beside one that is attached in one', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(sizes, async (lengths) => {
        const pieces: Uint8Array[] = []
        let at = 0
        for (const length of lengths) pieces.push(document.subarray(at, (at += length)))
        pieces.push(document.subarray(at))
        for (const signature of [attached, detached]) {
          const { findings, signers } = await examineSignature(signature, pieces, settingIn(nation))
          expect([findings, signers[0]!.findings]).toEqual([[], []])
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('digests that are known', () => {
  const unreadable: Iterable<Uint8Array> = {
    [Symbol.iterator]() {
      throw new Error('nobody reads it')
    },
  }
  const examined = async (signature: Uint8Array, content: HashedContent) => {
    const { findings, signers } = await examineSignature(signature, content, settingIn(nation))
    return [...findings, ...signers.flatMap((signer) => signer.findings)]
  }

  test('spare reading the document', async () => {
    const digests = new Map([['streebog-512', hash('streebog-512', document)] as const])
    expect(await examined(detached, { pieces: unreadable, digests })).toEqual([])
  })

  test('are made where they are missing or too short, and given back', async () => {
    for (const known of [new Map(), new Map([['streebog-512', new Uint8Array(3)]])]) {
      const digests = known as HashedContent['digests']
      expect(await examined(detached, { pieces: [document], digests })).toEqual([])
      expect(digests.get('streebog-512')).toEqual(hash('streebog-512', document))
    }
  })

  test('of another document refuse the signature', async () => {
    const digests = new Map([['streebog-512', hash('streebog-512', other)] as const])
    expect(await examined(detached, { pieces: [document], digests })).toEqual(['other-document'])
  })

  test('say nothing about a document inside the signature', async () => {
    const digests = new Map([['streebog-512', hash('streebog-512', other)] as const])
    expect(await examined(attached, { pieces: [document], digests })).toEqual([])
  })
})

describe('another document', () => {
  test('detached', async () => {
    expect(await found(detached, other)).toEqual(['other-document'])
  })

  test('attached: the one inside is not the one that was asked about, though it was signed', async () => {
    expect(await found(attached, other)).toEqual(['other-document-attached'])
    expect(await found(attached, document.subarray(0, 5))).toEqual(['other-document-attached'])
    expect(await found(attached, joined([document, document]))).toEqual(['other-document-attached'])
    expect(await found(attached, new Uint8Array())).toEqual(['other-document-attached'])
  })

  test('attached and changed', async () => {
    expect(await found(replaced(attached, document, other), null)).toEqual(['other-document'])
  })

  test('none at all', async () => {
    expect(await found(detached, null)).toEqual(['document-missing'])
  })

  test('signed attributes passed off as a document', async () => {
    const [signer] = readSignedData(detached).signers
    const info = element(
      tags.sequence,
      integer(1),
      sequence(person.certificate.issuer, element(tags.integer, person.certificate.serial)),
      person.key.digestAlgorithm,
      person.key.signatureAlgorithm,
      octetString(signer!.signature),
    )
    const forged = assembled([info])
    expect(await found(forged, signer!.signedAttributes!.der)).toContain('attributes-missing')
  })
})

describe('the container', () => {
  test.each<[string, () => Uint8Array, Finding]>([
    ['nothing', () => new Uint8Array(), 'not-a-signature'],
    ['a text', () => document, 'not-a-signature'],
    ['a certificate', () => person.certificate.der, 'not-a-signature'],
    ['cut off', () => detached.subarray(0, -1), 'damaged'],
    ['a byte too many', () => joined([detached, Uint8Array.of(0)]), 'damaged'],
    ['no signers', () => assembled([]), 'no-signers'],
    [
      'more signers than anybody has',
      () => assembled(Array.from({ length: 257 }, (_, i) => sequence(integer(i)))),
      'damaged',
    ],
  ])('%s', async (_, bytes, finding) => {
    expect(await found(bytes())).toEqual([finding])
  })

  test('more certificates than anybody has', async () => {
    const certificates = Array.from({ length: 513 }, (_, i) => sequence(integer(i)))
    const [signer] = readSignedData(detached).signers
    expect(await found(assembled([signer!.whole], { certificates }))).toEqual(['too-much'])
  })

  test('one certificate signs once', async () => {
    const second = await signDetached(document, person, { signingTime: daysLater(1) })
    expect(await found(mergeDetached([detached, second]))).toEqual(['signed-twice'])
  })

  test('a copy that names its certificate by the key identifier is the same signature', async () => {
    const keyId = person.certificate.subjectKeyId!
    const [original] = readSignedData(detached).signers
    const fields = elements(read(original!.whole, tags.sequence)).map(({ whole }) => whole)
    const copy = sequence(integer(3), element(primitive(0), keyId), ...fields.slice(2))
    for (const signers of [
      [original!.whole, copy],
      [copy, original!.whole],
    ]) {
      const both = assembled(signers, { version: 3 })
      const { findings, signers: shown } = await examined(both)
      expect([findings, shown.length]).toEqual([['signed-twice'], 1])
    }
  })

  test('a version larger than needed is no damage, one smaller than needed is', async () => {
    const [signer] = readSignedData(detached).signers
    const revocation = (...items: Uint8Array[]) => ({ revocation: setOf(items, constructed(1)) })
    const basicOcsp = element(constructed(1), joined([oid('1.3.6.1.5.5.7.48.1.1'), sequence()]))
    for (const version of [1, 3, 4, 5])
      expect(await found(assembled([signer!.whole], { version }))).toEqual([])
    for (const version of [0, 2, 6])
      expect(await found(assembled([signer!.whole], { version }))).toEqual(['damaged'])
    const withOther = (version: number) => assembled([signer!.whole], { version, ...revocation(basicOcsp) })
    expect(await found(withOther(5))).toEqual([])
    expect(await found(withOther(1))).toEqual(['damaged'])
    const attributeCertificate = element(constructed(2), joined([sequence()]))
    const certificates = [person.certificate.der, attributeCertificate]
    expect(await found(assembled([signer!.whole], { certificates, version: 4 }))).toEqual([])
    expect(await found(assembled([signer!.whole], { certificates, version: 3 }))).toEqual(['damaged'])
  })

  test('what is signed is a document, not a timestamp', async () => {
    const type = cmsOids.timestampInfo
    const attributes = usualAttributes(type, hash('streebog-512', document), signedOn)
    const forged = assembled([await signerInfo(person, attributes)], { type, content: document })
    expect(await found(forged, null, settingIn(nation, { signingCertificate: 'optional' }))).toEqual([
      'not-a-document',
    ])
  })

  test('a hash that the container does not name', async () => {
    const [signer] = readSignedData(detached).signers
    expect(await found(assembled([signer!.whole], { digests: [] }))).toEqual(['unfit-algorithm'])
  })
})

describe('signed attributes', () => {
  const setting = () => settingIn(nation, { signingCertificate: 'optional' })
  const usual = (type: string = cmsOids.data, content = document) =>
    usualAttributes(type, hash('streebog-512', content), signedOn)

  async function withAttributes(attributes: readonly Uint8Array[]): Promise<Finding[]> {
    return found(assembled([await signerInfo(person, attributes)]), document, setting())
  }

  test('as they should be', async () => {
    expect(await withAttributes(usual())).toEqual([])
  })

  test('the type of the content is another, or not said', async () => {
    expect(await withAttributes(usual(cmsOids.timestampInfo))).toEqual(['attributes-wrong'])
    expect(await withAttributes(usual().slice(1))).toEqual(['attributes-wrong'])
  })

  test('no digest, another digest, two digests', async () => {
    expect(await withAttributes(usual().slice(0, 2))).toEqual(['attributes-wrong'])
    expect(await withAttributes(usual(cmsOids.data, other))).toEqual(['other-document'])
    const two = sequence(
      oid(cmsOids.messageDigest),
      setOf([document, other].map((content) => octetString(hash('streebog-512', content)))),
    )
    expect(await withAttributes([...usual().slice(0, 2), two])).toEqual(['attributes-wrong'])
    const twice = [...usual(), attribute(cmsOids.messageDigest, octetString(hash('streebog-512', other)))]
    expect(await withAttributes(twice)).toEqual(['damaged'])
  })

  test('left out, where that will do and where not', async () => {
    const bare = await signDetached(document, person, { form: 'no-attributes', ...options })
    expect(await found(bare, document, setting())).toEqual(['attributes-missing'])
    const lenient = settingIn(nation, { signedAttributes: 'optional' })
    expect(await found(bare, document, lenient)).toEqual([])
    expect(await found(bare, other, lenient)).toEqual(['wrong-signature'])
  })

  test('left out, with ECDSA too', async () => {
    const place = await foundNation('p-256')
    const lenient = settingIn(place, { signedAttributes: 'optional', signingCertificate: 'optional' })
    const bare = await signDetached(document, place.person, { form: 'no-attributes', ...options })
    expect(await found(bare, document, lenient)).toEqual([])
    expect(await found(bare, other, lenient)).toEqual(['wrong-signature'])
    expect(await found(bare, document, settingIn(place))).toEqual(['attributes-missing'])
  })

  test('out of the order of DER', async () => {
    const [signer] = readSignedData(detached).signers
    const sorted = signer!.signedAttributes!.der
    const inner = sorted.subarray(3)
    const first = inner.subarray(0, 2 + inner[1]!)
    const shuffled = joined([inner.subarray(first.length), first])
    expect(await found(replaced(detached, inner, shuffled))).toEqual(['damaged'])
  })
})

describe('the signature itself', () => {
  test('changed', async () => {
    const [signer] = readSignedData(detached).signers
    const spoiled = replaced(detached, signer!.signature, flipped(signer!.signature))
    expect(await found(spoiled)).toEqual(['wrong-signature'])
  })

  test('of another key under the same certificate', async () => {
    const forger: CmsSigner = { key: stranger.person.key, certificate: person.certificate }
    expect(await found(await signDetached(document, forger, options))).toEqual(['wrong-signature'])
  })

  test('SHA-1 is refused though it is right', async () => {
    const place = await foundNation('rsa')
    const { key, certificate } = place.person
    const sha1 = { ...key, hash: 'sha-1' as const, digestAlgorithm: sequence(oid('1.3.14.3.2.26')) }
    const weak = { ...sha1, signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.5')) }
    const signature = await signDetached(document, { key: weak, certificate }, options)
    expect(await found(signature, document, settingIn(place))).toEqual(['weak-algorithm'])
  })

  test('written down otherwise without the key is as good, and the same act', async () => {
    const place = await foundNation('p-256')
    const { key, certificate } = place.person
    let value = new Uint8Array()
    const first = { ...key, sign: async (bytes: Uint8Array) => (value = await key.sign(bytes)) }
    const second = { ...key, sign: async () => twinOf(value) }
    const signatures = [
      await signDetached(document, { key: first, certificate }, options),
      await signDetached(document, { key: second, certificate }, options),
    ]
    const [one, twin] = await Promise.all(signatures.map((cms) => examined(cms, document, settingIn(place))))
    expect([one, twin].flatMap((each) => each!.signers[0]!.findings)).toEqual([])
    const values = signatures.map((cms) => readSignedData(cms).signers[0]!.signature)
    expect(values[0]).not.toEqual(values[1])
    expect(one!.signers[0]!.act).toEqual(twin!.signers[0]!.act)
  })

  test('the identifier of a GOST key of another family', async () => {
    const place = await foundNation('gost-ru-256')
    const [signer] = readSignedData(await signDetached(document, place.person, options)).signers
    const fields = elements(read(signer!.whole, tags.sequence)).map(({ whole }) => whole)
    const under = (id: string) =>
      assembled([sequence(...fields.with(4, sequence(oid(id))))], {
        certificates: [place.person.certificate.der],
        digests: [place.person.key.digestAlgorithm],
      })
    // the key's own identifier leaves the hash to the digest algorithm
    expect(await found(under('1.2.643.7.1.1.1.1'), document, settingIn(place))).toEqual([])
    for (const id of ['1.2.643.2.2.19', '1.2.398.3.10.1.1.1.1', '1.2.398.3.10.1.1.2.1']) {
      expect(await found(under(id), document, settingIn(place)), id).toEqual(['unfit-algorithm'])
    }
  })

  test('an algorithm nobody knows, and one for other keys', async () => {
    const unknown = { ...person.key, signatureAlgorithm: sequence(oid('1.2.3.4')) }
    expect(await found(await signDetached(document, { ...person, key: unknown }, options))).toEqual([
      'unknown-algorithm',
    ])
    const unfit = { ...person.key, signatureAlgorithm: sequence(oid('1.2.398.3.10.1.1.2.3.1')) }
    expect(await found(await signDetached(document, { ...person, key: unfit }, options))).toEqual([
      'unfit-algorithm',
    ])
  })
})

describe("the signer's certificate", () => {
  const info = () => readSignedData(detached).signers[0]!.whole

  test('not there, damaged, another one', async () => {
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

  test('found among those at hand where the signature does not bring it', async () => {
    const setting = settingIn(nation)
    const known = { ...setting, trust: { ...nation.trust, others: [nation.centre, person.certificate] } }
    expect(await found(assembled([info()], { certificates: [] }), document, known)).toEqual([])
  })

  test('not named by the signer', async () => {
    const plain = await signDetached(document, person, { form: 'plain', ...options })
    expect(await found(plain)).toEqual(['certificate-not-bound'])
  })

  test('before and after its time', async () => {
    expect(await found(detached, document, settingIn(nation, { at: daysLater(-101) }))).toEqual([
      'signing-time-after-receipt',
      'certificate-not-yet-valid',
    ])
    expect(await found(detached, document, settingIn(nation, { at: daysLater(266) }))).toEqual([
      'certificate-expired',
    ])
  })

  test('the time that the signer claims lies in its life and not after the receipt', async () => {
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

  test('of another nation, even where the signature brings its root', async () => {
    const foreign = await signDetached(document, stranger.person, options)
    expect(await found(foreign)).toEqual(['issuer-unknown'])
    const [signer] = readSignedData(foreign).signers
    const certificates = [stranger.person.certificate, stranger.centre, stranger.root].map(({ der }) => der)
    expect(await found(assembled([signer!.whole], { certificates }))).toEqual(['issuer-unknown'])
  })

  test('for signing, by its key usage', async () => {
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
  ])('with a malformed extension: %s', async (_, id, value) => {
    const extensions = [keyUsage('digitalSignature', 'nonRepudiation'), extension(id, value)]
    const odd = await nation.issue(`ЧУДНОЙ ${id} ${toHex(value)}`, { extensions })
    expect(await found(await signDetached(document, odd, options))).toEqual(['chain-constrained'])
  })

  test('a root signs certificates only', async () => {
    const king = { key: nation.rootParty.keys, certificate: nation.root }
    expect(await found(await signDetached(document, king, options))).toContain('certificate-not-for-signing')
  })

  test('issued by one who may not', async () => {
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

  test('nothing is known', async () => {
    expect(await found(detached, document, needed({}))).toEqual(['revocation-unknown'])
    expect(await found(detached, document, needed({ unreachable: ['ocsp'] }))).toEqual(['ocsp-unreachable'])
  })

  test('OCSP says good, revoked, on hold, unknown', async () => {
    const by = async (status: Parameters<Nation['ocsp']>[1]) =>
      found(detached, document, needed({ ocsp: [await nation.ocsp(person.certificate, status)] }))
    expect(await by('good')).toEqual([])
    expect(await by(revokedOn(-1))).toEqual(['revoked-by-ocsp'])
    expect(await by({ ...revokedOn(-1), reason: 'certificateHold' })).toEqual(['on-hold'])
    expect(await by('unknown')).toEqual(['ocsp-knows-not'])
  })

  test('an answer that is old, or signed by one who may not answer', async () => {
    const old = await nation.ocsp(person.certificate, 'good', daysLater(-2))
    expect(await found(detached, document, needed({ ocsp: [old] }))).toEqual(['revocation-stale'])
    const forged = await nation.ocsp(person.certificate, 'good', signedOn, stranger.responder)
    expect(await found(detached, document, needed({ ocsp: [forged] }))).toEqual(['ocsp-untrusted'])
    const unfit = await nation.ocsp(person.certificate, 'good', signedOn, nation.person)
    expect(await found(detached, document, needed({ ocsp: [unfit] }))).toEqual(['ocsp-untrusted'])
  })

  test('a list says so', async () => {
    const certificate = person.certificate
    expect(await found(detached, document, needed({ crls: [await nation.crl()] }))).toEqual([])
    const listed = await nation.crl([{ certificate, ...revokedOn(-1) }])
    expect(await found(detached, document, needed({ crls: [listed] }))).toEqual(['revoked-by-crl'])
    const old = await nation.crl([], daysLater(-2))
    expect(await found(detached, document, needed({ crls: [old] }))).toEqual(['revocation-stale'])
    const forged = await nation.crl([], signedOn, { ...nation.centreParty, keys: stranger.person.key })
    expect(await found(detached, document, needed({ crls: [forged] }))).toEqual(['crl-untrusted'])
  })

  test('one that says revoked outweighs one that says good', async () => {
    const certificate = person.certificate
    const evidence = {
      ocsp: [await nation.ocsp(certificate)],
      crls: [await nation.crl([{ certificate, ...revokedOn(-1) }])],
    }
    expect(await found(detached, document, needed(evidence))).toEqual(['revoked-by-crl'])
  })

  test('the kind that is asked for', async () => {
    const ocsp = [await nation.ocsp(person.certificate)]
    const crls = [await nation.crl()]
    const by = (revocation: 'ocsp' | 'crl', evidence: Parameters<typeof needed>[0]) =>
      found(detached, document, settingIn(nation, { revocation, evidence }))
    expect(await by('crl', { ocsp })).toEqual(['revocation-unknown'])
    expect(await by('ocsp', { crls })).toEqual(['revocation-unknown'])
    expect(await by('crl', { crls })).toEqual([])
    expect(await by('ocsp', { ocsp })).toEqual([])
  })

  test('of the centre', async () => {
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

  test('evidence at hand counts even where none is demanded', async () => {
    const crls = [await nation.crl([{ certificate: person.certificate, ...revokedOn(-1) }])]
    expect(await found(detached, document, settingIn(nation, { evidence: { crls } }))).toEqual([
      'revoked-by-crl',
    ])
  })
})

describe('timestamps', () => {
  const stamped = (at?: Date, by?: CmsSigner) =>
    withTimestamp(detached, 0, (signature) => nation.stamp(signature, at, by))

  test('prove when the signature existed', async () => {
    const { signers } = await examined(await stamped())
    expect(signers[0]).toMatchObject({ timestampTime: signedOn, findings: [] })
  })

  test('keep a signature good when its certificate has expired', async () => {
    const setting = settingIn(nation, { at: daysLater(1000) })
    expect(await found(await stamped(), document, setting)).toEqual([])
  })

  test('do not make good what was bad already', async () => {
    expect(
      await found(
        await stamped(daysLater(266), nation.clock),
        document,
        settingIn(nation, { at: daysLater(270) }),
      ),
    ).toContain('certificate-expired')
    expect(await found(await stamped(daysLater(-101)))).toContain('timestamp-untrusted')
  })

  test('revoked later is still good, revoked earlier is not', async () => {
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

  test('of another signature', async () => {
    const moved = await withTimestamp(detached, 0, () => nation.stamp(document))
    expect(await found(moved)).toEqual(['timestamp-of-other'])
  })

  test('from the future', async () => {
    expect(await found(await stamped(daysLater(1)))).toEqual(['timestamp-from-future'])
  })

  test('by one who may not stamp', async () => {
    expect(await found(await stamped(signedOn, stranger.clock))).toEqual(['timestamp-untrusted'])
    expect(await found(await stamped(signedOn, nation.person))).toEqual(['timestamp-untrusted'])
    const both = await nation.issue('BOTH', {
      extensions: [extendedKeyUsage(['1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.4'], true)],
    })
    expect(await found(await stamped(signedOn, both))).toEqual(['timestamp-untrusted'])
    const careless = await nation.issue('CARELESS', { extensions: [extendedKeyUsage(['1.3.6.1.5.5.7.3.8'])] })
    expect(await found(await stamped(signedOn, careless))).toEqual(['timestamp-untrusted'])
  })

  test('damaged, or changed', async () => {
    const damaged = addEvidence(detached, 0, { timestamps: [sequence(integer(1))] })
    expect(await found(damaged)).toEqual(['timestamp-damaged'])
    const token = await nation.stamp(readSignedData(detached).signers[0]!.signature)
    const value = readSignedData(token).signers[0]!.signature
    const changed = replaced(token, value, flipped(value))
    expect(await found(addEvidence(detached, 0, { timestamps: [changed] }))).toEqual([
      'timestamp-wrong-signature',
    ])
  })

  test('required, not wanted', async () => {
    expect(await found(detached, document, settingIn(nation, { timestamp: 'required' }))).toEqual([
      'timestamp-missing',
    ])
    const setting = settingIn(nation, { timestamp: 'ignore', at: daysLater(1000) })
    expect(await found(await stamped(), document, setting)).toEqual(['certificate-expired'])
  })

  test('of several the earliest that holds counts, and each must hold', async () => {
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

  test('is added once, and what else stands there stays', async () => {
    const certificates = [nation.centre.der]
    const once = addEvidence(detached, 0, { certificates })
    expect(addEvidence(once, 0, { certificates })).toEqual(once)
    const both = addEvidence(once, 0, { timestamps: [await nation.stamp(person.certificate.der)] })
    expect(readSignedData(both).signers[0]!.unsignedAttributes).toHaveLength(2)
  })
})

describe('several signers', () => {
  test('merged with the document, of different algorithms', async () => {
    const place = await foundNation('rsa')
    const second = await signDetached(document, place.person, options)
    const { head, tail } = mergeAttached([detached, second], document.length)
    const trust = { roots: [nation.root, place.root], others: [nation.centre, place.centre] }
    const merged = joined([head, document, tail])
    const { findings, signers } = await examined(merged, document, { ...settingIn(nation), trust })
    expect(findings).toEqual([])
    expect(signers.map((signer) => signer.findings)).toEqual([[], []])
    expect(readSignedData(merged)).toMatchObject({ content: [document] })
  })

  test('co-signed as the desktop program does it', async () => {
    const colleague = await nation.issue('ИВАНОВА АЙГЕРІМ')
    expect(await found(await coSign(attached, colleague, options), null)).toEqual([])
  })

  test('one of them wrong', async () => {
    const colleague = await nation.issue('ИВАНОВА АЙГЕРІМ')
    const wrong = await signDetached(other, colleague, options)
    const { signers } = await examined(mergeDetached([detached, wrong]))
    expect(signers.map(({ findings }) => findings.join()).toSorted()).toEqual(['', 'other-document'])
  })
})

describe('counter-signatures', () => {
  async function counterSigned(by: CmsSigner, over?: Uint8Array): Promise<Uint8Array> {
    const [signer] = readSignedData(detached).signers
    const digest = hash('streebog-512', over ?? signer!.signature)
    const counter = await signerInfo(by, [attribute(cmsOids.messageDigest, octetString(digest))])
    const unsigned = element(constructed(1), attribute(cmsOids.counterSignature, counter))
    const body = readSignedData(detached).signers[0]!.whole
    const start = body.length - signerInfoContent(body).length
    const whole = sequence(body.subarray(start), unsigned)
    return assembled([whole], { certificates: [person.certificate.der, by.certificate.der] })
  }

  const setting = () => settingIn(nation, { signingCertificate: 'optional' })

  test('that hold', async () => {
    const notary = await nation.issue('НОТАРИУС')
    expect(await found(await counterSigned(notary), document, setting())).toEqual([])
  })

  test('of something else, or by a stranger', async () => {
    const notary = await nation.issue('НОТАРИУС')
    expect(await found(await counterSigned(notary, document), document, setting())).toEqual([
      'counter-signature-wrong',
    ])
    expect(await found(await counterSigned(stranger.person), document, setting())).toEqual([
      'counter-signature-wrong',
    ])
  })
})

function signerInfoContent(whole: Uint8Array): Uint8Array {
  const lengthOctets = whole[1]! < 0x80 ? 0 : whole[1]! & 0x7f
  return whole.subarray(2 + lengthOctets)
}

/** Everything but the version and the name by which a signer is identified: these are not signed, and prove nothing. */
function provingParts(cms: Uint8Array): unknown {
  const data = readSignedData(cms)
  return {
    content: (data.content ?? []).map(toHex),
    certificates: data.certificates.map(toHex),
    signers: data.signers.map(({ signature, signedAttributes, unsignedAttributes, ...signer }) => [
      toHex(signature),
      signedAttributes && toHex(signedAttributes.der),
      toHex(signer.digestAlgorithm.der),
      toHex(signer.signatureAlgorithm.der),
      'serial' in signer.signerId && toHex(signer.signerId.serial),
      unsignedAttributes.map(({ oid: type, values }) => [type, values.map((one) => provingParts(one.whole))]),
    ]),
  }
}

test('any bit flipped anywhere keeps it from passing, unless only a name is written in another way', async () => {
  const stamped = await withTimestamp(detached, 0, (signature) => nation.stamp(signature))
  const setting = settingIn(nation, { timestamp: 'required' })
  expect(await found(stamped, document, setting)).toEqual([])
  const proving = provingParts(stamped)
  let passed = 0
  // every bit would take half a minute; a step of seven touches each byte, and all positions within them
  for (let bit = 0; bit < stamped.length * 8; bit += 7) {
    const changed = stamped.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    if ((await found(changed, document, setting)).length > 0) continue
    expect(provingParts(changed), `bit ${bit}`).toEqual(proving)
    passed++
  }
  expect(passed).toBeLessThan(10)
}, 60_000)

describe('by what it is trusted', () => {
  const head = '1.2.398.3.3.4.1.2.1'

  test('the root, the role, who answered about revocation and of what time, the timestamp', async () => {
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

  test('a revocation names the list that tells it', async () => {
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

  test('nothing, where the chain leads to no trusted root', async () => {
    const signed = await signDetached(document, stranger.person, options)
    const forged = await withTimestamp(signed, 0, (value) => stranger.stamp(value))
    const { signers } = await examined(forged)
    expect(trustBasis(signers[0]!)).toMatchObject({ root: null, revocation: [], timestamps: [] })
    expect(trustBasis({ certificate: null, root: null, revocation: [] })).toBeNull()
  })
})
