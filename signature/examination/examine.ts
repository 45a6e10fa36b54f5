/**
 * The entry of the engine: takes a signature and finds everything that is wrong with it, who made it, and since when it
 * is known to exist. No content of the bytes makes it throw: what cannot be parsed is a finding.
 */
import { algorithmName } from '../algorithms/names.ts'
import { hash, type HashName } from '../algorithms/hash.ts'
import { hashEnds, isHashSecure } from '../algorithms/lifetimes.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { digestAlgorithmOf, signatureAlgorithmOf } from '../certificates/algorithm-identifier.ts'
import type { Certificate } from '../certificates/certificate.ts'
import type { NcaProfile } from '../certificates/nca-profile.ts'
import { findPath, type PathResult } from '../certificates/path.ts'
import { checkSigner, type SignedContent, type SignerCheck } from '../cms/check-signer.ts'
import { embeddedEvidence, type EmbeddedEvidence } from '../cms/embedded-evidence.ts'
import {
  allValues,
  cmsOids,
  ExcessError,
  isAnnounced,
  looksLikeCms,
  readSignedData,
  readSignerInfo,
  type SignedData,
  type SignerInfo,
} from '../cms/signed-data.ts'
import { ownerOf, readableCertificates } from './certificates.ts'
import {
  completeDigests,
  digestsOf,
  isHashed,
  isSameContent,
  type Content,
  type Digests,
  type HashedContent,
} from './content.ts'
import type { Finding } from '../findings/findings.ts'
import type { Evidence, Policy, Setting } from './policy.ts'
import {
  chainRevocation,
  readableEvidence,
  type RevocationDemands,
  type RevocationFact,
} from './revocation.ts'
import {
  archiveHashes,
  examineArchiveTimestamps,
  type ArchiveTimestampExamination,
} from './archive-timestamps.ts'
import { examineTimestamp, type Reliance, type TimestampExamination } from './timestamps.ts'
import { startWork, type ExaminationWork } from './work.ts'
import { clockAllowance } from '../time/durations.ts'
import type { PathProblem } from '../certificates/path-demands.ts'

export type Examination = {
  /** Findings about the container; they concern every signer. */
  findings: Finding[]
  signers: SignerExamination[]
}

export type SignerExamination = {
  certificate: Certificate | null
  /** The signer. */
  owner: NcaProfile | null
  /** The common name of the algorithm, or null where it is unknown. */
  algorithm: string | null
  /** The signer's clock, which proves nothing. */
  signingTime: Date | null
  /** The earliest time that a timestamp proves. */
  timestampTime: Date | null
  /** The chain, signer first, as far as it could be built. */
  path: readonly Certificate[]
  /** The trusted root to which the chain leads; null: it leads to none. */
  root: Certificate | null
  revocation: RevocationFact[]
  timestamps: TimestampExamination[]
  /** The archive timestamps of a signature with all its evidence, in the order of their times. */
  archiveTimestamps: Omit<ArchiveTimestampExamination, 'isCovering'>[]
  /**
   * Identifies the act of signing: the signed attributes. Not the signature value where there are attributes, because
   * anyone with one ECDSA signature can compute another valid one without the key.
   */
  act: Uint8Array
  findings: Finding[]
}

export async function examineSignature(
  signature: Uint8Array,
  content: Content | HashedContent | null,
  setting: Setting,
): Promise<Examination> {
  try {
    return await examine(readSignedData(signature), content, startWork(setting))
  } catch (error) {
    if (error instanceof ExcessError) return nothing('too-much')
    if (error instanceof MalformedError)
      return nothing(looksLikeCms(signature) ? 'damaged' : 'not-a-signature')
    throw error
  }
}

function nothing(finding: Finding): Examination {
  return { findings: [finding], signers: [] }
}

async function examine(
  data: SignedData,
  content: Content | HashedContent | null,
  work: ExaminationWork,
): Promise<Examination> {
  const findings: Finding[] = []
  if (data.signers.length === 0) findings.push('no-signers')
  if (data.contentType !== cmsOids.data) findings.push('not-a-document')
  if (!data.content && !content) findings.push('document-missing')
  if (data.content && content) {
    const pieces = isHashed(content) ? content.pieces : content
    if (!(await isSameContent(pieces, data.content))) findings.push('other-document-attached')
  }
  const digests = await documentDigests(data, content)
  const signed: SignedContent = { type: data.contentType, digest: (name) => digests.get(name) ?? null }
  const known = readableCertificates(data.certificates)

  const signers: SignerExamination[] = []
  let isRepeated = false
  for (const signer of data.signers) {
    const act = actOf(signer)
    // a plain copy is not worth the cost of examining it
    const isCopy = signers.some((one) => isSame(one.act, act))
    const examination = isCopy ? null : await examineSigner(signer, signed, known, data, work)
    if (!examination || signers.some((one) => isSameSigner(one, examination))) {
      isRepeated = true
      continue
    }
    if (!isAnnounced(signer, data)) examination.findings.push('unfit-algorithm')
    signers.push(examination)
  }
  if (isRepeated) findings.push('signed-twice')
  return { findings, signers }
}

