/**
 * Combines signatures: one SignedData of all signers with the document inside, and evidence added to a signature
 * (CAdES-T: a timestamp; -LT: certificates and revocation data). No signature is made or changed here: evidence is
 * among the unsigned attributes.
 */
import { constructed, elements, inside, read, tags } from '../asn1/read.ts'
import { isSame, joined, takeOid, toHex } from '../asn1/values.ts'
import { explicit, header, integer, octetString, oid, sequence, setOf } from '../asn1/write.ts'
import { isSameAlgorithm } from '../certificates/algorithm-identifier.ts'
import { readableCertificate } from '../certificates/certificate.ts'
import { isArchived } from './archive-timestamp.ts'
import { isNamed } from './check-signer.ts'
import { embeddedEvidence, type EmbeddedEvidence } from './embedded-evidence.ts'
import { cmsOids, readSignedData, type SignedData, type SignerInfo } from './signed-data.ts'

/**
 * Makes one SignedData with the signers of several, and a document of the given length attached. The document itself
 * goes between head and tail, so that it need not be in memory: head ‖ document ‖ tail. Certificates of trusted
 * centres may be added, for software that builds the path from nothing else.
 */
export function mergeAttached(
  signatures: readonly Uint8Array[],
  documentLength: number,
  centres: readonly Uint8Array[] = [],
): { head: Uint8Array; tail: Uint8Array } {
  const parts = signatures.map((one) => bareParts(readSignedData(one)))
  const octets = header(tags.octetString, documentLength)
  const holder = header(constructed(0), octets.length + documentLength)
  const typed = oid(cmsOids.data)
  const contentLength = typed.length + holder.length + octets.length + documentLength
  const contentHead = joined([header(tags.sequence, contentLength), typed, holder, octets])
  const { before, after } = surroundings(parts, centres)

  const inner = before.length + contentHead.length + documentLength + after.length
  const body = header(tags.sequence, inner)
  const bodyHolder = header(constructed(0), body.length + inner)
  const type = oid(cmsOids.signedData)
  const outer = header(tags.sequence, type.length + bodyHolder.length + body.length + inner)
  return { head: joined([outer, type, bodyHolder, body, before, contentHead]), tail: after }
}

/** The same without the document: one CMS with the signers of several detached signatures. */
export function mergeDetached(signatures: readonly Uint8Array[]): Uint8Array {
  const { before, after } = surroundings(signatures.map((one) => bareParts(readSignedData(one))))
  return contentInfo(before, sequence(oid(cmsOids.data)), after)
}

/**
 * Of several signatures with one signer each, keeps the first of every key: a person who signed at several points is
 * one signer. The identifier in a signature is not signed and may name the same certificate in two ways, so the
 * certificate decides.
 */
export function onePerKey(signatures: readonly Uint8Array[]): Uint8Array[] {
  const known = new Set<string>()
  return signatures.filter((cms) => {
    const { signers, certificates } = readSignedData(cms)
    const signer = signers[0]!
    const certificate = certificates
      .flatMap((der) => readableCertificate(der) ?? [])
      .find((one) => isNamed(signer, one))
    const id = toHex(certificate?.publicKey.der ?? signer.signedAttributes?.der ?? signer.signature)
    const isNew = !known.has(id)
    known.add(id)
    return isNew
  })
}

function contentInfo(before: Uint8Array, content: Uint8Array, after: Uint8Array): Uint8Array {
  return sequence(oid(cmsOids.signedData), explicit(0, sequence(before, content, after)))
}

type Parts = Pick<SignedData, 'digestAlgorithms' | 'certificates' | 'crls' | 'ocspResponses' | 'signers'>

/**
 * The parts of a signature that go into a container of several: its signers, their hashes and certificates. Anything
 * else might spoil the validation of the others (certificates in the names of centres, CRLs in their roots' names,
 * endless data).
 */
