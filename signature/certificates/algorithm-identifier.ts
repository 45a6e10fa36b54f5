/** AlgorithmIdentifier: which algorithm, and whether its parameters are what they must be. */
import { digestOids, keyOids, signatureOids } from '../algorithms/oids.ts'
import { digestLength, type HashName } from '../algorithms/hash.ts'
import type { GostHash, SignatureAlgorithm } from '../algorithms/verify.ts'
import {
  finish,
  inside,
  isAtEnd,
  next,
  tags,
  take,
  takeExplicit,
  type Cursor,
  type Element,
} from '../asn1/read.ts'
import { isSame, takeOid, takeSmallInteger } from '../asn1/values.ts'
import { nothing, oid, sequence } from '../asn1/write.ts'

export type AlgorithmIdentifier = { oid: string; parameters: Element | null; der: Uint8Array }

export function takeAlgorithm(cursor: Cursor): AlgorithmIdentifier {
  const element = take(cursor, tags.sequence)
  const fields = inside(element)
  const oid = takeOid(fields)
  const parameters = isAtEnd(fields) ? null : next(fields)
  finish(fields)
  return { oid, parameters, der: element.whole }
}

/** The national centre's lists have no parameters inside and NULL outside, which says the same. */
export function isSameAlgorithm(one: AlgorithmIdentifier, other: AlgorithmIdentifier): boolean {
  if (hasNoParameters(one.parameters) && hasNoParameters(other.parameters)) return one.oid === other.oid
  return isSame(one.der, other.der)
}

/** Null where the hash is unknown to us. */
export function digestAlgorithmOf({ oid, parameters }: AlgorithmIdentifier): HashName | null {
  return hasNoParameters(parameters) ? (digestOids[oid] ?? null) : null
}

/** Under the country's own identifier where it has one. */
export function digestIdentifier(name: HashName): Uint8Array<ArrayBuffer> {
  return sequence(oid(oidOfDigest.get(name)!), nothing())
}

/** Of several identifiers of a hash the first, which is the national one. */
const oidOfDigest = new Map(
  Object.entries(digestOids)
    .toReversed()
    .map(([dotted, name]) => [name, dotted]),
)

/**
 * Null where the algorithm is unknown to us, or says something else than the signer's digest algorithm beside it (which
 * there is in a CMS and not in a certificate).
 */
export function signatureAlgorithmOf(
  identifier: AlgorithmIdentifier,
  beside?: HashName,
): SignatureAlgorithm | null {
  const algorithm =
    identifier.oid === rsaPss ? pssOf(identifier) : (plainOf(identifier) ?? bareOf(identifier, beside))
  return algorithm && (beside === undefined || algorithm.hash === beside) ? algorithm : null
}

const rsaPss = '1.2.840.113549.1.1.10'
const mgf1 = '1.2.840.113549.1.1.8'

function plainOf({ oid, parameters }: AlgorithmIdentifier): SignatureAlgorithm | null {
  return hasNoParameters(parameters) ? (signatureOids[oid] ?? null) : null
}

/** A key's algorithm in place of a signature's: the hash is the one beside it. */
function bareOf(
  { oid, parameters }: AlgorithmIdentifier,
  beside: HashName | undefined,
): SignatureAlgorithm | null {
  const key = keyOids[oid]
  if (!key || beside === undefined || !hasNoParameters(parameters)) return null
  const isSha = beside.startsWith('sha-')
  switch (key.kind) {
    case 'rsa':
      return isSha ? { kind: 'rsa-pkcs1', hash: beside as ShaHash } : null
    case 'ec':
      return isSha ? { kind: 'ecdsa', hash: beside as ShaHash } : null
    case 'gost': {
      const isFit = !isSha && digestLength(beside) * 8 === key.bits
      return isFit ? { kind: 'gost', hash: beside as GostHash, wire: key.wire } : null
    }
  }
}

type ShaHash = Exclude<HashName, GostHash>

/** RSASSA-PSS-params with the mask made by the same hash and the trailer everybody has. */
function pssOf({ parameters }: AlgorithmIdentifier): SignatureAlgorithm | null {
  if (parameters?.tag !== tags.sequence) return null
  const fields = inside(parameters)
  const hashField = takeExplicit(fields, 0)
  const maskField = takeExplicit(fields, 1)
  const saltField = takeExplicit(fields, 2)
  const trailerField = takeExplicit(fields, 3)
  finish(fields)
  const hash = hashField ? digestAlgorithmOf(takeAlgorithm(hashField)) : 'sha-1'
  if (!hash?.startsWith('sha-')) return null
  if (maskField) {
    const mask = takeAlgorithm(maskField)
    if (mask.oid !== mgf1 || mask.parameters?.tag !== tags.sequence) return null
    const maskHash = takeAlgorithm({ bytes: mask.parameters.whole, at: 0, encoding: 'der', depth: 0 })
    if (digestAlgorithmOf(maskHash) !== hash) return null
  } else if (hash !== 'sha-1') return null
  const saltLength = saltField ? takeSmallInteger(saltField) : 20
  if (trailerField && takeSmallInteger(trailerField) !== 1) return null
  return saltLength <= 512 ? { kind: 'rsa-pss', hash: hash as ShaHash, saltLength } : null
}

/** Absent or NULL: some write the one, some the other, and both mean the same. */
function hasNoParameters(parameters: Element | null): boolean {
  return parameters === null || (parameters.tag === tags.null && parameters.content.length === 0)
}
