import { describe, expect, test } from 'vitest'
import { verify } from '../algorithms/verify.ts'
import { MalformedError, read, tags } from '../asn1/read.ts'
import { toHex } from '../asn1/values.ts'
import { integer, nothing, octetString, oid, sequence } from '../asn1/write.ts'
import { signatureAlgorithmOf, takeAlgorithm } from '../certificates/algorithm-identifier.ts'
import { publicKeyInfoOf } from '../certificates/public-key.ts'
import { hasGostEngine, hasOpenssl, openssl, withoutGostEngine, withoutOpenssl } from '../testing/openssl.ts'
import { generateKey, gostKey, keyKinds, type SigningKey } from './keys.ts'
import { readPrivateKey } from './pkcs8.ts'

const message = new TextEncoder().encode('Келісім')

async function outcomeOf(key: SigningKey, signature: Uint8Array, bytes = message) {
  const bytesOfAlgorithm = key.signatureAlgorithm
  const identifier = takeAlgorithm({ bytes: bytesOfAlgorithm, at: 0, encoding: 'der', depth: 0 })
  const { key: publicKey } = publicKeyInfoOf(read(key.publicKey, tags.sequence))
  return verify(signatureAlgorithmOf(identifier)!, publicKey!, bytes, signature)
}

describe.each(keyKinds)('%s', (kind) => {
  test('a signature is valid by the public key under the algorithm that it names, and by nothing else', async () => {
    const key = await generateKey(kind)
    const signature = await key.sign(message)
    expect(await outcomeOf(key, signature)).toBe('valid')
    expect(await outcomeOf(key, signature, new Uint8Array(3))).toBe('wrong-signature')
    expect(await outcomeOf(await generateKey(kind), signature)).toBe('wrong-signature')
  })

  test('a key read again from its own bytes is the same key', async () => {
    const key = await generateKey(kind)
    const again = await readPrivateKey(key.pkcs8)
    expect(again?.kind).toBe(kind)
    expect(again?.publicKey).toEqual(key.publicKey)
    expect(again?.pkcs8).toEqual(key.pkcs8)
    expect(await outcomeOf(key, await again!.sign(message))).toBe('valid')
  })
})

describe('the national forms', () => {
  test.each([
    [
      'gost-kz-512',
      '3081ac302306092a830e030a010102023016060a2a830e030a010102020106082a830e030a01030303818400048180',
      '306c020100',
    ],
    [
      'gost-kz-2004',
      '306c302506092a830e030a010101013018060a2a830e030a0101010101060a2a830e030a01030101000343000440',
      '30',
    ],
    ['gost-kz-gamma', '3063300e060a2b06010401b511010508050003510006020000', '30'],
  ] as const)('%s begins as the centres write it', (kind, publicStart, privateStart) => {
    const key = gostKey(kind, 0x1234567890abcdefn)
    expect(toHex(key.publicKey).startsWith(publicStart)).toBe(true)
    expect(toHex(key.pkcs8).startsWith(privateStart)).toBe(true)
  })

  test('a number without its leading zero is not read as negative', async () => {
    const key = gostKey('gost-kz-2004', BigInt(`0x${'f0'.repeat(16)}`) << 120n)
    const algorithm = key.pkcs8.subarray(5, 5 + 39)
    const digits = Uint8Array.from(Buffer.from(`${'f0'.repeat(16)}${'00'.repeat(15)}`, 'hex'))
    const pkcs8 = sequence(integer(0), algorithm, octetString(Uint8Array.from([2, digits.length, ...digits])))
    expect((await readPrivateKey(pkcs8))?.publicKey).toEqual(key.publicKey)
  })
})

describe('refusals', () => {
  test('a key of an unknown algorithm is not read', async () => {
    const algorithm = sequence(oid('1.3.101.112'))
    expect(await readPrivateKey(sequence(integer(0), algorithm, octetString(nothing())))).toBe(null)
  })

  test('a number outside the range of the curve is malformed', async () => {
    const { pkcs8 } = gostKey('gost-kz-512', 5n)
    const zeroed = pkcs8.slice().fill(0, pkcs8.length - 64)
    await expect(readPrivateKey(zeroed)).rejects.toThrow(MalformedError)
    await expect(readPrivateKey(zeroed.fill(255, pkcs8.length - 64))).rejects.toThrow(MalformedError)
  })

  test('arbitrary bytes are malformed', async () => {
    await expect(readPrivateKey(Uint8Array.of(0x30, 3, 2, 1, 0))).rejects.toThrow(MalformedError)
  })
})

