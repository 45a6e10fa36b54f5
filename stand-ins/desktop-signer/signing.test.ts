import { beforeAll, describe, expect, test } from 'vitest'
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { elements, read, tags } from '@kelisim/signature/asn1/read.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { derOf } from '@kelisim/signature/asn1/pem.ts'
import type { KeyKind } from '@kelisim/signature/signer/keys.ts'
import { settingIn, signedOn } from '@kelisim/signature/testing/nation.ts'
import { hasSharedVectors, sharedVector, skippedWithout } from '@kelisim/signature/testing/shared-vectors.ts'
import { verify } from '@kelisim/signature/algorithms/verify.ts'
import {
  bareSocket,
  call,
  connected,
  keyOf,
  preset,
  running,
  signerNation,
  timestamping,
  type Client,
} from './testing.ts'

const document = new TextEncoder().encode('Келісімшарт № 1\n')
const inBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const bytesOf = (result: unknown) => derOf(new TextEncoder().encode(String(result)))

const kinds: KeyKind[] = ['gost-kz-512', 'gost-kz-2004', 'rsa']
const hashOf: Partial<Record<KeyKind, HashName>> = {
  'gost-kz-512': 'streebog-512',
  'gost-kz-2004': 'gost-34.311',
  rsa: 'sha-256',
}

