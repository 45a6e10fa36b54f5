/**
 * Whether a certificate is revoked, by the given CRLs (RFC 5280, 6.3). A full list decides; a delta list adds to it. A
 * delta may also remove an entry (a hold that has ended), if its numbers fit those of the full list: the national
 * centre numbers the two separately, so its deltas only ever add.
 */
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { isSameName } from '../certificates/names.ts'
import { findEntry, type RevokedEntry } from './crl-entries.ts'
import { isAmong, pointsOf, scopeOf } from './crl-scope.ts'
import { findSigner } from './crl-signer.ts'
import type { Crl } from './crl.ts'
import { allReasons, type DistributionPoint, type Reasons } from './distribution-points.ts'
import type { RevocationReason } from './reasons.ts'
import { clockAllowance } from '../time/durations.ts'

/** In ascending order of how close a list came to deciding; the last problem found is reported. */
const problems = [
  'no-crl',
  /** A list of the right issuer that is about other certificates. */
  'out-of-scope',
  'delta-alone',
  'not-yet',
  'stale',
  /** Its signer is unknown, or not authorised to sign CRLs. */
  'not-authorised',
  'weak-algorithm',
  'wrong-signature',
  'unknown-critical-extension',
  /** The given lists do not cover every reason for revocation. */
  'reasons-incomplete',
  /** The certificate's own distribution points cannot be read. */
  'malformed-extension',
] as const
export type CrlProblem = (typeof problems)[number]

export type CrlStatus = {
  status: 'good' | 'revoked' | 'unknown'
  /** Also set with the status good if the certificate was revoked after it was used. */
  revokedAt: Date | null
  reason: RevocationReason | null
  /** Why the status is unknown. */
  problem: CrlProblem | null
  /** The list on which the status is based. */
  crl: Crl | null
  /** The time for which the lists state that the certificate was good, for every reason. */
  asOf: Date | null
}

export type CrlOptions = {
  /** When the lists must be current. */
  at: Date
  /** When the certificate was used, if that can be proved: a later revocation does not matter then. */
  usedAt?: Date
  /** Certificates, besides the path, among which the signer of a list is looked for. */
  others?: readonly Certificate[]
  /**
   * Whether another authority that signs lists for this one must be known not to be revoked, or is only checked if a
   * list about it is given. A signer used only for lists is always checked.
   */
  authorities?: 'required' | 'if-known'
}

/** If there are more lists of one issuer than this, only the newest are used. */
const maxLists = 32
/** How deep lists about the signers of lists are followed. */
const maxDepth = 2

/** The issuer's path: the issuer first, the anchor last, known to be valid. */
export async function revokedByCrl(
  certificate: Certificate,
  issuerPath: readonly Certificate[],
  crls: readonly Crl[],
  options: CrlOptions,
  depth = 0,
): Promise<CrlStatus> {
  try {
    return await judge({ certificate, issuerPath, crls, options, depth, points: pointsOf(certificate) })
  } catch (error) {
    if (error instanceof MalformedError) return unknown('malformed-extension')
    throw error
  }
}

type Question = {
  certificate: Certificate
  issuerPath: readonly Certificate[]
  crls: readonly Crl[]
  options: CrlOptions
  /** How many signers of lists were checked to get here. */
  depth: number
  points: readonly DistributionPoint[]
}

async function judge(question: Question): Promise<CrlStatus> {
  const { certificate, crls, options, points } = question
  const mine = crls
    .filter((crl) => scopeOf(certificate, points, crl) !== 'foreign')
    .toSorted((one, other) => other.thisUpdate.getTime() - one.thisUpdate.getTime())
    .slice(0, maxLists)
  const found: CrlProblem[] = ['no-crl']
  const deltas = await usable(question, mine.filter(isDelta), found)
  const covered = new Set<number>()
  let decisive: Crl | null = null
  let later: RevokedEntry | null = null
  let asOf = Infinity

  for (const full of mine.filter((crl) => !isDelta(crl))) {
    const problem = await listProblem(question, full, deltas)
    const reasons = scopeOf(certificate, points, full)
    if (problem || typeof reasons === 'string') found.push(problem ?? 'out-of-scope')
    else if (!isWithin(reasons, covered)) {
      const entry = entryIn(question, full, deltas)
      if (entry && isInTime(entry, options)) return revoked(entry, full)
      later ??= entry
      decisive ??= full
      asOf = Math.min(asOf, timeOf(full, deltas))
      for (const reason of reasons) covered.add(reason)
    }
  }
  if (decisive && isWithin(allReasons, covered)) {
    return {
      status: 'good',
      revokedAt: later?.revokedAt ?? null,
      reason: later?.reason ?? null,
      problem: null,
      crl: decisive,
      asOf: new Date(asOf),
    }
  }
  if (decisive) return unknown('reasons-incomplete')
  for (const delta of deltas) {
    const entry = find(question.certificate, delta)
    if (entry && entry.reason !== 'removeFromCRL' && isInTime(entry, options)) return revoked(entry, delta)
  }
  if (deltas.length > 0) found.push('delta-alone')
  return unknown(problems.findLast((problem) => found.includes(problem))!)
}

