/**
 * Key files (PKCS#12, RFC 7292): those of the national centre, which use BER and encrypt the certificate with 40-bit
 * RC2, and those that other programs write today.
 *
 *   PFX ── authSafe ── data ──┬─ data ──────────── bags ── shrouded key
 *       └─ MAC                └─ encryptedData ─── bags ── certificate
 */
import { hash, type HashName } from '../algorithms/hash.ts'
import {
  elements,
  inside,
  isAtEnd,
  MalformedError,
  next,
  primitive,
  read,
  tags,
  take,
  takeExplicit,
  takeIf,
  type Cursor,
  type Element,
} from '../asn1/read.ts'
import { isSame, joined, octetsOf, smallInteger, takeOid, takeSmallInteger, textOf } from '../asn1/values.ts'
import { element, explicit, integer, octetString, oid, sequence, setOf } from '../asn1/write.ts'
import { digestAlgorithmOf, takeAlgorithm } from '../certificates/algorithm-identifier.ts'
import { readCertificate, type Certificate } from '../certificates/certificate.ts'
import { withNull, type Bytes, type SigningKey } from './keys.ts'
import {
  decrypt,
  derived,
  encrypt,
  passwordOf,
  UnsupportedError,
  usualIterations,
  utf16,
  type Password,
} from './password.ts'
import { readPrivateKey } from './pkcs8.ts'

export type OpenedPkcs12 = {
  /** Keys with their certificates; keys of unknown algorithms are left out. */
  entries: Pkcs12Entry[]
  /** All certificates in the file, including those of centres. */
  certificates: Certificate[]
}

export type Pkcs12Entry = { key: SigningKey; certificate: Certificate | null; friendlyName: string | null }

export type Pkcs12Result =
  | { outcome: 'opened'; contents: OpenedPkcs12 }
  | { outcome: 'wrong-password' }
  /** Not a PKCS#12, or damaged. */
  | { outcome: 'malformed' }
  /** The file may be sound, but it uses algorithms that are not supported here. */
  | { outcome: 'unsupported' }

const oids = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
  x509Certificate: '1.2.840.113549.1.9.22.1',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  sha1: '1.3.14.3.2.26',
}

/** A person's file takes two to six kilobytes. */
const maxLength = 256 * 1024
const maxBags = 64

export async function openPkcs12(bytes: Uint8Array, password: string): Promise<Pkcs12Result> {
  try {
    const contents = await readPkcs12(bytes, passwordOf(password))
    return contents ? { outcome: 'opened', contents } : { outcome: 'wrong-password' }
  } catch (error) {
    if (error instanceof MalformedError) return { outcome: 'malformed' }
    if (error instanceof UnsupportedError) return { outcome: 'unsupported' }
    throw error
  }
}

/** Null: the password is wrong. */
async function readPkcs12(bytes: Uint8Array, password: Password): Promise<OpenedPkcs12 | null> {
  if (bytes.length > maxLength) throw new MalformedError('The file is too long')
  const fields = inside(read(bytes, tags.sequence, 'ber'))
  if (takeSmallInteger(fields) !== 3) throw new MalformedError('No such version of PKCS#12')
  const { type, content } = takeContentInfo(fields)
  if (type !== oids.data) throw new UnsupportedError('Signed in place of a MAC')
  const authSafe = octetsOf(next(content))
  const mac = takeIf(fields, tags.sequence)
  if (mac && !isMacRight(mac, authSafe, password)) return null

  const bags: Bag[] = []
  for (const item of elements(read(authSafe, tags.sequence, 'ber'))) {
    const contents = await safeContentsOf(item, password)
    if (!contents) return null
    for (const bag of elements(read(contents, tags.sequence, 'ber'))) bags.push(readBag(bag))
    if (bags.length > maxBags) throw new MalformedError('Too many bags')
  }
  return openBags(bags, password)
}

function takeContentInfo(cursor: Cursor): { type: string; content: Cursor } {
  const fields = inside(take(cursor, tags.sequence))
  const type = takeOid(fields)
  const content = takeExplicit(fields, 0)
  if (!content) throw new MalformedError('No content')
  return { type, content }
}

function isMacRight(mac: Element, authSafe: Uint8Array, password: Password): boolean {
  const fields = inside(mac)
  const digestInfo = inside(take(fields, tags.sequence))
  const algorithm = takeAlgorithm(digestInfo)
  const expected = octetsOf(next(digestInfo))
  const salt = octetsOf(next(fields))
  const iterations = isAtEnd(fields) ? 1 : smallInteger(take(fields, tags.integer))
  const name = digestAlgorithmOf(algorithm)
  if (!name?.startsWith('sha-')) throw new UnsupportedError(`MAC ${algorithm.oid}`)
  return isSame(macOf(name, password, salt, iterations, authSafe), expected)
}

function macOf(
  name: HashName,
  password: Password,
  salt: Uint8Array,
  iterations: number,
  bytes: Uint8Array,
): Bytes {
  const blockLength = name === 'sha-384' || name === 'sha-512' ? 128 : 64
  const key = new Uint8Array(blockLength)
  const keyLength = hash(name, new Uint8Array()).length
  key.set(derived(name, password, 'mac', salt, iterations, keyLength))
  const inner = hash(name, joined([key.map((byte) => byte ^ 0x36), bytes]))
  return hash(name, joined([key.map((byte) => byte ^ 0x5c), inner]))
}

