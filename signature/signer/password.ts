/**
 * Password-based encryption of PKCS#12: its own schemes (RFC 7292, with 3DES and RC2) and the newer one (PBES2 of RFC
 * 8018, with AES) that other programs use.
 */
import { digestLength, hash, type HashName } from '../algorithms/hash.ts'
import { finish, inside, isAtEnd, MalformedError, tags, take, takeIf } from '../asn1/read.ts'
import { joined, smallInteger, takeSmallInteger } from '../asn1/values.ts'
import { integer, octetString, oid, sequence } from '../asn1/write.ts'
import { takeAlgorithm, type AlgorithmIdentifier } from '../certificates/algorithm-identifier.ts'
import type { Bytes } from './keys.ts'
import { decryptRc2 } from './rc2.ts'
import { decryptTripleDes, encryptTripleDes } from './triple-des.ts'

/** The maximum for a whole file. No program writes more, and a hostile file could otherwise cause hours of work. */
const maxIterations = 1_000_000

export type Password = { text: string; iterationsLeft: number }

export const passwordOf = (text: string): Password => ({ text, iterationsLeft: maxIterations })

/** The algorithm is not supported; the file may well be sound. */
export class UnsupportedError extends Error {}

/** Null: the password is wrong, or the bytes are damaged, which looks the same. */
export async function decrypt(
  password: Password,
  algorithm: AlgorithmIdentifier,
  hidden: Uint8Array,
): Promise<Uint8Array | null> {
  if (algorithm.oid === pbes2) return decryptPbes2(password, algorithm, hidden)
  const cipher = ownCiphers[algorithm.oid]
  if (!cipher) throw new UnsupportedError(`Encryption ${algorithm.oid}`)
  const { salt, iterations } = saltAndIterations(algorithm)
  const derive = (purpose: Purpose, length: number) =>
    derived('sha-1', password, purpose, salt, iterations, length)
  const [key, iv] = [derive('key', cipher.keyLength), derive('iv', 8)]
  return cipher.name === '3des'
    ? decryptTripleDes(key, iv, hidden)
    : decryptRc2(key, cipher.keyLength * 8, iv, hidden)
}

const ownCiphers: Record<string, { name: '3des' | 'rc2'; keyLength: number }> = {
  '1.2.840.113549.1.12.1.3': { name: '3des', keyLength: 24 },
  '1.2.840.113549.1.12.1.4': { name: '3des', keyLength: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2', keyLength: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2', keyLength: 5 },
}

/** Encrypts with algorithms that every program can open, even the newest OpenSSL without its legacy provider. */
export function encrypt(password: Password, plain: Uint8Array): { algorithm: Bytes; hidden: Bytes } {
  const salt = crypto.getRandomValues(new Uint8Array(20))
  const derive = (purpose: Purpose, length: number) =>
    derived('sha-1', password, purpose, salt, usualIterations, length)
  return {
    algorithm: sequence(
      oid('1.2.840.113549.1.12.1.3'),
      sequence(octetString(salt), integer(usualIterations)),
    ),
    hidden: encryptTripleDes(derive('key', 24), derive('iv', 8), plain),
  }
}

/** As in the national centre's files. */
export const usualIterations = 1024

function saltAndIterations({ parameters }: AlgorithmIdentifier): { salt: Uint8Array; iterations: number } {
  if (parameters?.tag !== tags.sequence) throw new MalformedError('No salt')
  const fields = inside(parameters)
  const salt = take(fields, tags.octetString).content
  const iterations = takeSmallInteger(fields)
  finish(fields)
  return { salt, iterations }
}

function spend(password: Password, iterations: number): void {
  if (iterations < 1) throw new MalformedError('No iterations')
  password.iterationsLeft -= iterations
  if (password.iterationsLeft < 0) throw new UnsupportedError('Too many iterations')
}

type Purpose = 'key' | 'iv' | 'mac'
const purposes: Record<Purpose, number> = { key: 1, iv: 2, mac: 3 }

/** Appendix B.2 of RFC 7292. */
export function derived(
  name: HashName,
  password: Password,
  purpose: Purpose,
  salt: Uint8Array,
  iterations: number,
  length: number,
): Bytes {
  const blockLength = name === 'sha-384' || name === 'sha-512' ? 128 : 64
  const diversifier = new Uint8Array(blockLength).fill(purposes[purpose])
  const text = joined([utf16(password.text), Uint8Array.of(0, 0)])
  const input = joined([repeated(salt, blockLength), repeated(text, blockLength)])
  const result = new Uint8Array(length)
  for (let at = 0; at < length; at += digestLength(name)) {
    spend(password, iterations)
    let block = hash(name, joined([diversifier, input]))
    for (let i = 1; i < iterations; i++) block = hash(name, block)
    result.set(block.subarray(0, length - at), at)
    const summand = repeated(block, blockLength)
    for (let start = 0; start < input.length; start += blockLength) addPlusOne(input, start, summand)
  }
  return result
}