async function usable(question: Question, lists: readonly Crl[], found: CrlProblem[]): Promise<Crl[]> {
  const usableLists: Crl[] = []
  for (const list of lists) {
    const problem = await listProblem(question, list, [])
    if (problem) found.push(problem)
    else usableLists.push(list)
  }
  return usableLists
}

async function listProblem(question: Question, crl: Crl, deltas: readonly Crl[]): Promise<CrlProblem | null> {
  const { certificate, points, options } = question
  if (scopeOf(certificate, points, crl) === 'out-of-scope') return 'out-of-scope'
  if (Number(options.at) + clockAllowance < Number(crl.thisUpdate)) return 'not-yet'
  const isStale = crl.nextUpdate === null || options.at > crl.nextUpdate
  // a current delta brings the full list it fits up to date
  if (isStale && !deltas.some((delta) => isFit(delta, crl))) return 'stale'
  const signer = await findSigner(crl, { ...question, others: options.others ?? [], at: options.at })
  if (signer.kind === 'none') return signer.problem
  if (signer.kind === 'delegate' && !(await mayStillSign(question, crl, signer.path))) return 'not-authorised'
  return crl.hasUnknownCritical ? 'unknown-critical-extension' : null
}

/**
 * A signer that acts for the authority must itself be known not to be revoked: by other lists, or by this one if its
 * certificate names no other.
 */
async function mayStillSign(question: Question, crl: Crl, path: readonly Certificate[]): Promise<boolean> {
  const { crls, options, depth } = question
  const signer = path[0]!
  if (depth >= maxDepth || find(signer, crl)) return false
  const elsewhere = crls.filter(({ der }) => !isSame(der, crl.der))
  const { usedAt: _, ...now } = options
  const answer = await revokedByCrl(signer, path.slice(1), elsewhere, now, depth + 1)
  if (answer.problem !== 'no-crl') return answer.status === 'good'
  if (signer.basicConstraints?.isAuthority && options.authorities !== 'required') return true
  const named = pointsOf(signer).filter(({ crlIssuer }) => crlIssuer !== null)
  const reasons = scopeOf(signer, named, crl)
  return typeof reasons !== 'string' && isWithin(allReasons, reasons)
}

/** The certificate's entry in the full list and later deltas together; the newest entry counts. */
function entryIn(question: Question, full: Crl, deltas: readonly Crl[]): RevokedEntry | null {
  for (const delta of deltas) {
    // the full list contains everything of earlier deltas
    const entry = delta.thisUpdate >= full.thisUpdate ? find(question.certificate, delta) : null
    if (entry && entry.reason !== 'removeFromCRL') return entry
    if (entry && isFit(delta, full)) return null
  }
  return find(question.certificate, full)
}

function find(certificate: Certificate, crl: Crl): RevokedEntry | null {
  return findEntry(crl.entries, certificate.serial, (names) =>
    names ? isAmong(certificate.issuer, names) : isSameName(certificate.issuer, crl.issuer),
  )
}

function isDelta(crl: Crl): boolean {
  return crl.baseNumber !== null
}

/** 5.2.4: whether both have the same scope and key, and consecutive numbers. */
function isFit(delta: Crl, full: Crl): boolean {
  return (
    isSameName(delta.issuer, full.issuer) &&
    areSame(delta.issuingPoint?.der ?? null, full.issuingPoint?.der ?? null) &&
    areSame(delta.authorityKeyId, full.authorityKeyId) &&
    delta.number !== null &&
    delta.baseNumber !== null &&
    full.number !== null &&
    delta.baseNumber <= full.number &&
    full.number < delta.number
  )
}

/** A delta that fits brings the full list up to the delta's own time. */
function timeOf(full: Crl, deltas: readonly Crl[]): number {
  const fit = deltas.filter((delta) => isFit(delta, full))
  return Math.max(...[full, ...fit].map(({ thisUpdate }) => Number(thisUpdate)))
}

function areSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one && other ? isSame(one, other) : one === other
}

/** Without proof of an earlier use, a listed certificate is revoked, whatever date the entry has. */
function isInTime(entry: RevokedEntry, { usedAt }: CrlOptions): boolean {
  return usedAt === undefined || revokedSince(entry) <= usedAt
}

/** If the centre states that the key was compromised earlier, that time counts. */
function revokedSince({ revokedAt, invalidSince }: RevokedEntry): Date {
  return invalidSince && invalidSince < revokedAt ? invalidSince : revokedAt
}

function isWithin(reasons: Reasons, covered: Reasons): boolean {
  return [...reasons].every((reason) => covered.has(reason))
}

function revoked(entry: RevokedEntry, crl: Crl): CrlStatus {
  return {
    status: 'revoked',
    revokedAt: revokedSince(entry),
    reason: entry.reason,
    problem: null,
    crl,
    asOf: null,
  }
}

function unknown(problem: CrlProblem): CrlStatus {
  return { status: 'unknown', revokedAt: null, reason: null, problem, crl: null, asOf: null }
}
