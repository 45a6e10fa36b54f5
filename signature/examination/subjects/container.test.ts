import { describe, expect, test } from 'vitest'
import { hash } from '../../algorithms/hash.ts'
import { constructed, elements, primitive, read, tags } from '../../asn1/read.ts'
import { joined, toHex } from '../../asn1/values.ts'
import { element, integer, octetString, oid, sequence, setOf, unsignedInteger } from '../../asn1/write.ts'
import { mergeDetached } from '../../cms/build.ts'
import { cmsOids, readSignedData } from '../../cms/signed-data.ts'
import {
  attribute,
  signDetached,
  signerInfo,
  usualAttributes,
  type CmsSigner,
} from '../../signer/sign-cms.ts'
import { daysLater, foundNation, settingIn, signedOn } from '../../testing/nation.ts'
import type { Finding } from '../../findings/findings.ts'
import {
  document,
  other,
  options,
  nation,
  stranger,
  person,
  detached,
  examined,
  found,
  replaced,
  flipped,
  assembled,
} from '../../testing/examined-signatures.ts'

/** For ECDSA on P-256: if (r, s) is valid, so is (r, q - s). */
function twinOf(signature: Uint8Array) {
  const q = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const second = 4 + signature[3]!
  const s = BigInt(`0x${toHex(signature.subarray(second + 2))}`)
  const other = Buffer.from((q - s).toString(16).padStart(64, '0'), 'hex')
  return sequence(signature.subarray(2, second), unsignedInteger(other))
}

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

  test('may not have too many certificates', async () => {
    const certificates = Array.from({ length: 513 }, (_, i) => sequence(integer(i)))
    const [signer] = readSignedData(detached).signers
    expect(await found(assembled([signer!.whole], { certificates }))).toEqual(['too-much'])
  })

  test('may have one signature of each certificate only', async () => {
    const second = await signDetached(document, person, { signingTime: daysLater(1) })
    expect(await found(mergeDetached([detached, second]))).toEqual(['signed-twice'])
  })

  test('a copy of a signature that names its certificate by the key identifier is the same signature', async () => {
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

  test('a version number larger than needed is accepted, one smaller than needed is not', async () => {
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

  test('must have a document, not a timestamp, as what is signed', async () => {
    const type = cmsOids.timestampInfo
    const attributes = usualAttributes(type, hash('streebog-512', document), signedOn)
    const forged = assembled([await signerInfo(person, attributes)], { type, content: document })
    expect(await found(forged, null, settingIn(nation, { signingCertificate: 'optional' }))).toEqual([
      'not-a-document',
    ])
  })

  test('must name the hash of its signers', async () => {
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

  test('are accepted as they should be', async () => {
    expect(await withAttributes(usual())).toEqual([])
  })

  test('are wrong with another content type, or without one', async () => {
    expect(await withAttributes(usual(cmsOids.timestampInfo))).toEqual(['attributes-wrong'])
    expect(await withAttributes(usual().slice(1))).toEqual(['attributes-wrong'])
  })

  test('are refused with no digest, another digest, or two digests', async () => {
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

  test('may be left out only if the policy allows that', async () => {
    const bare = await signDetached(document, person, { form: 'no-attributes', ...options })
    expect(await found(bare, document, setting())).toEqual(['attributes-missing'])
    const lenient = settingIn(nation, { signedAttributes: 'optional' })
    expect(await found(bare, document, lenient)).toEqual([])
    expect(await found(bare, other, lenient)).toEqual(['wrong-signature'])
  })

  test('may be left out with ECDSA too', async () => {
    const place = await foundNation('p-256')
    const lenient = settingIn(place, { signedAttributes: 'optional', signingCertificate: 'optional' })
    const bare = await signDetached(document, place.person, { form: 'no-attributes', ...options })
    expect(await found(bare, document, lenient)).toEqual([])
    expect(await found(bare, other, lenient)).toEqual(['wrong-signature'])
    expect(await found(bare, document, settingIn(place))).toEqual(['attributes-missing'])
  })

  test('are damaged if they are out of the order of DER', async () => {
    const [signer] = readSignedData(detached).signers
    const sorted = signer!.signedAttributes!.der
    const inner = sorted.subarray(3)
    const first = inner.subarray(0, 2 + inner[1]!)
    const shuffled = joined([inner.subarray(first.length), first])
    expect(await found(replaced(detached, inner, shuffled))).toEqual(['damaged'])
  })
})

describe('the signature itself', () => {
  test('is wrong after a change', async () => {
    const [signer] = readSignedData(detached).signers
    const spoiled = replaced(detached, signer!.signature, flipped(signer!.signature))
    expect(await found(spoiled)).toEqual(['wrong-signature'])
  })

  test('is wrong if made with another key under the same certificate', async () => {
    const forger: CmsSigner = { key: stranger.person.key, certificate: person.certificate }
    expect(await found(await signDetached(document, forger, options))).toEqual(['wrong-signature'])
  })

  test('is refused with SHA-1, even if it is right', async () => {
    const place = await foundNation('rsa')
    const { key, certificate } = place.person
    const sha1 = { ...key, hash: 'sha-1' as const, digestAlgorithm: sequence(oid('1.3.14.3.2.26')) }
    const weak = { ...sha1, signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.5')) }
    const signature = await signDetached(document, { key: weak, certificate }, options)
    expect(await found(signature, document, settingIn(place))).toEqual(['weak-algorithm'])
  })

  test('is valid if it was rewritten without the key, and counts as the same act', async () => {
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

  test('may not be under the identifier of a GOST key of another family', async () => {
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

  test('is refused with an unknown algorithm, and with one for other keys', async () => {
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
