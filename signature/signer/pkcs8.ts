/** Parses private keys (PKCS#8), in all the forms that programs write. */
import { curves, type CurveName } from '../algorithms/curves.ts'
import { fromBigEndian, fromLittleEndian } from '../algorithms/numbers.ts'
import { curveOids } from '../algorithms/oids.ts'
import { finish, inside, MalformedError, read, tags, take, type Element } from '../asn1/read.ts'
import { joined, oidOf, takeInteger, takeOid, takeSmallInteger } from '../asn1/values.ts'
import { bitString, element, sequence } from '../asn1/write.ts'
import { takeAlgorithm, type AlgorithmIdentifier } from '../certificates/algorithm-identifier.ts'
import { gostForms, gostKinds, type GostKind } from './gost-forms.ts'
import { curveOf, gostKeyOn, webKey, withNull, type Bytes, type SigningKey } from './keys.ts'

const rsaKey = '1.2.840.113549.1.1.1'
const ecKey = '1.2.840.10045.2.1'
const p256 = '1.2.840.10045.3.1.7'

/** Null: the algorithm or the curve is not supported. */
export async function readPrivateKey(pkcs8: Uint8Array): Promise<SigningKey | null> {
  const fields = inside(read(pkcs8, tags.sequence))
  if (takeSmallInteger(fields) > 1) throw new MalformedError('No such version of private keys')
  const algorithm = takeAlgorithm(fields)
  const secret = take(fields, tags.octetString).content
  // attributes, and in the second version the public key, may follow; they are ignored
  if (algorithm.oid === rsaKey) return readRsaKey(pkcs8, secret)
  if (algorithm.oid === ecKey) return readEcKey(pkcs8, algorithm)
  const kind = gostKinds.find((one) => gostForms[one].key === algorithm.oid)
  return kind ? readGostKey(kind, algorithm, secret) : null
}

function readRsaKey(pkcs8: Uint8Array, secret: Uint8Array): SigningKey {
  const fields = inside(read(secret, tags.sequence))
  if (takeSmallInteger(fields) !== 0) throw new MalformedError('An RSA key of several primes')
  const modulus = element(tags.integer, takeInteger(fields))
  const exponent = element(tags.integer, takeInteger(fields))
  const publicKey = sequence(withNull(rsaKey), bitString(sequence(modulus, exponent)))
  return webKey('rsa', publicKey, new Uint8Array(pkcs8))
}

async function readEcKey(
  pkcs8: Uint8Array,
  { parameters, der }: AlgorithmIdentifier,
): Promise<SigningKey | null> {
  if (parameters?.tag !== tags.oid || oidOf(parameters.content) !== p256) return null
  const own = new Uint8Array(pkcs8)
  const point = joined([Uint8Array.of(4), ...(await ecPointOf(own))])
  return webKey('p-256', sequence(der, bitString(point)), own)
}

/** Computes the public point by WebCrypto, because the file may lack it. */
async function ecPointOf(pkcs8: Bytes): Promise<Bytes[]> {
  try {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const imported = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign'])
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', imported)
    return [x, y].map(fromBase64Url)
  } catch {
    throw new MalformedError('Not a key of this curve')
  }
}

function fromBase64Url(text: string): Bytes {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (character) => character.charCodeAt(0))
}

function readGostKey(kind: GostKind, algorithm: AlgorithmIdentifier, bytes: Uint8Array): SigningKey | null {
  const curve = kind === 'gost-kz-gamma' ? curveOf(kind) : curveIn(algorithm.parameters)
  if (!curve || curves[curve].bits !== curves[curveOf(kind)].bits) return null
  // OpenSSL's engine writes the bare number; a national INTEGER may happen to be as long
  const isBare = gostForms[kind].wire === 'ru' && bytes.length === curves[curve].bits / 8
  const secret = isBare ? fromLittleEndian(bytes) : readSecret(bytes)
  if (secret <= 0n || secret >= curves[curve].q) throw new MalformedError('Not a number of this curve')
  return gostKeyOn(kind, curve, secret, algorithm.der)
}

function curveIn(parameters: Element | null): CurveName | undefined {
  return parameters?.tag === tags.sequence ? curveOids[takeOid(inside(parameters))] : undefined
}

/**
 * Recognises the encoding by the content, not by the kind of key: older and newer programs encode the same kind
 * differently.
 */
function readSecret(bytes: Uint8Array): bigint {
  const holder = read(bytes)
  switch (holder.tag) {
    case tags.octetString:
      return fromLittleEndian(holder.content)
    case tags.integer:
      // some programs omit the leading zero byte that keeps the number positive, and no key is negative
      return fromBigEndian(holder.content)
    case tags.sequence: {
      const fields = inside(holder)
      if (takeSmallInteger(fields) !== 1) throw new MalformedError('No such version of private keys')
      const secret = take(fields, tags.octetString).content
      finish(fields)
      return fromBigEndian(secret)
    }
    default:
      throw new MalformedError('Not a private key')
  }
}
