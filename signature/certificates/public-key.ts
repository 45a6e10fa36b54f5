/** SubjectPublicKeyInfo, in every form used in Kazakhstan. */
import { curves, type CurveName } from '../algorithms/curves.ts'
import { curveOids, keyOids, nistCurveOids } from '../algorithms/oids.ts'
import type { PublicKey } from '../algorithms/verify.ts'
import { finish, inside, isAtEnd, MalformedError, read, tags, take, type Element } from '../asn1/read.ts'
import { isSame, oidOf, takeInteger, takeOctetsInBits, takeOid } from '../asn1/values.ts'
import { takeAlgorithm, type AlgorithmIdentifier } from './algorithm-identifier.ts'

export type PublicKeyInfo = {
  der: Uint8Array
  algorithm: AlgorithmIdentifier
  /** The input of key identifiers and of OCSP's CertID: the bits without the count of unused ones. */
  bits: Uint8Array
  /** Null where the algorithm, the curve or the form is unknown. Whether the key is sound is checked by verify. */
  key: PublicKey | null
}

export function publicKeyInfoOf(element: Element): PublicKeyInfo {
  const fields = inside(element)
  const algorithm = takeAlgorithm(fields)
  const bits = takeOctetsInBits(fields)
  finish(fields)
  return { der: element.whole, algorithm, bits, key: keyOf(algorithm, bits) }
}

function keyOf(algorithm: AlgorithmIdentifier, bits: Uint8Array): PublicKey | null {
  try {
    return readKey(algorithm, bits)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

function readKey({ oid, parameters }: AlgorithmIdentifier, bits: Uint8Array): PublicKey | null {
  const kind = keyOids[oid]
  switch (kind?.kind) {
    case undefined:
      return null
    case 'rsa': {
      const fields = inside(read(bits, tags.sequence))
      const modulus = takeInteger(fields)
      const exponent = takeInteger(fields)
      finish(fields)
      return { kind: 'rsa', modulus, exponent }
    }
    case 'ec': {
      const curve = parameters?.tag === tags.oid ? nistCurveOids[oidOf(parameters.content)] : undefined
      return curve ? { kind: 'ec', curve, point: bits } : null
    }
    case 'gost': {
      const signsWith = { hash: kind.hash, wire: kind.wire }
      if (oid === gammaKey) return gammaKeyOf(bits, signsWith)
      const curve = gostCurveOf(parameters, kind.bits)
      return curve && { kind: 'gost', curve, point: read(bits, tags.octetString).content, signsWith }
    }
  }
}

/** The curve; a hash and a cipher may follow, which are irrelevant for signatures. */
function gostCurveOf(parameters: Element | null, bits: 256 | 512): CurveName | null {
  if (parameters?.tag !== tags.sequence) return null
  const fields = inside(parameters)
  const curve = curveOids[takeOid(fields)]
  while (!isAtEnd(fields)) take(fields, tags.oid)
  return curve && curves[curve].bits === bits ? curve : null
}

/** The form before 2004: a header of its own in place of an octet string, and one curve only. */
const gammaKey = '1.3.6.1.4.1.6801.1.5.8'
const gammaHeader = Uint8Array.of(6, 2, 0, 0, 0x3a, 0xaa, 0, 0, 0, 0x45, 0x43, 0x31, 0, 2, 0, 0)

function gammaKeyOf(
  bits: Uint8Array,
  signsWith: NonNullable<(PublicKey & { kind: 'gost' })['signsWith']>,
): PublicKey | null {
  return isSame(bits.subarray(0, 16), gammaHeader)
    ? { kind: 'gost', curve: 'cryptopro-a', point: bits.subarray(16), signsWith }
    : null
}