function bareParts({ signers, certificates, digestAlgorithms }: SignedData): Parts {
  const readable = certificates.flatMap((der) => readableCertificate(der) ?? [])
  return {
    signers,
    digestAlgorithms: digestAlgorithms.filter((one) =>
      signers.some(({ digestAlgorithm }) => isSameAlgorithm(one, digestAlgorithm)),
    ),
    certificates: readable
      .filter((one) => signers.some((signer) => isNamed(signer, one)))
      .map(({ der }) => der),
    crls: [],
    ocspResponses: [],
  }
}

/** The parts of a SignedData before and after the content. */
function surroundings(
  parts: readonly Parts[],
  centres: readonly Uint8Array[] = [],
): { before: Uint8Array; after: Uint8Array } {
  const signers = parts.flatMap((part) => part.signers)
  const certificates = [...parts.flatMap((part) => part.certificates), ...centres]
  const crls = parts.flatMap((part) => part.crls)
  const ocsp = parts.flatMap((part) => part.ocspResponses).map(otherRevocation)
  const version = ocsp.length > 0 ? 5 : signers.some(({ signerId }) => 'subjectKeyId' in signerId) ? 3 : 1
  const before = joined([
    integer(version),
    setOf(parts.flatMap((part) => part.digestAlgorithms.map(({ der }) => der))),
  ])
  const after = joined([
    ...(certificates.length > 0 ? [setOf(certificates, constructed(0))] : []),
    ...(crls.length + ocsp.length > 0 ? [setOf([...crls, ...ocsp], constructed(1))] : []),
    setOf(signers.map(({ whole }) => whole)),
  ])
  return { before, after }
}

function otherRevocation(response: Uint8Array): Uint8Array {
  return explicit(1, oid(cmsOids.ocspResponse), response)
}

/** Adds evidence to one signer of a signature. Existing evidence stays, without duplicates. */
export function addEvidence(
  signature: Uint8Array,
  signerIndex: number,
  evidence: Partial<EmbeddedEvidence>,
): Uint8Array {
  const data = readSignedData(signature)
  const signer = data.signers[signerIndex]
  if (!signer) throw new RangeError(`There is no signer ${signerIndex}`)
  const whole = withEvidence(signer, evidence)
  const signers = data.signers.with(signerIndex, { ...signer, whole })
  return assembled({ ...data, signers })
}

/**
 * The signature with its timestamps only. Other unsigned data was chosen by the signer and may be harmless today and
 * invalidate the signature tomorrow: a counter-signature by a key revoked later, endless responses and CRLs.
 */
export function withoutBrought(signature: Uint8Array): Uint8Array {
  const data = readSignedData(signature)
  const signers = data.signers.map((signer) => {
    const { timestamps } = embeddedEvidence(signer.unsignedAttributes)
    const kept = timestamps.map((token) => attribute(cmsOids.signatureTimestamp, token))
    return { ...signer, whole: withUnsigned(signer.whole, kept, () => false) }
  })
  return assembled({ ...data, signers, crls: [], ocspResponses: [] })
}

/** Adds an archive timestamp with the index of what it covers. */
export function addArchiveTimestamp(
  signature: Uint8Array,
  signerIndex: number,
  token: Uint8Array,
  indexDer: Uint8Array,
): Uint8Array {
  const data = readSignedData(signature)
  const signer = data.signers[signerIndex]
  if (!signer) throw new RangeError(`There is no signer ${signerIndex}`)
  const indexed = withTokenAttribute(token, attribute(cmsOids.archiveHashIndexV3, indexDer))
  const stamp = attribute(cmsOids.archiveTimestamp, indexed)
  const whole = withUnsigned(signer.whole, [stamp], () => true)
  return assembled({ ...data, signers: data.signers.with(signerIndex, { ...signer, whole }) })
}