/** Known digests are those of the document beside the signature, never of a document inside it. */
async function documentDigests(data: SignedData, content: Content | HashedContent | null): Promise<Digests> {
  const names = hashesOf(data)
  if (data.content) return digestsOf(data.content, names)
  if (content === null) return new Map()
  return isHashed(content) ? completeDigests(content, names) : digestsOf(content, names)
}

function hashesOf(data: SignedData): HashName[] {
  const signed = data.signers.flatMap(({ digestAlgorithm }) => digestAlgorithmOf(digestAlgorithm) ?? [])
  return [...signed, ...archiveHashes(data)]
}

/**
 * Whether two signatures are by the same signer: a key signs once. The identifier of the signer is not signed, so
 * anybody could copy a signature and name its certificate in another way. So the key of the certificate that was
 * found and the act of signing are compared.
 */
export function isSameSigner(
  one: Pick<SignerExamination, 'certificate' | 'act'>,
  other: Pick<SignerExamination, 'certificate' | 'act'>,
): boolean {
  const isSameKey =
    one.certificate !== null &&
    other.certificate !== null &&
    isSame(one.certificate.publicKey.der, other.certificate.publicKey.der)
  return isSameKey || isSame(one.act, other.act)
}

function actOf({ signedAttributes, signature }: SignerInfo): Uint8Array {
  return signedAttributes?.der ?? signature
}

type Known = ReturnType<typeof readableCertificates>

async function examineSigner(
  signer: SignerInfo,
  signed: SignedContent,
  known: Known,
  data: SignedData,
  work: ExaminationWork,
): Promise<SignerExamination> {
  const embedded = evidenceOf(signer)
  const more = readableCertificates(embedded?.certificates ?? [])
  // certificates of the store come first, because a message may contain any number of certificates in the names of
  // centres
  const certificates = [...work.trust.others, ...known.certificates, ...more.certificates]
  work.spend()
  const check = await checkSigner(signer, signed, certificates, work.policy)
  const findings = check.findings.map((finding) =>
    finding === 'certificate-missing' && !known.areAllReadable ? 'certificate-damaged' : finding,
  )
  const isStamped = work.policy.timestamp !== 'ignore'
  const archive = isStamped ? await examineArchiveTimestamps(data, signer, signed, certificates, work) : []
  const stamps = signer.unsignedAttributes.filter(({ oid }) => oid === cmsOids.signatureTimestamp)
  const examination = await examineChecked(
    {
      check: { ...check, findings: embedded ? findings : [...findings, 'attributes-wrong'] },
      act: actOf(signer),
      certificates,
      timestamps: (embedded?.timestamps ?? []).map((token) => ({
        token,
        over: signer.signature,
        provedAt: earliest(
          archive.flatMap(({ covers, isCovering, time }) =>
            time && covers !== 'nothing' && stamps.some((one) => isCovering(one, token)) ? [time] : [],
          ),
        ),
      })),
      archive,
      brought: () => broughtEvidence(embedded, data, work),
    },
    work,
  )
  if (check.certificate) await addCounterSignatures(examination, signer, known, data, work)
  return examination
}

/** A signature of any format, once it is known whether the key of a certificate made it. */
export type CheckedSigner = {
  check: SignerCheck
  act: Uint8Array
  /** Certificates that may complete the path to a root. */
  certificates: readonly Certificate[]
  /** `provedAt`: when another timestamp proves that the timestamp existed. */
  timestamps: readonly { token: Uint8Array; over: Uint8Array; provedAt?: Date | null }[]
  archive?: ArchiveTimestampExamination[]
  brought: () => Pick<Evidence, 'crls' | 'ocsp'>
}

/**
 * Finds out whose key signed, whether the certificate was trusted and not revoked at that time, and since when the
 * signature is known to exist.
 */