/** Repeats the bytes until they fill whole blocks. */
function repeated(bytes: Uint8Array, blockLength: number): Bytes {
  const length = blockLength * Math.ceil(bytes.length / blockLength)
  return Uint8Array.from({ length }, (_, i) => bytes[i % bytes.length]!)
}

function addPlusOne(input: Uint8Array, start: number, summand: Uint8Array): void {
  let carry = 1
  for (let i = summand.length - 1; i >= 0; i--) {
    carry += input[start + i]! + summand[i]!
    input[start + i] = carry & 255
    carry >>= 8
  }
}

export function utf16(text: string): Bytes {
  const bytes = new Uint8Array(2 * text.length)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i))
  return bytes
}

const pbes2 = '1.2.840.113549.1.5.13'
const pbkdf2 = '1.2.840.113549.1.5.12'
const tripleDesCbc = '1.2.840.113549.3.7'

const aesKeyLengths: Record<string, number> = {
  '2.16.840.1.101.3.4.1.2': 16,
  '2.16.840.1.101.3.4.1.22': 24,
  '2.16.840.1.101.3.4.1.42': 32,
}

const hmacHashes: Record<string, string> = {
  '1.2.840.113549.2.7': 'SHA-1',
  '1.2.840.113549.2.9': 'SHA-256',
  '1.2.840.113549.2.10': 'SHA-384',
  '1.2.840.113549.2.11': 'SHA-512',
}

async function decryptPbes2(
  password: Password,
  { parameters }: AlgorithmIdentifier,
  hidden: Uint8Array,
): Promise<Uint8Array | null> {
  if (parameters?.tag !== tags.sequence) throw new MalformedError('No parameters')
  const fields = inside(parameters)
  const derivation = takeAlgorithm(fields)
  const cipher = takeAlgorithm(fields)
  finish(fields)
  const aesKeyLength = aesKeyLengths[cipher.oid]
  if (derivation.oid !== pbkdf2 || (!aesKeyLength && cipher.oid !== tripleDesCbc)) {
    throw new UnsupportedError(`Encryption ${derivation.oid} with ${cipher.oid}`)
  }
  if (cipher.parameters?.tag !== tags.octetString) throw new MalformedError('No initial block')
  const iv = new Uint8Array(cipher.parameters.content)
  if (iv.length !== (aesKeyLength ? 16 : 8)) throw new MalformedError('An initial block of another length')
  const key = await derivedByPbkdf2(password, derivation, aesKeyLength ?? 24)
  return aesKeyLength ? decryptAes(key, iv, hidden) : decryptTripleDes(key, iv, hidden)
}

async function derivedByPbkdf2(
  password: Password,
  { parameters }: AlgorithmIdentifier,
  length: number,
): Promise<Bytes> {
  if (parameters?.tag !== tags.sequence) throw new MalformedError('No parameters')
  const fields = inside(parameters)
  const salt = new Uint8Array(take(fields, tags.octetString).content)
  const iterations = takeSmallInteger(fields)
  const givenLength = takeIf(fields, tags.integer)
  if (givenLength && smallInteger(givenLength) !== length) throw new MalformedError('Another length of key')
  const hmac = isAtEnd(fields) ? '1.2.840.113549.2.7' : takeAlgorithm(fields).oid
  finish(fields)
  const hashName = hmacHashes[hmac]
  if (!hashName) throw new UnsupportedError(`Derivation by ${hmac}`)
  spend(password, iterations)
  const utf8 = new TextEncoder().encode(password.text)
  const base = await crypto.subtle.importKey('raw', utf8, 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: hashName, salt, iterations }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, base, length * 8))
}

async function decryptAes(key: Bytes, iv: Bytes, hidden: Uint8Array): Promise<Uint8Array | null> {
  const imported = await crypto.subtle.importKey('raw', key, 'AES-CBC', false, ['decrypt'])
  try {
    const plain = await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, imported, new Uint8Array(hidden))
    return new Uint8Array(plain)
  } catch {
    return null
  }
}
