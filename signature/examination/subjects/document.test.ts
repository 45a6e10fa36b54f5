import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hash } from '../../algorithms/hash.ts'
import { tags } from '../../asn1/read.ts'
import { joined } from '../../asn1/values.ts'
import { element, integer, octetString, sequence } from '../../asn1/write.ts'
import { readSignedData } from '../../cms/signed-data.ts'
import type { KeyKind } from '../../signer/keys.ts'
import { signDetached, signDigest, type CmsForm } from '../../signer/sign-cms.ts'
import { foundNation, settingIn, signedOn } from '../../testing/nation.ts'
import type { HashedContent } from '../content.ts'
import { examineSignature } from '../examine.ts'
import {
  document,
  other,
  options,
  nation,
  person,
  detached,
  attached,
  examined,
  found,
  replaced,
  assembled,
} from '../../testing/examined-signatures.ts'

describe('a valid signature', () => {
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

  test('may be attached, with the document given or not', async () => {
    expect(await found(attached)).toEqual([])
    expect(await found(attached, null)).toEqual([])
  })

  test('shows who signed, when and how', async () => {
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

  test('may be made from a digest', async () => {
    const signature = await signDigest(hash('streebog-512', document), person, options)
    expect(await found(signature)).toEqual([])
    expect(await found(await signDigest(new Uint8Array(3), person, options))).toEqual(['other-document'])
  })

  test('may have its document in pieces of any size, beside one that is attached in one piece', async () => {
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

  test('make reading the document unnecessary', async () => {
    const digests = new Map([['streebog-512', hash('streebog-512', document)] as const])
    expect(await examined(detached, { pieces: unreadable, digests })).toEqual([])
  })

  test('are computed if they are missing or too short, and returned', async () => {
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

  test('are not used for a document inside the signature', async () => {
    const digests = new Map([['streebog-512', hash('streebog-512', other)] as const])
    expect(await examined(attached, { pieces: [document], digests })).toEqual([])
  })
})

describe('another document is found', () => {
  test('for a detached signature', async () => {
    expect(await found(detached, other)).toEqual(['other-document'])
  })

  test('for an attached signature: the signed document inside is not the one that was given', async () => {
    expect(await found(attached, other)).toEqual(['other-document-attached'])
    expect(await found(attached, document.subarray(0, 5))).toEqual(['other-document-attached'])
    expect(await found(attached, joined([document, document]))).toEqual(['other-document-attached'])
    expect(await found(attached, new Uint8Array())).toEqual(['other-document-attached'])
  })

  test('for an attached signature whose document was changed', async () => {
    expect(await found(replaced(attached, document, other), null)).toEqual(['other-document'])
  })

  test('if no document is given', async () => {
    expect(await found(detached, null)).toEqual(['document-missing'])
  })

  test('if signed attributes are passed off as a document', async () => {
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
