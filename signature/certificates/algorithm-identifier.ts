/** AlgorithmIdentifier: the algorithm, and whether its parameters are valid. */
import { digestOids, keyOids, signatureOids } from '../algorithms/oids.ts'
import type { HashName } from '../algorithms/hash.ts'
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
  return readAlgorithm(take(cursor, tags.sequence))
}

/** An element whose content is that of an AlgorithmIdentifier, under whichever tag. */
export function readAlgorithm(element: Element): AlgorithmIdentifier {
  const fields = inside(element)
  const oid = takeOid(fields)
  const parameters = isAtEnd(fields) ? null : next(fields)
  finish(fields)
  return { oid, parameters, der: element.whole }
}

/** The national centre's CRLs have no parameters inside and NULL outside, which means the same. */
export function isSameAlgorithm(one: AlgorithmIdentifier, other: AlgorithmIdentifier): boolean {
  if (hasNoParameters(one.parameters) && hasNoParameters(other.parameters)) return one.oid === other.oid
  return isSame(one.der, other.der)
}

/** Null where the hash is unknown. */
export function digestAlgorithmOf({ oid, parameters }: AlgorithmIdentifier): HashName | null {
  return hasNoParameters(parameters) ? (digestOids[oid] ?? null) : null
}

/** Uses the national identifier where there is one. */
export function digestIdentifier(name: HashName): Uint8Array<ArrayBuffer> {
  return sequence(oid(oidOfDigest.get(name)!), nothing())
}

/** The first of several identifiers of a hash, which is the national one. */
const oidOfDigest = new Map(
  Object.entries(digestOids)
    .toReversed()
    .map(([dotted, name]) => [name, dotted]),
)

/**
 * Null where the algorithm is unknown, or contradicts the signer's digest algorithm (which exists in a CMS and not in a
 * certificate).
 */
export function signatureAlgorithmOf(
  identifier: AlgorithmIdentifier,
  beside?: HashName,
): SignatureAlgorithm | null {
  const algorithm =
    identifier.oid === rsaPss ? pssOf(identifier) : (plainOf(identifier) ?? bareOf(identifier, beside))
  return algorithm && (beside === undefined || algorithm.hash === beside) ? algorithm : null
}

/** Whether the algorithm is one of ours, though it may not fit the digest algorithm beside it. */
export function isKnownAlgorithm(identifier: AlgorithmIdentifier): boolean {
  return signatureAlgorithmOf(identifier) !== null || identifier.oid in keyOids
}

const rsaPss = '1.2.840.113549.1.1.10'
const mgf1 = '1.2.840.113549.1.1.8'

function plainOf({ oid, parameters }: AlgorithmIdentifier): SignatureAlgorithm | null {
  return hasNoParameters(parameters) ? (signatureOids[oid] ?? null) : null
}

/** A key algorithm in place of a signature algorithm: the hash is the one of the digest algorithm. */
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
      // a key of another family has another identifier and thus another algorithm, even if the length is the same
      return beside === key.hash ? { kind: 'gost', hash: key.hash, wire: key.wire } : null
    }
  }
}

type ShaHash = Exclude<HashName, GostHash>

/** RSASSA-PSS-params with a mask by the same hash and the usual trailer. */
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

/** Absent or NULL: both occur and mean the same. */
function hasNoParameters(parameters: Element | null): boolean {
  return parameters === null || (parameters.tag === tags.null && parameters.content.length === 0)
}