describe.each(kinds)('%s', (kind) => {
  let people: Awaited<ReturnType<typeof signerNation>>
  beforeAll(async () => {
    people = await signerNation(kind, 'Signing')
  })

  /** Connects the library to a program that has this person's key and a timestamp service. */
  function signing<T>(use: (client: Client, asked: string[]) => Promise<T>): Promise<T> {
    const { nation, person, roots } = people
    return timestamping(nation, ({ url: tspUrl, asked }) =>
      running({ keys: person, roots, tspUrl }, async ({ url }) => use(await connected(url), asked)),
    )
  }

  async function findingsOf(cms: Uint8Array, content: Uint8Array | null = document): Promise<unknown> {
    const { findings, signers } = await examineSignature(
      cms,
      content && [content],
      settingIn(people.nation, { at: signedOn }),
    )
    return { findings, signers: signers.map((signer) => signer.findings) }
  }
  const sound = { findings: [], signers: [[]] }

  test('createCAdESFromBase64 signs detached or attached, and accepts base64 only', async () => {
    await signing(async (client) => {
      const detached = await call(client, 'createCAdESFromBase64', 'PKCS12', inBase64(document))
      expect(detached).toMatch(/^MI[A-Za-z0-9+/]+=*$/)
      expect(await findingsOf(bytesOf(detached))).toEqual(sound)
      expect(readSignedData(bytesOf(detached)).content).toBe(null)
      const attached = await call(
        client,
        'createCAdESFromBase64',
        'PKCS12',
        document.buffer,
        'SIGNATURE',
        true,
      )
      expect(await findingsOf(bytesOf(attached), null)).toEqual(sound)
      expect(readSignedData(bytesOf(attached)).content).toEqual([document])
    })
  })

  test('createCAdESFromBase64Hash signs a digest, whatever its length', async () => {
    await signing(async (client) => {
      const cms = await call(
        client,
        'createCAdESFromBase64Hash',
        'PKCS12',
        inBase64(hash(hashOf[kind]!, document)),
      )
      expect(await findingsOf(bytesOf(cms))).toEqual(sound)
      const short = await call(client, 'createCAdESFromBase64Hash', 'PKCS12', inBase64(new Uint8Array(3)))
      expect(readSignedData(bytesOf(short)).signers).toHaveLength(1)
    })
  })

  test('createCMSSignatureFromBase64 adds a timestamp with the policy and the hash that suit the key', async () => {
    await signing(async (client, asked) => {
      const cms = bytesOf(await call(client, 'createCMSSignatureFromBase64', 'PKCS12', inBase64(document)))
      const { signers } = await examineSignature(
        cms,
        [document],
        settingIn(people.nation, { timestamp: 'required' }),
      )
      expect(signers.map(({ findings, timestampTime }) => [findings, timestampTime])).toEqual([
        [[], signedOn],
      ])
      expect(asked).toEqual([kind === 'rsa' ? '1.2.398.3.3.2.6.2 sha-256' : '1.2.398.3.3.2.6.4 streebog-512'])
    })
  })

  test.each([
    ['basicsCMSParamsDetached', null, true],
    ['basicsCMSParamsDetachedNoTSP', null, false],
    ['basicsCMSParamsAttached', document, true],
  ])('basicsSignCMS with %s', async (params, content, hasTimestamp) => {
    await signing(async (client, asked) => {
      const result = await call(
        client,
        'basicsSignCMS',
        null,
        document.buffer,
        preset(params),
        preset('basicsSignerSignAny'),
      )
      expect(result).toMatch(
        /^-----BEGIN CMS-----\n([A-Za-z0-9+/=]{64}\n)*[A-Za-z0-9+/=]{1,64}\n-----END CMS-----\n$/,
      )
      expect(readSignedData(bytesOf(result)).content).toEqual(content && [content])
      expect(await findingsOf(bytesOf(result))).toEqual(sound)
      expect(asked.length > 0).toBe(hasTimestamp)
    })
  })

  test('basicsSignCMS with basicsCMSParamsDetachedHash', async () => {
    await signing(async (client) => {
      const digest = inBase64(hash(hashOf[kind]!, document))
      const params = preset('basicsCMSParamsDetachedHash')
      const cms = await call(client, 'basicsSignCMS', null, digest, params, preset('basicsSignerAny'))
      expect(await findingsOf(bytesOf(cms))).toEqual(sound)
    })
  })

  test('basicsSignCMS without parameters signs the text unchanged and attached', async () => {
    await signing(async (client) => {
      const cms = await call(
        client,
        'basicsSignCMS',
        null,
        'MTEK',
        preset('basicsCMSParams'),
        preset('basicsSignerAny'),
      )
      expect(readSignedData(bytesOf(cms)).content).toEqual([new TextEncoder().encode('MTEK')])
    })
  })

  test('many documents take one key prompt', async () => {
    const documents = [1, 2, 3, 4, 5].map((i) => new TextEncoder().encode(`№ ${i}`))
    let prompts = 0
    const keys = () => {
      prompts += 1
      return people.person
    }
    await running({ keys, roots: people.roots }, async ({ url }) => {
      const params = preset('basicsCMSParamsDetachedNoTSP')
      const results = await call(
        await connected(url),
        'basicsSignCMS',
        null,
        documents.map(inBase64),
        params,
        preset('basicsSignerAny'),
      )
      expect(results).toHaveLength(5)
      for (const [i, content] of documents.entries()) {
        expect(await findingsOf(bytesOf((results as string[])[i]), content)).toEqual(sound)
      }
      expect(prompts).toBe(1)
    })
  })

  test('raw signing gives the bare value over the data, with the certificate when asked', async () => {
    await signing(async (client) => {
      const sign = (params: object) =>
        call(
          client,
          'basicsSign',
          null,
          'raw',
          [inBase64(document)],
          { decode: true, ...params },
          preset('basicsSignerAny'),
          'ru',
        )
      const { signatures, certificate } = (await sign({ outputCert: true })) as Record<string, string>
      const { publicKey } = readCertificate(bytesOf(certificate))
      const algorithm =
        kind === 'rsa'
          ? ({ kind: 'rsa-pkcs1', hash: 'sha-256' } as const)
          : ({
              kind: 'gost',
              hash: kind === 'gost-kz-512' ? 'streebog-512' : 'gost-34.311',
              wire: 'kz',
            } as const)
      const value = new Uint8Array(Buffer.from(signatures![0]!, 'base64'))
      expect(await verify(algorithm, publicKey.key!, document, value)).toBe('valid')
      expect(await sign({})).not.toHaveProperty('certificate')
    })
  })

  test('getKeyInfo tells whose key it is, times in milliseconds', async () => {
    await signing(async (client) => {
      const { certificate } = people.person
      expect(await call(client, 'getKeyInfo', 'PKCS12')).toEqual({
        alias: 'ab12cd34',
        keyId: expect.stringMatching(/^[0-9a-f]{40}$/),
        algorithm:
          { 'gost-kz-512': 'ECGOST3410-2015', 'gost-kz-2004': 'ECGOST34310' }[kind as string] ?? 'RSA',
        subjectCn: 'ТЕСТОВ ТЕСТ',
        subjectDn: 'CN=ТЕСТОВ ТЕСТ,SURNAME=ТЕСТОВ,SERIALNUMBER=IIN900101300123,C=KZ,G=ТЕСТОВИЧ',
        issuerCn: 'Signing centre',
        issuerDn: 'CN=Signing centre,C=KZ',
        serialNumber: BigInt(`0x${toHex(certificate.serial)}`).toString(),
        certNotBefore: String(certificate.notBefore.getTime()),
        certNotAfter: String(certificate.notAfter.getTime()),
        authorityKeyIdentifier: toHex(certificate.authorityKeyId ?? new Uint8Array()),
        pem: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n[^]*\n-----END CERTIFICATE-----\n$/),
      })
    })
  })

  test('signing an attached signature adds a signer beside the others', async () => {
    await signing(async (client) => {
      const other = await keyOf(people.nation, 'ВТОРОЙ ЧЕЛОВЕК')
      const first = bytesOf(
        await call(client, 'createCAdESFromBase64', 'PKCS12', inBase64(document), 'SIGNATURE', true),
      )
      await running({ keys: other }, async ({ url }) => {
        const second = await connected(url)
        const both = bytesOf(
          await call(second, 'createCAdESFromBase64', 'PKCS12', inBase64(first), 'SIGNATURE', true),
        )
        expect(readSignedData(both).content).toEqual([document])
        expect(await findingsOf(both, null)).toEqual({ findings: [], signers: [[], []] })
        const apart = bytesOf(await call(second, 'createCAdESFromBase64', 'PKCS12', inBase64(first)))
        expect(readSignedData(apart).content).toBe(null)
        expect(await findingsOf(apart)).toEqual({ findings: [], signers: [[], []] })
      })
    })
  })

  test('a timestamp is added for the new signer; applyCAdEST adds one for the others', async () => {
    const other = await keyOf(people.nation, 'ВТОРОЙ ЧЕЛОВЕК')
    const stampedIn = async (cms: Uint8Array) => {
      const { signers } = await examineSignature(cms, null, settingIn(people.nation))
      expect(signers.map(({ findings }) => findings)).toEqual([[], []])
      return signers.filter(({ timestampTime }) => timestampTime).map(({ certificate }) => certificate?.der)
    }
    await signing(async (client) => {
      const first = await call(
        client,
        'createCAdESFromBase64',
        'PKCS12',
        inBase64(document),
        'SIGNATURE',
        true,
      )
      await timestamping(people.nation, ({ url: tspUrl }) =>
        running({ keys: other, tspUrl }, async ({ url }) => {
          const second = await connected(url)
          const both = await call(second, 'createCMSSignatureFromBase64', 'PKCS12', first, 'SIGNATURE', true)
          expect(await stampedIn(bytesOf(both))).toEqual([other.certificate.der])
          const socket = await bareSocket(url)
          await socket.next()
          const { responseObject } = (await socket.ask({
            module: 'kz.gov.pki.knca.commonUtils',
            method: 'applyCAdEST',
            args: ['PKCS12', 'SIGNATURE', both],
          })) as { responseObject: string }
          expect(await stampedIn(bytesOf(responseObject))).toHaveLength(2)
        }),
      )
    })
  })

  test('no signer can be added to a signature without its document', async () => {
    await signing(async (client) => {
      const detached = await call(client, 'createCAdESFromBase64', 'PKCS12', inBase64(document))
      await expect(call(client, 'createCAdESFromBase64', 'PKCS12', detached)).rejects.toThrow(
        '500: CMS_NO_ENCAPSULATED_DATA',
      )
    })
  })
})

