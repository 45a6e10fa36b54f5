/**
 * Keys and everything made with them (PKCS#12, signatures, certificates, responses of a centre), for the stand-ins
 * and tests only. Verifying code imports nothing from this folder. The running time of its GOST signatures depends on
 * the key, which a signer of real keys must avoid. Keys are of every kind used in Kazakhstan, and of the Russian
 * kinds, which other software can check.
 */
import { curves, type CurveName } from '../algorithms/curves.ts'
import { hash, type HashName } from '../algorithms/hash.ts'
import { fromLittleEndian, toLittleEndian } from '../algorithms/numbers.ts'
import { curveOids } from '../algorithms/oids.ts'
import { inside, next, read, tags } from '../asn1/read.ts'
import { joined, takeOctetsInBits } from '../asn1/values.ts'
import { bitString, integer, nothing, octetString, oid, sequence, unsignedInteger } from '../asn1/write.ts'
import { digestIdentifier } from '../certificates/algorithm-identifier.ts'
import { gostForms, gostKinds, type GostForm, type GostKind } from './gost-forms.ts'
import { encodePoint, publicPoint, signGost } from './gost.ts'

export type Bytes = Uint8Array<ArrayBuffer>

export type KeyKind = 'rsa' | 'p-256' | GostKind

export const keyKinds: readonly KeyKind[] = ['rsa', 'p-256', ...gostKinds]

export type SigningKey = {
  kind: KeyKind
  /** SubjectPublicKeyInfo. */
  publicKey: Bytes
  /** SHA-1 of the key's bits, as used in key identifiers and OCSP's CertID. */
  keyId: Bytes
  /** The hash that the key signs with; the identifiers are those that the centres write. */
  hash: HashName
  digestAlgorithm: Bytes
  signatureAlgorithm: Bytes
  /** Signs bytes; the value is encoded as in certificates and in CMS. */
  sign: (bytes: Uint8Array) => Promise<Bytes>
  /** The private key as PKCS#8. */
  pkcs8: Bytes
}

export async function generateKey(kind: KeyKind, { rsaBits = 2048 } = {}): Promise<SigningKey> {
  if (kind === 'rsa') {
    const algorithm = { ...rsaAlgorithm, modulusLength: rsaBits, publicExponent: Uint8Array.of(1, 0, 1) }
    return fromPair(kind, await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']))
  }
  if (kind === 'p-256') {
    return fromPair(kind, await crypto.subtle.generateKey(ecAlgorithm, true, ['sign', 'verify']))
  }
  return gostKey(kind, numberBelow(curveOf(kind), crypto.getRandomValues(new Uint8Array(64))))
}

const rsaAlgorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const ecAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function fromPair(kind: 'rsa' | 'p-256', pair: CryptoKeyPair): Promise<SigningKey> {
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))
  return webKey(kind, new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)), pkcs8)
}

/** A key that signs with WebCrypto. */
export function webKey(kind: 'rsa' | 'p-256', publicKey: Bytes, pkcs8: Bytes): SigningKey {
  const algorithm = kind === 'rsa' ? rsaAlgorithm : ecAlgorithm
  return {
    kind,
    publicKey,
    keyId: keyIdOf(publicKey),
    hash: 'sha-256',
    digestAlgorithm: digestIdentifier('sha-256'),
    signatureAlgorithm:
      kind === 'rsa' ? withNull('1.2.840.113549.1.1.11') : sequence(oid('1.2.840.10045.4.3.2')),
    async sign(bytes) {
      const imported = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
      const value = new Uint8Array(await crypto.subtle.sign(algorithm, imported, new Uint8Array(bytes)))
      if (kind === 'rsa') return value
      return sequence(unsignedInteger(value.subarray(0, 32)), unsignedInteger(value.subarray(32)))
    },
    pkcs8,
  }
}

/** A GOST key with the given private number, on the usual curve of its kind. */
export function gostKey(kind: GostKind, secret: bigint): SigningKey {
  const form = gostForms[kind]
  const parameters = kind === 'gost-kz-gamma' ? nothing() : sequence(oid(form.curve), oid(form.beside))
  return gostKeyOn(kind, curveOf(kind), secret, sequence(oid(form.key), parameters))
}

export function gostKeyOn(
  kind: GostKind,
  curve: CurveName,
  secret: bigint,
  algorithm: Uint8Array,
): SigningKey {
  const form = gostForms[kind]
  // RFC 9215 leaves the parameters out; under national identifiers they are NULL
  const identifier = form.wire === 'kz' ? withNull : (dotted: string) => sequence(oid(dotted))
  const point = encodePoint(curve, publicPoint(curve, secret))
  const bits = kind === 'gost-kz-gamma' ? joined([gammaHeader, point]) : octetString(point)
  const publicKey = sequence(algorithm, bitString(bits))
  return {
    kind,
    publicKey,
    keyId: keyIdOf(publicKey),
    hash: form.hash,
    digestAlgorithm: identifier(form.digest),
    signatureAlgorithm: identifier(form.signature),
    sign: async (bytes) => signed(form, curve, secret, hash(form.hash, bytes)),
    pkcs8: sequence(integer(0), algorithm, octetString(writeSecret(form, curve, secret))),
  }
}

const gammaHeader = Uint8Array.of(6, 2, 0, 0, 0x3a, 0xaa, 0, 0, 0, 0x45, 0x43, 0x31, 0, 2, 0, 0)

/** The nonce is derived from key and digest: different digests never share one, and signing is deterministic. */
function signed({ wire }: GostForm, curve: CurveName, secret: bigint, digest: Uint8Array): Bytes {
  const seed = joined([toLittleEndian(secret, 64), digest])
  for (let attempt = 0; ; attempt++) {
    const nonce = numberBelow(curve, hash('streebog-512', joined([Uint8Array.of(attempt), seed])))
    const value = signGost(curve, secret, digest, nonce, wire)
    if (value) return value
  }
}

/**
 * A number from 1 to q - 1, from a seed. It is reduced from a longer number, because otherwise small values would be
 * likelier.
 */
export function numberBelow(curve: CurveName, seed: Uint8Array): bigint {
  const spread = joined([hash('sha-512', seed), hash('streebog-512', seed)])
  return (fromLittleEndian(spread) % (curves[curve].q - 1n)) + 1n
}

function writeSecret(form: GostForm, curve: CurveName, secret: bigint): Bytes {
  const littleEndian = toLittleEndian(secret, curves[curve].bits / 8)
  switch (form.secret) {
    case 'little-endian octets':
      return octetString(littleEndian)
    case 'integer':
      return unsignedInteger(littleEndian.toReversed())
    case 'versioned big-endian octets':
      return sequence(integer(1), octetString(littleEndian.toReversed()))
  }
}

export function curveOf(kind: GostKind): CurveName {
  return curveOids[gostForms[kind].curve]!
}

function keyIdOf(publicKey: Uint8Array): Bytes {
  const fields = inside(read(publicKey, tags.sequence))
  next(fields)
  return hash('sha-1', takeOctetsInBits(fields))
}

/** AlgorithmIdentifier with NULL for parameters. */
export const withNull = (dotted: string): Bytes => sequence(oid(dotted), nothing())