describe('OpenSSL', () => {
  test.skipIf(!hasOpenssl).each(['rsa', 'p-256'] as const)(
    `accepts our key, and we accept its key: %s${withoutOpenssl}`,
    async (kind) => {
      const key = await generateKey(kind)
      const theirs = openssl({ 'key.der': key.pkcs8, message }, (run) => {
        expect(run('pkey', '-inform', 'DER', '-in', 'key.der', '-check', '-noout').isDone).toBe(true)
        const algorithm = kind === 'rsa' ? ['RSA', 'rsa_keygen_bits:2048'] : ['EC', 'ec_paramgen_curve:P-256']
        const args = ['genpkey', '-algorithm', algorithm[0]!, '-pkeyopt', algorithm[1]!, '-outform', 'DER']
        expect(run(...args, '-out', 'theirs.der').isDone).toBe(true)
        run(
          'pkcs8',
          '-topk8',
          '-nocrypt',
          '-inform',
          'DER',
          '-in',
          'theirs.der',
          '-outform',
          'DER',
          '-out',
          'p8.der',
        )
        run('pkey', '-inform', 'DER', '-in', 'theirs.der', '-pubout', '-outform', 'DER', '-out', 'public.der')
        run('dgst', '-sha256', '-sign', 'theirs.der', '-keyform', 'DER', '-out', 'signature', 'message')
        const file = run('version').file
        return { pkcs8: file('p8.der'), publicKey: file('public.der'), signature: file('signature') }
      })
      const read = await readPrivateKey(theirs.pkcs8)
      expect(read?.publicKey).toEqual(theirs.publicKey)
      expect(await outcomeOf(read!, theirs.signature)).toBe('valid')
    },
  )

  test.skipIf(!hasGostEngine).each([
    ['gost-ru-2001', 'gost2001', '-md_gost94'],
    ['gost-ru-256', 'gost2012_256', '-md_gost12_256'],
    ['gost-ru-512', 'gost2012_512', '-md_gost12_512'],
  ] as const)(
    `accepts our key with its GOST engine: %s${withoutGostEngine}`,
    async (kind, algorithm, digest) => {
      const key = await generateKey(kind)
      const signature = await key.sign(message)
      const theirs = openssl(
        { 'public.der': key.publicKey, 'ours.der': key.pkcs8, message, signature },
        (run) => {
          const gost = (command: string, ...args: string[]) => run(command, '-engine', 'gost', ...args)
          run(
            'pkey',
            '-engine',
            'gost',
            '-pubin',
            '-inform',
            'DER',
            '-in',
            'public.der',
            '-out',
            'public.pem',
          )
          const verified = gost('dgst', digest, '-verify', 'public.pem', '-signature', 'signature', 'message')
          expect(verified.output).toContain('Verified OK')
          const shown = gost(
            'pkey',
            '-inform',
            'DER',
            '-in',
            'ours.der',
            '-pubout',
            '-outform',
            'DER',
            '-out',
            'shown',
          )
          expect(shown.isDone).toBe(true)
          expect(shown.file('shown')).toEqual(key.publicKey)
          gost('genpkey', '-algorithm', algorithm, '-pkeyopt', 'paramset:A', '-out', 'theirs.pem')
          gost('pkcs8', '-topk8', '-nocrypt', '-in', 'theirs.pem', '-outform', 'DER', '-out', 'theirs.der')
          gost('dgst', digest, '-sign', 'theirs.pem', '-out', 'their-signature', 'message')
          return { pkcs8: shown.file('theirs.der'), signature: shown.file('their-signature') }
        },
      )
      const read = await readPrivateKey(theirs.pkcs8)
      expect(await outcomeOf(read!, theirs.signature)).toBe('valid')
    },
  )
})