describe('refusals', () => {
  test('after the person cancels, each module answers in its own way', async () => {
    await running({ keys: () => 'cancel' }, async ({ url }) => {
      const client = await connected(url)
      const basics = call(client, 'basicsSignCMS', null, 'x', {}, preset('basicsSignerAny'))
      await expect(basics).rejects.toMatchObject({ canceledByUser: true })
      await expect(call(client, 'getKeyInfo', 'PKCS12')).rejects.toThrow('500: action.canceled')
      await expect(call(client, 'createCAdESFromBase64', 'PKCS12', 'MTEK')).rejects.toThrow(
        '500: action.canceled',
      )
    })
  })

  test('if a token is not plugged in, the person can only cancel', async () => {
    const { person } = await signerNation('gost-kz-512', 'Tokens')
    await running({ keys: person }, async ({ url }) => {
      const storages = preset('basicsStorageHardware')
      const signing = call(
        await connected(url),
        'basicsSignCMS',
        storages,
        'x',
        {},
        preset('basicsSignerTestAny'),
      )
      await expect(signing).rejects.toMatchObject({ canceledByUser: true })
    })
  })

  test.each(['garbage', 'nobody', 'not configured'])('a timestamp service: %s', async (fault) => {
    const { nation, person } = await signerNation('gost-kz-512', 'Clocks')
    await timestamping(nation, async (service) => {
      service.isBroken = fault === 'garbage'
      // a port on which nothing can listen
      const tspUrl = fault === 'nobody' ? 'http://127.0.0.1:1/' : service.url
      await running({ keys: person, ...(fault !== 'not configured' && { tspUrl }) }, async ({ url }) => {
        const client = await connected(url)
        const params = preset('basicsCMSParamsDetached')
        const signing = call(client, 'basicsSignCMS', null, 'MTEK', params, preset('basicsSignerTestAny'))
        await expect(signing).rejects.toThrow(
          'SIGNING_FAILURE: Signing failure. (TIMESTAMP_CREATION_FAILURE)',
        )
        const older = call(client, 'createCMSSignatureFromBase64', 'PKCS12', 'MTEK')
        await expect(older).rejects.toThrow('500: TIMESTAMP_CREATION_FAILURE')
      })
    })
  })
})

