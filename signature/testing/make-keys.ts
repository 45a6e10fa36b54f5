/**
 * Keys of every kind met here, that sign. For tests and stand-ins only. GOST keys follow from a seed and sign the same
 * bytes the same way each time; RSA and P-256 come from WebCrypto and are new each time.
 */
import { curves, type CurveName } from '../algorithms/curves.ts'
import type { GostWire } from '../algorithms/gost.ts'
import { hash } from '../algorithms/hash.ts'
import { fromBigEndian, toLittleEndian } from '../algorithms/numbers.ts'
import type { GostHash } from '../algorithms/verify.ts'
import { inside, next, read, tags } from '../asn1/read.ts'
import { joined, takeOctetsInBits } from '../asn1/values.ts'
import { bitString, nothing, octetString, oid, sequence, unsignedInteger } from '../asn1/write.ts'
import { encodePoint, publicPoint, signGost } from '../signer/gost.ts'

type Bytes = Uint8Array<ArrayBuffer>

export type KeyKind = 'rsa' | 'p-256' | 'gost-kz-512' | 'gost-kz-2004' | 'gost-ru-256'

export type Keys = {
  kind: KeyKind
  /** SubjectPublicKeyInfo. */
  publicKey: Bytes
  /** SHA-1 of the key's bits, which SKI, AKI and OCSP's CertID carry. */
  keyId: Bytes
  /** AlgorithmIdentifier of what `sign` makes. */
  signatureAlgorithm: Bytes
  sign: (bytes: Uint8Array) => Promise<Bytes>
}

export async function makeKeys(kind: KeyKind, seed: string = crypto.randomUUID()): Promise<Keys> {
  switch (kind) {
    case 'rsa':
      return makeRsaKeys()
    case 'p-256':
      return makeEcKeys()
    case 'gost-kz-512':
    case 'gost-kz-2004':
    case 'gost-ru-256':
      return gostKeys(kind, gostPrivateKey(kind, seed))
  }
}

async function makeRsaKeys(): Promise<Keys> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  }
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  return keysOf(
    'rsa',
    await spkiOf(pair.publicKey),
    sequence(oid('1.2.840.113549.1.1.11'), nothing()),
    async (bytes) => new Uint8Array(await crypto.subtle.sign(algorithm.name, pair.privateKey, copyOf(bytes))),
  )
}

async function makeEcKeys(): Promise<Keys> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  return keysOf(
    'p-256',
    await spkiOf(pair.publicKey),
    sequence(oid('1.2.840.10045.4.3.2')),
    async (bytes) => {
      const rs = new Uint8Array(await crypto.subtle.sign(algorithm, pair.privateKey, copyOf(bytes)))
      return sequence(unsignedInteger(rs.subarray(0, 32)), unsignedInteger(rs.subarray(32)))
    },
  )
}

async function spkiOf(key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('spki', key))
}

export type GostKind = KeyKind & `gost-${string}`

type GostProfile = {
  curve: CurveName
  hash: GostHash
  wire: GostWire
  /** AlgorithmIdentifiers of the key and of the signature. */
  key: Bytes
  signature: Bytes
}

export const gostProfiles: Record<GostKind, GostProfile> = {
  'gost-kz-512': {
    curve: 'tc26-512-a',
    hash: 'streebog-512',
    wire: 'kz',
    key: keyAlgorithm('1.2.398.3.10.1.1.2.2', '1.2.398.3.10.1.1.2.2.1', '1.2.398.3.10.1.3.3'),
    signature: sequence(oid('1.2.398.3.10.1.1.2.3.2'), nothing()),
  },
  'gost-kz-2004': {
    curve: 'cryptopro-a',
    hash: 'gost-34.311',
    wire: 'kz',
    key: keyAlgorithm('1.2.398.3.10.1.1.1.1', '1.2.398.3.10.1.1.1.1.1', '1.2.398.3.10.1.3.1.1.0'),
    signature: sequence(oid('1.2.398.3.10.1.1.1.2'), nothing()),
  },
  'gost-ru-256': {
    curve: 'cryptopro-a',
    hash: 'streebog-256',
    wire: 'ru',
    key: keyAlgorithm('1.2.643.7.1.1.1.1', '1.2.643.2.2.35.1', '1.2.643.7.1.1.2.2'),
    signature: sequence(oid('1.2.643.7.1.1.3.2')),
  },
}

function keyAlgorithm(key: string, curve: string, hash: string): Bytes {
  return sequence(oid(key), sequence(oid(curve), oid(hash)))
}

export function gostPrivateKey(kind: GostKind, seed: string): bigint {
  return numberFrom(kind, new TextEncoder().encode(seed))
}

export function gostKeys(kind: GostKind, privateKey: bigint): Keys {
  const { curve, hash: hashName, wire, key, signature } = gostProfiles[kind]
  const point = encodePoint(curve, publicPoint(curve, privateKey))
  const publicKey = sequence(key, bitString(octetString(point)))
  return keysOf(kind, publicKey, signature, async (bytes) => {
    const digest = hash(hashName, bytes)
    const seed = joined([toLittleEndian(privateKey, 64), digest])
    const signed = signGost(curve, privateKey, digest, numberFrom(kind, seed), wire)
    if (!signed) throw new RangeError('The nonce does not suit')
    return signed
  })
}

/** From 1 to q - 1, the same for the same seed. */
function numberFrom(kind: GostKind, seed: Uint8Array): bigint {
  return (fromBigEndian(hash('sha-512', seed)) % (curves[gostProfiles[kind].curve].q - 1n)) + 1n
}

function keysOf(kind: KeyKind, publicKey: Bytes, signatureAlgorithm: Bytes, sign: Keys['sign']): Keys {
  return { kind, publicKey, keyId: keyIdOf(publicKey), signatureAlgorithm, sign }
}

function keyIdOf(publicKey: Uint8Array): Bytes {
  const fields = inside(read(publicKey, tags.sequence))
  next(fields)
  return hash('sha-1', takeOctetsInBits(fields))
}

/** WebCrypto takes no view of shared memory. */
const copyOf = (bytes: Uint8Array) => new Uint8Array(bytes)
