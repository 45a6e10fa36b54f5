/**
 * Archive timestamps of CAdES (EN 319 122-1, 5.5.3: archive-time-stamp-v3). One covers the document's hash, the
 * signature and, by an index of hashes, all certificates, revocation data and unsigned attributes present at that
 * time; whatever is added later is not in the index and changes nothing.
 */
import { createHash, hash as hashOf, type HashName } from '../algorithms/hash.ts'
import {
  constructed,
  elements,
  finish,
  inside,
  MalformedError,
  peek,
  read,
  tags,
  take,
} from '../asn1/read.ts'
import { isSame, joined } from '../asn1/values.ts'
import { octetString, oid, sequence } from '../asn1/write.ts'
import { digestAlgorithmOf, digestIdentifier, takeAlgorithm } from '../certificates/algorithm-identifier.ts'
import { cmsOids, readSignedData, type Attribute, type SignedData, type SignerInfo } from './signed-data.ts'

export type HashIndex = {
  /** The index as encoded in the token, because it is hashed. */
  der: Uint8Array
  hash: HashName
  certificates: Uint8Array[]
  revocation: Uint8Array[]
  attributes: Uint8Array[]
  /** The older form hashes whole attributes, the newer one each of their values. */
  form: 'attributes' | 'values'
}

/** Null: the token has no index, so it is not an archive timestamp. */
export function indexOfToken(token: Uint8Array): HashIndex | null {
  const [signer] = readSignedData(token).signers
  const found = (signer?.unsignedAttributes ?? []).filter(({ oid: type }) => indexForms.has(type))
  const [attribute, ...more] = found
  if (!attribute) return null
  const [value, ...others] = attribute.values
  if (!value || others.length > 0 || more.length > 0)
    throw new MalformedError('More than one index of hashes')
  const fields = inside(read(value.whole, tags.sequence))
  // SHA-256 where the older form names none
  const isNamed = elements(value).length === 4
  const algorithm = isNamed ? digestAlgorithmOf(takeAlgorithm(fields)) : 'sha-256'
  if (!algorithm) throw new MalformedError('An unknown hash in the index')
  const list = () => elements(take(fields, tags.sequence)).map(({ content }) => content)
  const index: HashIndex = {
    der: value.whole,
    hash: algorithm,
    certificates: list(),
    revocation: list(),
    attributes: list(),
    form: indexForms.get(attribute.oid)!,
  }
  finish(fields)
  return index
}

const indexForms = new Map<string, HashIndex['form']>([
  [cmsOids.archiveHashIndex, 'attributes'],
  [cmsOids.archiveHashIndexV3, 'values'],
])

/** Whether everything that the index names is still there. */
export function isIndexKept(index: HashIndex, data: SignedData, signer: SignerInfo): boolean {
  const isThere = (named: readonly Uint8Array[], there: readonly Uint8Array[]) => {
    const hashes = there.map((one) => hashOf(index.hash, one))
    return named.every((one) => hashes.some((hash) => isSame(hash, one)))
  }
  return (
    isThere(index.certificates, data.certificateChoices) &&
    isThere(index.revocation, data.revocationChoices) &&
    isThere(
      index.attributes,
      signer.unsignedAttributes.flatMap((one) => hashedParts(one, index.form)),
    )
  )
}

/** Whether the index names this value of an unsigned attribute. */
export function isIndexed(index: HashIndex, attribute: Attribute, value: Uint8Array): boolean {
  const part = index.form === 'values' ? joined([oid(attribute.oid), value]) : attribute.whole
  const hash = hashOf(index.hash, part)
  return index.attributes.some((one) => isSame(one, hash))
}

function hashedParts(attribute: Attribute, form: HashIndex['form']): Uint8Array[] {
  if (form === 'attributes') return [attribute.whole]
  return attribute.values.map(({ whole }) => joined([oid(attribute.oid), whole]))
}

/**
 * The bytes that are timestamped: the type of the content, its hash, the signature with its signed attributes, and
 * the index.
 */
export function archivedBytes(
  data: Pick<SignedData, 'contentType'>,
  signer: Pick<SignerInfo, 'whole'>,
  documentDigest: Uint8Array,
  indexDer: Uint8Array,
): Uint8Array {
  const fields = elements(read(signer.whole, tags.sequence, 'ber'))
  const signed = fields.filter(({ tag }, i) => !(i === fields.length - 1 && tag === constructed(1)))
  return joined([oid(data.contentType), documentDigest, ...signed.map(({ whole }) => whole), indexDer])
}

/** An index (ATSHashIndexV3) of everything that is there now. */
export function newIndex(data: SignedData, signer: SignerInfo, name: HashName): Uint8Array {
  const list = (parts: readonly Uint8Array[]) =>
    sequence(...parts.map((one) => octetString(createHash(name).update(one).digest())))
  return sequence(
    digestIdentifier(name),
    list(data.certificateChoices),
    list(data.revocationChoices),
    list(signer.unsignedAttributes.flatMap((one) => hashedParts(one, 'values'))),
  )
}

/** Whether the signature has an archive timestamp: then everything present must stay unchanged. */
export function isArchived(signerInfo: Uint8Array): boolean {
  const unsigned = elements(read(signerInfo, tags.sequence, 'ber')).at(-1)
  if (unsigned?.tag !== constructed(1)) return false
  const type = oid(cmsOids.archiveTimestamp)
  return elements(unsigned).some((one) => {
    const fields = inside(one)
    return peek(fields) === tags.oid && isSame(take(fields, tags.oid).whole, type)
  })
}