describe.skipIf(!hasSharedVectors)(`compared with the national library${skippedWithout}`, () => {
  const theirKeys = [
    ['gost2015-person', 'kz/p12/2026-gost2015/person.sign.valid.ec425659.p12'],
    ['gost2004-ceo', 'kz/p12/2023-gost2004/ceo.sign.valid.455af122.p12'],
    ['rsa-person', 'kz/p12/2023-rsa/person.sign.valid.641e7295.p12'],
  ] as const

  /** Tags and lengths of every element, and the identifiers, without values. */
  function structureOf(der: Uint8Array): unknown {
    return structure(read(der, tags.sequence))
  }
  function structure(element: ReturnType<typeof elements>[number]): unknown {
    if (element.tag & 0x20) return [element.tag, elements(element).map(structure)]
    return element.tag === tags.oid ? toHex(element.content) : [element.tag, element.content.length]
  }

  test.each(theirKeys)('%s: the same structure, with the same keys', async (name, path) => {
    const content = sharedVector('kz/cms/document.txt')
    await running({ keys: { p12: sharedVector(path), password: 'Qwerty12' } }, async ({ url }) => {
      const client = await connected(url)
      const sign = (attach: boolean) =>
        call(client, 'createCAdESFromBase64', 'PKCS12', inBase64(content), 'SIGNATURE', attach)
      for (const form of ['attached', 'detached'] as const) {
        const theirs = sharedVector(`kz/cms/${name}.cades.${form}.cms`)
        expect(structureOf(bytesOf(await sign(form === 'attached')))).toEqual(structureOf(theirs))
      }
      const hashName = {
        'gost2015-person': 'streebog-512',
        'gost2004-ceo': 'gost-34.311',
        'rsa-person': 'sha-256',
      } as const
      const ofHash = await call(
        client,
        'createCAdESFromBase64Hash',
        'PKCS12',
        inBase64(hash(hashName[name], content)),
      )
      expect(structureOf(bytesOf(ofHash))).toEqual(
        structureOf(sharedVector(`kz/cms/${name}.cades.detached-hash.cms`)),
      )
    })
  })
})
