/**
 * Decrypts streams of a PDF that opens without a password (ISO 32000-2, 7.6). Programs that restrict permissions
 * encrypt the file, and readers open it with the empty password.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { PdfDictionary, PdfValue } from './pdf-syntax.ts'

/** Decrypts the data of an object; null: it cannot be decrypted. */
export type Decrypt = (data: Buffer, number: number | null, generation: number) => Buffer | null

type Method = 'rc4' | 'aes-128' | 'aes-256' | 'none'

/** Null: the file does not open without a password, or is encrypted in an unknown way. */
export function decryptionOf(dictionary: PdfDictionary, identifier: Buffer): Decrypt | null {
  const version = numberOf(dictionary.get('V'))
  const method = methodOf(dictionary, version)
  if (method === 'none') return (data) => data
  const key =
    method && (version === 5 ? keyOfRevision5Or6(dictionary) : keyBefore(dictionary, version, identifier))
  if (!method || !key) return null
  return (data, number, generation) => {
    if (method === 'aes-256') return fromAes('aes-256-cbc', key, data)
    if (number === null) return null
    const own = keyOfObject(key, number, generation, method)
    return method === 'rc4' ? rc4(own, data) : fromAes('aes-128-cbc', own, data)
  }
}

const numberOf = (value: PdfValue | undefined) => (value?.kind === 'number' ? value.value : Number.NaN)
const bytesOf = (value: PdfValue | undefined) => (value?.kind === 'string' ? value.bytes : Buffer.alloc(0))
const nameOf = (value: PdfValue | undefined) => (value?.kind === 'name' ? value.text : null)
const entriesOf = (value: PdfValue | undefined) => (value?.kind === 'dictionary' ? value.entries : null)

const methods: Record<string, Method> = { V2: 'rc4', AESV2: 'aes-128', AESV3: 'aes-256', None: 'none' }

function methodOf(dictionary: PdfDictionary, version: number): Method | null {
  if (version === 1 || version === 2) return 'rc4'
  if (version !== 4 && version !== 5) return null
  const filter = dictionary.get('StmF')
  if (filter === undefined || nameOf(filter) === 'Identity') return 'none'
  return methods[nameOf(filterNamed(dictionary, nameOf(filter))?.get('CFM')) ?? 'None'] ?? null
}

function filterNamed(dictionary: PdfDictionary, name: string | null): PdfDictionary | null {
  return name === null ? null : entriesOf(entriesOf(dictionary.get('CF'))?.get(name))
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** Algorithms 2, 4 and 5. */
function keyBefore(dictionary: PdfDictionary, version: number, identifier: Buffer): Buffer | null {
  const revision = numberOf(dictionary.get('R'))
  const length = keyLength(dictionary, version)
  if (length === null) return null
  const flags = Buffer.alloc(4)
  flags.writeInt32LE(permissionsIn(dictionary.get('P')))
  const isMetadataPlain = revision >= 4 && keyword(dictionary.get('EncryptMetadata')) === 'false'
  let key = md5(
    padding,
    bytesOf(dictionary.get('O')).subarray(0, 32),
    flags,
    identifier,
    isMetadataPlain ? Buffer.alloc(4, 0xff) : Buffer.alloc(0),
  )
  if (revision >= 3) for (let i = 0; i < 50; i++) key = md5(key.subarray(0, length))
  key = key.subarray(0, length)
  const expected = bytesOf(dictionary.get('U'))
  if (revision < 3) return rc4(key, padding).equals(expected.subarray(0, 32)) ? key : null
  let check = md5(padding, identifier)
  for (let i = 0; i < 20; i++) check = rc4(Buffer.from(key.map((byte) => byte ^ i)), check)
  return check.equals(expected.subarray(0, 16)) ? key : null
}

const keyword = (value: PdfValue | undefined) => (value?.kind === 'keyword' ? value.text : null)

/** Some programs write the permissions without their sign. */
function permissionsIn(value: PdfValue | undefined): number {
  return value?.kind === 'number' ? value.value | 0 : 0
}

function keyLength(dictionary: PdfDictionary, version: number): number | null {
  if (version === 4) return 16
  const stated = dictionary.get('Length')
  const bits = stated === undefined ? 40 : numberOf(stated)
  return bits >= 40 && bits <= 128 && bits % 8 === 0 ? bits / 8 : null
}

/** Algorithm 2.A, for the empty password. */
function keyOfRevision5Or6(dictionary: PdfDictionary): Buffer | null {
  const user = bytesOf(dictionary.get('U'))
  const encrypted = bytesOf(dictionary.get('UE')).subarray(0, 32)
  if (user.length < 48 || encrypted.length < 32) return null
  const hash = numberOf(dictionary.get('R')) === 5 ? sha256 : hashOfRevision6
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return null
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16))
  return decipher.setAutoPadding(false).update(encrypted)
}

const sha256 = (salt: Buffer) => createHash('sha256').update(salt).digest()

/** Algorithm 2.B, for the empty password. */
function hashOfRevision6(salt: Buffer): Buffer {
  let key = sha256(salt)
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32))
    const encrypted = cipher.setAutoPadding(false).update(Buffer.concat(Array<Buffer>(64).fill(key)))
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = createHash(['sha256', 'sha384', 'sha512'][remainder]!).update(encrypted).digest()
    last = encrypted.at(-1)!
  }
  return key.subarray(0, 32)
}

/** Algorithm 1. */
function keyOfObject(key: Buffer, number: number, generation: number, method: 'rc4' | 'aes-128'): Buffer {
  const place = Buffer.alloc(5)
  place.writeUIntLE(number % 0x1000000, 0, 3)
  place.writeUInt16LE(generation % 0x10000, 3)
  const own = md5(key, place, method === 'rc4' ? Buffer.alloc(0) : Buffer.from('sAlT'))
  return own.subarray(0, Math.min(key.length + 5, 16))
}

function fromAes(cipher: 'aes-128-cbc' | 'aes-256-cbc', key: Buffer, data: Buffer): Buffer | null {
  const length = data.length - (data.length % 16)
  if (length < 32) return null
  const plain = createDecipheriv(cipher, key, data.subarray(0, 16))
    .setAutoPadding(false)
    .update(data.subarray(16, length))
  const extra = plain.at(-1)!
  return extra >= 1 && extra <= 16 ? plain.subarray(0, plain.length - extra) : plain
}

function md5(...parts: Uint8Array[]): Buffer {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
  }
  const out = Buffer.alloc(data.length)
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255
    const one = state[i]!
    j = (j + one) & 255
    const other = state[j]!
    state[i] = other
    state[j] = one
    out[at] = data[at]! ^ state[(one + other) & 255]!
  }
  return out
}
