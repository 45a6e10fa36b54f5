/**
 * Object identifiers of the algorithms, of Kazakhstan (arc 1.2.398.3.10) and of Russia (1.2.643), with their
 * differences: the byte order of a signature and the substitution box of the old hash.
 */
import type { CurveName } from './curves.ts'
import type { HashName } from './hash.ts'
import type { GostWire } from './gost.ts'
import type { GostHash, SignatureAlgorithm } from './verify.ts'
import type { NistCurve } from './web-crypto.ts'

export const digestOids: Record<string, HashName> = {
  '1.3.14.3.2.26': 'sha-1',
  '2.16.840.1.101.3.4.2.1': 'sha-256',
  '2.16.840.1.101.3.4.2.2': 'sha-384',
  '2.16.840.1.101.3.4.2.3': 'sha-512',
  '1.2.398.3.10.1.3.1': 'gost-34.311',
  '1.3.6.1.4.1.6801.1.2.1': 'gost-34.311',
  '1.2.398.3.10.1.3.2': 'streebog-256',
  '1.2.398.3.10.1.3.3': 'streebog-512',
  '1.2.643.2.2.9': 'gost-34.11-94',
  '1.2.643.7.1.1.2.2': 'streebog-256',
  '1.2.643.7.1.1.2.3': 'streebog-512',
}

/** Parameter sets as written in a public key. */
export const curveOids: Record<string, CurveName> = {
  '1.2.398.3.10.1.1.1.1.1': 'cryptopro-a',
  '1.2.398.3.10.1.1.2.1.1': 'tc26-256-a',
  '1.2.398.3.10.1.1.2.2.1': 'tc26-512-a',
  '1.2.643.2.2.35.1': 'cryptopro-a',
  '1.2.643.2.2.35.2': 'cryptopro-b',
  '1.2.643.2.2.35.3': 'cryptopro-c',
  // sets for key exchange: the same numbers as A and C
  '1.2.643.2.2.36.0': 'cryptopro-a',
  '1.2.643.2.2.36.1': 'cryptopro-c',
  '1.2.643.7.1.2.1.1.1': 'tc26-256-a',
  '1.2.643.7.1.2.1.1.2': 'cryptopro-a',
  '1.2.643.7.1.2.1.1.3': 'cryptopro-b',
  '1.2.643.7.1.2.1.1.4': 'cryptopro-c',
  '1.2.643.7.1.2.1.2.1': 'tc26-512-a',
  '1.2.643.7.1.2.1.2.2': 'tc26-512-b',
  '1.2.643.7.1.2.1.2.3': 'tc26-512-c',
}

export const nistCurveOids: Record<string, NistCurve> = {
  '1.2.840.10045.3.1.7': 'p-256',
  '1.3.132.0.34': 'p-384',
}

/**
 * Signature algorithms that are complete by themselves. RSASSA-PSS (1.2.840.113549.1.1.10) has parameters, and a bare
 * key algorithm in place of a signature algorithm leaves the hash to the digest algorithm: see keyOids.
 */
export const signatureOids: Record<string, SignatureAlgorithm> = {
  '1.2.840.113549.1.1.5': { kind: 'rsa-pkcs1', hash: 'sha-1' },
  '1.2.840.113549.1.1.11': { kind: 'rsa-pkcs1', hash: 'sha-256' },
  '1.2.840.113549.1.1.12': { kind: 'rsa-pkcs1', hash: 'sha-384' },
  '1.2.840.113549.1.1.13': { kind: 'rsa-pkcs1', hash: 'sha-512' },
  '1.2.840.10045.4.1': { kind: 'ecdsa', hash: 'sha-1' },
  '1.2.840.10045.4.3.2': { kind: 'ecdsa', hash: 'sha-256' },
  '1.2.840.10045.4.3.3': { kind: 'ecdsa', hash: 'sha-384' },
  '1.2.840.10045.4.3.4': { kind: 'ecdsa', hash: 'sha-512' },
  '1.2.398.3.10.1.1.1.2': { kind: 'gost', hash: 'gost-34.311', wire: 'kz' },
  '1.3.6.1.4.1.6801.1.2.2': { kind: 'gost', hash: 'gost-34.311', wire: 'kz' },
  '1.2.398.3.10.1.1.2.3.1': { kind: 'gost', hash: 'streebog-256', wire: 'kz' },
  '1.2.398.3.10.1.1.2.3.2': { kind: 'gost', hash: 'streebog-512', wire: 'kz' },
  '1.2.643.2.2.3': { kind: 'gost', hash: 'gost-34.11-94', wire: 'ru' },
  '1.2.643.7.1.1.3.2': { kind: 'gost', hash: 'streebog-256', wire: 'ru' },
  '1.2.643.7.1.1.3.3': { kind: 'gost', hash: 'streebog-512', wire: 'ru' },
}

/**
 * Public key algorithms. Some software also writes them as the signature algorithm of a signer (the national C library
 * for 2004, everyone for RSA); the hash is then that of the signer's digest algorithm. A GOST key signs with one hash
 * and one byte order; the same point under another identifier is another key.
 */
export const keyOids: Record<
  string,
  { kind: 'rsa' } | { kind: 'ec' } | { kind: 'gost'; bits: 256 | 512; wire: GostWire; hash: GostHash }
> = {
  '1.2.840.113549.1.1.1': { kind: 'rsa' },
  '1.2.840.10045.2.1': { kind: 'ec' },
  '1.2.398.3.10.1.1.1.1': { kind: 'gost', bits: 256, wire: 'kz', hash: 'gost-34.311' },
  '1.3.6.1.4.1.6801.1.5.8': { kind: 'gost', bits: 256, wire: 'kz', hash: 'gost-34.311' },
  '1.2.398.3.10.1.1.2.1': { kind: 'gost', bits: 256, wire: 'kz', hash: 'streebog-256' },
  '1.2.398.3.10.1.1.2.2': { kind: 'gost', bits: 512, wire: 'kz', hash: 'streebog-512' },
  '1.2.643.2.2.19': { kind: 'gost', bits: 256, wire: 'ru', hash: 'gost-34.11-94' },
  '1.2.643.7.1.1.1.1': { kind: 'gost', bits: 256, wire: 'ru', hash: 'streebog-256' },
  '1.2.643.7.1.1.1.2': { kind: 'gost', bits: 512, wire: 'ru', hash: 'streebog-512' },
}