/** Adds certificates beside the signature, so that they need not be looked for elsewhere; nothing else changes. */
export function withCertificates(signature: Uint8Array, added: readonly Uint8Array[]): Uint8Array {
  const [type, holder] = elements(read(signature, tags.sequence, 'ber'))
  const fields = elements(elements(holder!)[0]!)
  const there = fields.find(({ tag }) => tag === constructed(0))
  const all = [...(there ? elements(there) : []).map(({ whole }) => whole), ...added]
  const [version, digests, content, ...rest] = fields
    .filter((field) => field !== there)
    .map(({ whole }) => whole)
  const body = sequence(version!, digests!, content!, setOf(all, constructed(0)), ...rest)
  return sequence(type!.whole, explicit(0, body))
}

/** The token with an added unsigned attribute; its signature stays unchanged. */
function withTokenAttribute(token: Uint8Array, added: Uint8Array): Uint8Array {
  const [type, holder] = elements(read(token, tags.sequence, 'ber'))
  const fields = elements(elements(holder!)[0]!)
  const signers = elements(fields.pop()!).map(({ whole }) => withUnsigned(whole, [added], () => true))
  const body = sequence(...fields.map(({ whole }) => whole), setOf(signers))
  return sequence(type!.whole, explicit(0, body))
}

function assembled(data: SignedData): Uint8Array {
  const { before, after } = surroundings([data])
  const content = data.content ? [explicit(0, octetString(joined(data.content)))] : []
  return contentInfo(before, sequence(oid(data.contentType), ...content), after)
}

function withEvidence(signer: SignerInfo, added: Partial<EmbeddedEvidence>): Uint8Array {
  const there = embeddedEvidence(signer.unsignedAttributes)
  // Whatever an archive timestamp covers must stay unchanged, so new evidence is added beside it.
  const isKept = isArchived(signer.whole)
  const all = (kind: keyof EmbeddedEvidence) => {
    const known = there[kind]
    const fresh = (added[kind] ?? []).filter((one) => !known.some((other) => isSame(one, other)))
    return unique(isKept ? fresh : [...known, ...fresh])
  }
  const attributes = all('timestamps').map((token) => attribute(cmsOids.signatureTimestamp, token))
  const certificates = all('certificates')
  if (certificates.length > 0) {
    attributes.push(attribute(cmsOids.certificateValues, sequence(...certificates)))
  }
  const crls = all('crls')
  const ocsp = all('basicOcspResponses')
  if (crls.length + ocsp.length > 0) {
    const values = sequence(
      ...(crls.length > 0 ? [explicit(0, sequence(...crls))] : []),
      ...(ocsp.length > 0 ? [explicit(1, sequence(...ocsp))] : []),
    )
    attributes.push(attribute(cmsOids.revocationValues, values))
  }
  return isKept ? withUnsigned(signer.whole, attributes, () => true) : withUnsigned(signer.whole, attributes)
}

const evidenceOids: readonly string[] = [
  cmsOids.signatureTimestamp,
  cmsOids.certificateValues,
  cmsOids.revocationValues,
]

/** A SignerInfo whose unsigned attributes are this evidence and the present attributes that may stay. */
function withUnsigned(
  signerInfo: Uint8Array,
  evidence: readonly Uint8Array[],
  mayStay = (type: string) => !evidenceOids.includes(type),
): Uint8Array {
  const fields = elements(read(signerInfo, tags.sequence, 'ber'))
  const unsigned = fields.at(-1)?.tag === constructed(1) ? fields.pop()! : null
  const others = unsigned ? elements(unsigned).filter((one) => mayStay(takeOid(inside(one)))) : []
  const attributes = [...others.map(({ whole }) => whole), ...evidence]
  return sequence(
    ...fields.map(({ whole }) => whole),
    ...(attributes.length > 0 ? [setOf(attributes, constructed(1))] : []),
  )
}

function unique(items: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(items.map((item) => [toHex(item), item])).values()]
}

function attribute(type: string, value: Uint8Array): Uint8Array {
  return sequence(oid(type), setOf([value]))
}