/** Null: the password is wrong. */
async function safeContentsOf(item: Element, password: Password): Promise<Uint8Array | null> {
  const { type, content } = takeContentInfo(cursorAt(item))
  if (type === oids.data) return octetsOf(next(content))
  if (type !== oids.encryptedData) throw new UnsupportedError(`Contents ${type}`)
  const fields = inside(take(content, tags.sequence))
  takeSmallInteger(fields)
  const info = inside(take(fields, tags.sequence))
  takeOid(info)
  const algorithm = takeAlgorithm(info)
  return decrypt(password, algorithm, octetsOf(next(info), primitive(0)))
}

function cursorAt(item: Element): Cursor {
  return { bytes: item.whole, at: 0, encoding: item.encoding, depth: item.depth }
}

type Bag = { type: string; value: Element; friendlyName: string | null }

function readBag(bag: Element): Bag {
  const fields = inside(bag)
  const type = takeOid(fields)
  const holder = takeExplicit(fields, 0)
  if (!holder) throw new MalformedError('An empty bag')
  const value = next(holder)
  const attributes = takeIf(fields, tags.set)
  return { type, value, friendlyName: attributes && friendlyNameIn(attributes) }
}

function friendlyNameIn(attributes: Element): string | null {
  for (const attribute of elements(attributes)) {
    const fields = inside(attribute)
    if (takeOid(fields) !== oids.friendlyName) continue
    const [value] = elements(take(fields, tags.set))
    return value ? textOf(value) : null
  }
  return null
}

async function openBags(bags: Bag[], password: Password): Promise<OpenedPkcs12 | null> {
  const certificates = bags.flatMap((bag) =>
    bag.type === oids.certificateBag ? certificateIn(bag.value) : [],
  )
  const entries: Pkcs12Entry[] = []
  for (const { type, value, friendlyName } of bags) {
    if (type !== oids.keyBag && type !== oids.shroudedKeyBag) continue
    const pkcs8 = type === oids.keyBag ? value.whole : await unshrouded(value, password)
    if (!pkcs8) return null
    const key = await readPrivateKey(pkcs8)
    // a key of an unknown algorithm does not affect the others
    if (!key) continue
    // matched by the key itself, because identifiers beside keys can be any text
    const certificate = certificates.find((one) => isSame(one.publicKey.bits, bitsOf(key)))
    entries.push({ key, certificate: certificate ?? null, friendlyName })
  }
  return { entries, certificates }
}

function certificateIn(value: Element): Certificate[] {
  const fields = inside(value)
  if (takeOid(fields) !== oids.x509Certificate) return []
  const holder = takeExplicit(fields, 0)
  if (!holder) throw new MalformedError('An empty bag')
  return [readCertificate(octetsOf(next(holder)))]
}

async function unshrouded(value: Element, password: Password): Promise<Uint8Array | null> {
  const fields = inside(value)
  const algorithm = takeAlgorithm(fields)
  return decrypt(password, algorithm, octetsOf(next(fields)))
}

function bitsOf({ publicKey }: SigningKey): Uint8Array {
  const [, bits] = elements(read(publicKey, tags.sequence))
  return bits!.content.subarray(1)
}

export type Pkcs12Parts = {
  key: SigningKey
  /** The key's own certificate first, then those of centres, if any. */
  certificates: readonly Uint8Array[]
  friendlyName: string
}

/**
 * As the national centre writes it (MAC by SHA-1, 1024 iterations, the key under 3DES), except that the certificate
 * is under 3DES, too: with 40-bit RC2, OpenSSL 3 would open the file only with its legacy provider.
 */
export function writePkcs12({ key, certificates, friendlyName }: Pkcs12Parts, password: string): Bytes {
  const own = setOf([
    attribute(oids.friendlyName, element(tags.bmpString, utf16(friendlyName))),
    attribute(oids.localKeyId, octetString(key.keyId)),
  ])
  const shrouded = encrypt(passwordOf(password), key.pkcs8)
  const keyBag = bag(oids.shroudedKeyBag, sequence(shrouded.algorithm, octetString(shrouded.hidden)), own)
  const certificateBags = certificates.map((der, i) => {
    const value = sequence(oid(oids.x509Certificate), explicit(0, octetString(der)))
    return bag(oids.certificateBag, value, ...(i === 0 ? [own] : []))
  })
  const authSafe = sequence(
    data(sequence(keyBag)),
    encryptedData(passwordOf(password), sequence(...certificateBags)),
  )
  const salt = crypto.getRandomValues(new Uint8Array(20))
  const mac = macOf('sha-1', passwordOf(password), salt, usualIterations, authSafe)
  return sequence(
    integer(3),
    data(authSafe),
    sequence(sequence(withNull(oids.sha1), octetString(mac)), octetString(salt), integer(usualIterations)),
  )
}

const bag = (type: string, value: Uint8Array, ...attributes: Uint8Array[]) =>
  sequence(oid(type), explicit(0, value), ...attributes)
const attribute = (type: string, value: Uint8Array) => sequence(oid(type), setOf([value]))
const data = (contents: Uint8Array) => sequence(oid(oids.data), explicit(0, octetString(contents)))

function encryptedData(password: Password, contents: Uint8Array): Bytes {
  const { algorithm, hidden } = encrypt(password, contents)
  const info = sequence(oid(oids.data), algorithm, element(primitive(0), hidden))
  return sequence(oid(oids.encryptedData), explicit(0, sequence(integer(0), info)))
}