export async function examineChecked(
  checked: CheckedSigner,
  work: ExaminationWork,
): Promise<SignerExamination> {
  const { check, certificates } = checked
  const { certificate } = check
  const examination: SignerExamination = {
    certificate,
    owner: certificate && ownerOf(certificate),
    algorithm: check.algorithm && algorithmName(check.algorithm, certificate?.publicKey.key ?? null),
    signingTime: check.signingTime,
    timestampTime: null,
    path: [],
    root: null,
    revocation: [],
    timestamps: [],
    archiveTimestamps: (checked.archive ?? []).map(({ isCovering: _, ...one }) => one),
    act: checked.act,
    findings: [...check.findings],
  }
  await addTimestamps(examination, checked, work)
  if (!certificate) return examination
  if (!examination.owner) examination.findings.push('certificate-damaged')

  examination.findings.push(
    ...usageFindings(certificate, work.policy),
    ...signingTimeFindings(examination, certificate, work),
  )
  const stampedAt = examination.timestampTime ?? awaitedTime(examination)
  const found = await findPath(certificate, {
    roots: work.trust.roots,
    others: certificates,
    // a certificate that expires during the wait for the centre was valid when the signature arrived
    at: stampedAt ?? work.receivedAt ?? work.at,
    check: work.check,
  })
  examination.path = found.path
  examination.findings.push(...endedHashes(examination, check.algorithm?.hash ?? null, work))
  if (found.ok) {
    examination.root = found.path.at(-1)!
    // a root signs only certificates and CRLs
    if (found.path.length === 1) examination.findings.push('certificate-not-for-signing')
    const existence = { existedAt: stampedAt ?? work.at, neededFor: knownSince(examination, work) }
    const demands = revocationDemands(work.policy)
    const revocation = await chainRevocation(found.path, checked.brought(), existence, work, demands)
    examination.revocation = revocation.facts
    examination.findings.push(...revocation.findings)
  } else examination.findings.push(pathFinding(found))
  return examination
}

/**
 * Whatever rests on a hash has to be proved to have existed before the hash ended. A timestamp over the signature
 * does not prove the document, because somebody could have prepared two documents with the same hash and show the
 * other one now.
 */
function endedHashes(
  { path, archiveTimestamps, timestampTime }: SignerExamination,
  signedWith: HashName | null,
  { policy, at, documentProvedAt }: ExaminationWork,
): Finding[] {
  const ends = policy.hashEnds ?? hashEnds
  const ofDocument = archiveTimestamps.flatMap(({ time, covers }) =>
    time && covers === 'document' ? [time] : [],
  )
  const documentSince = earliest([...ofDocument, ...(documentProvedAt ? [documentProvedAt] : [])]) ?? at
  const chain = path.slice(0, -1).flatMap((one) => signatureAlgorithmOf(one.signatureAlgorithm)?.hash ?? [])
  return [
    ...(signedWith && !isHashSecure(signedWith, documentSince, ends) ? (['weak-algorithm'] as const) : []),
    ...(chain.every((name) => isHashSecure(name, timestampTime ?? at, ends))
      ? []
      : (['chain-weak'] as const)),
  ]
}

/** The revocation evidence inside the signature, or beside it in the same file. */
function broughtEvidence(
  embedded: EmbeddedEvidence | null,
  data: Pick<SignedData, 'crls' | 'ocspResponses'>,
  { policy, brought }: ExaminationWork,
): Pick<Evidence, 'crls' | 'ocsp'> {
  if (policy.broughtEvidence === 'ignore') return { crls: [], ocsp: [] }
  const inside = readableEvidence(embedded, data)
  return {
    crls: [...inside.crls, ...(brought?.crls ?? [])],
    ocsp: [...inside.ocsp, ...(brought?.ocsp ?? [])],
  }
}

function evidenceOf(signer: SignerInfo): EmbeddedEvidence | null {
  try {
    return embeddedEvidence(signer.unsignedAttributes)
  } catch (error) {
    if (error instanceof MalformedError && !(error instanceof ExcessError)) return null
    throw error
  }
}

async function addTimestamps(
  examination: SignerExamination,
  { timestamps, certificates }: CheckedSigner,
  work: ExaminationWork,
): Promise<void> {
  if (work.policy.timestamp === 'ignore') return
  for (const { token, over, provedAt = null } of timestamps) {
    const reliance = relianceOf(earliest([...(provedAt ? [provedAt] : []), ...known(work)]), work)
    examination.timestamps.push(await examineTimestamp(token, over, certificates, work, reliance))
  }
  const own = examination.timestamps.flatMap(({ time, findings }) =>
    time && findings.length === 0 ? [time] : [],
  )
  const archived = examination.archiveTimestamps
  const proved = [
    ...own,
    ...known(work),
    // an archive timestamp over an empty content instead of the document is reported, but proves nothing
    ...archived.flatMap(({ time, covers }) => (time && covers === 'document' ? [time] : [])),
  ]
  examination.findings.push(...[...examination.timestamps, ...archived].flatMap(({ findings }) => findings))
  if (proved.length > 0) examination.timestampTime = earliest(proved)
  else if (work.policy.timestamp === 'required' && examination.timestamps.length === 0) {
    examination.findings.push('timestamp-missing')
  }
}

function known({ provedAt }: ExaminationWork): Date[] {
  return provedAt ? [provedAt] : []
}

function earliest(times: readonly Date[]): Date | null {
  return times.toSorted((one, other) => Number(one) - Number(other))[0] ?? null
}

/** Null: it is enough that the timestamp was valid at its own time. */
function relianceOf(provedAt: Date | null, { policy, at }: ExaminationWork): Reliance | null {
  if (policy.timestampLife !== 'until-check') return null
  return { until: provedAt ?? at, provedAt, brought: { crls: [], ocsp: [] } }
}

/**
 * The time of a timestamp about which only the revocation of its service's certificate is unknown. The finding stays,
 * so that the signature does not pass. But until the status is known, what the timestamp may prove must not be
 * denied, such as that the signer's certificate had not expired.
 */
function awaitedTime({ timestamps }: SignerExamination): Date | null {
  const awaited = timestamps.flatMap(({ time, findings }) =>
    time && findings.every((finding) => finding === 'timestamp-revocation-unknown') ? [time] : [],
  )
  return earliest(awaited)
}

/** The best proof of existence: the timestamp, or else the time of receipt. */
function knownSince({ timestampTime }: SignerExamination, { receivedAt, at }: ExaminationWork): Date {
  return timestampTime ?? receivedAt ?? at
}

/**
 * The signer's clock proves nothing, but it must not contradict what is proved: nobody signs before the certificate
 * is issued, or later than when the signature is known to exist.
 */
function signingTimeFindings(
  examination: SignerExamination,
  { notBefore, notAfter }: Certificate,
  work: ExaminationWork,
): Finding[] {
  if (!examination.signingTime) return []
  const claimed = Number(examination.signingTime)
  const isInLife =
    claimed >= Number(notBefore) - clockAllowance && claimed <= Number(notAfter) + clockAllowance
  const isAfter = claimed > Number(knownSince(examination, work)) + clockAllowance
  return [
    ...(isInLife ? [] : (['signing-time-outside-certificate'] as const)),
    ...(isAfter ? (['signing-time-after-receipt'] as const) : []),
  ]
}

/** Keys of services (timestamps, OCSP, web servers) represent the service and nobody else. */
const serviceUses: readonly string[] = ['1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.9', '1.3.6.1.5.5.7.3.1']

function usageFindings(certificate: Certificate, policy: Policy): Finding[] {
  const { keyUsage, extendedKeyUsage, basicConstraints } = certificate
  const isOfService =
    basicConstraints?.isAuthority || extendedKeyUsage?.some((use) => serviceUses.includes(use))
  const isFit =
    policy.keyUsage === 'nonRepudiation'
      ? keyUsage?.has('nonRepudiation')
      : !keyUsage || keyUsage.has('digitalSignature') || keyUsage.has('nonRepudiation')
  return isFit && !isOfService ? [] : ['certificate-not-for-signing']
}

export function revocationDemands({ revocation, issuerRevocation }: Policy): RevocationDemands {
  return {
    leaf: revocation === 'none' ? 'if-revoked' : revocation,
    issuers: issuerRevocation === 'required' ? 'any' : revocation === 'none' ? 'if-revoked' : 'if-known',
  }
}

export function pathFinding({ problem, certificate, path }: PathResult & { ok: false }): Finding {
  return problem === 'bad-key' && certificate === path[0] ? 'bad-key' : pathFindings[problem]
}

const pathFindings: Record<PathProblem, Finding> = {
  'no-issuer': 'issuer-unknown',
  expired: 'certificate-expired',
  'not-yet-valid': 'certificate-not-yet-valid',
  'issuer-expired': 'issuer-expired',
  'issuer-not-yet-valid': 'issuer-expired',
  'anchor-expired': 'issuer-expired',
  'anchor-not-yet-valid': 'issuer-expired',
  'wrong-signature': 'chain-broken',
  'weak-algorithm': 'chain-weak',
  'unknown-algorithm': 'chain-weak',
  'bad-key': 'chain-weak',
  'not-an-authority': 'issuer-not-entitled',
  'path-too-long': 'chain-constrained',
  'key-usage': 'chain-constrained',
  'name-constraints': 'chain-constrained',
  policy: 'chain-constrained',
  'unknown-critical-extension': 'chain-constrained',
  'malformed-extension': 'chain-constrained',
  'too-complex': 'chain-too-complex',
}

/** Signatures over this signature: each is examined over the bytes of the value instead of a document. */
async function addCounterSignatures(
  examination: SignerExamination,
  signer: SignerInfo,
  known: Known,
  data: SignedData,
  work: ExaminationWork,
): Promise<void> {
  for (const value of allValues(signer.unsignedAttributes, cmsOids.counterSignature)) {
    const counter = readSignerInfo(value)
    const signed: SignedContent = { type: null, digest: (name) => hash(name, signer.signature) }
    const { findings } = await examineSigner(counter, signed, known, data, work)
    if (findings.length > 0) examination.findings.push('counter-signature-wrong')
  }
}
