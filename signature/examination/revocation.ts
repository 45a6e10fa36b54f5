/**
 * Whether the certificates of a path were revoked at the time that matters: when the signature is known to have
 * existed. Later revocation does not invalidate it. Given evidence must be current at the time of the check; evidence
 * inside the signature must be current when it was produced. Neither proves that a certificate was good at a later
 * time, so evidence from before the signature proves nothing about it; a revocation counts however old the evidence
 * is.
 */
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { extensionOids, type Certificate } from '../certificates/certificate.ts'
import { isSameName } from '../certificates/names.ts'
import type { EmbeddedEvidence } from '../cms/embedded-evidence.ts'
import type { SignedData } from '../cms/signed-data.ts'
import { revokedByCrl, type CrlProblem } from '../revocation/by-crl.ts'
import { revokedByOcsp, type OcspProblem } from '../revocation/by-ocsp.ts'
import { readCrl, type Crl } from '../revocation/crl.ts'
import {
  isMeant,
  readBasicOcspResponse,
  readOcspResponse,
  type BasicOcspResponse,
} from '../revocation/ocsp.ts'
import type { Finding } from '../findings/findings.ts'
import type { Evidence } from './policy.ts'
import type { ExaminationWork } from './work.ts'
import { clockAllowance } from '../time/durations.ts'

export type Demand =
  /** Evidence is required, of any kind or of one. */
  | 'any'
  | 'ocsp'
  | 'crl'
  /** None is required, but evidence at hand must decide. */
  | 'if-known'
  /** Only evidence of a revocation counts. */
  | 'if-revoked'
export type RevocationDemands = { leaf: Demand; issuers: Demand }

export type RevocationFact = {
  certificate: Certificate
  status: 'good' | 'revoked' | 'unknown'
  revokedAt: Date | null
  reason: string | null
  /** The evidence behind this status, to be stored. */
  by: BasicOcspResponse | Crl | null
  /** The name of the signer of that evidence: the responder, or the issuer of the CRL. */
  signedBy: Uint8Array | null
  /** The time for which the evidence states the status. */
  asOf: Date | null
}

export type ChainRevocation = { facts: RevocationFact[]; findings: Finding[] }

export type Existence = {
  /** Since when the signature is proved to exist; without proof the time of the check. */
  existedAt: Date
  /** The time for which evidence is needed: the same, or without proof the time of receipt. */
  neededFor: Date
}

/** Checks every certificate of the path except the root, which is trusted without a check. */
export async function chainRevocation(
  path: readonly Certificate[],
  brought: Evidence,
  { existedAt, neededFor }: Existence,
  work: ExaminationWork,
  demands: RevocationDemands,
): Promise<ChainRevocation> {
  const facts: RevocationFact[] = []
  const findings: Finding[] = []
  for (const [i, certificate] of path.slice(0, -1).entries()) {
    const issuerPath = path.slice(i + 1)
    const subject: Subject = { certificate, issuerPath, existedAt, neededFor, isCentre: i > 0, work }
    const demand = i === 0 ? demands.leaf : demands.issuers
    const said = await askAll(subject, brought, demand)
    const revoked = said.find(({ status, revokedAt }) => status === 'revoked' && isBefore(revokedAt, subject))
    // revoked later, so still good when it mattered
    const later = said.find(({ status }) => status === 'revoked')
    const good = said.find(({ status }) => status === 'good') ?? later
    const best = revoked ?? later ?? good ?? nothing
    facts.push({
      certificate,
      status: revoked ? 'revoked' : good ? 'good' : 'unknown',
      revokedAt: best.revokedAt,
      reason: best.reason,
      by: best.by,
      signedBy: signerOf(best),
      asOf: timeOf(best),
    })
    if (revoked) findings.push(i === 0 ? revokedFinding(revoked) : 'issuer-revoked')
    else if (!good && isDecisionDue(demand, said)) {
      findings.push(i === 0 ? unknownFinding(said) : 'issuer-revocation-unknown')
    }
  }
  return { facts, findings }
}

function signerOf({ by, responder }: RevocationStatement): Uint8Array | null {
  if (!by) return null
  return 'entries' in by ? by.issuer : (responder?.subject ?? null)
}

function timeOf({ by, asOf }: RevocationStatement): Date | null {
  if (!by) return null
  return asOf ?? ('entries' in by ? by.thisUpdate : by.producedAt)
}

function isDecisionDue(demand: Demand, said: readonly RevocationStatement[]): boolean {
  const isAtHand = ({ finding, isBrought }: RevocationStatement) =>
    !isBrought && finding !== null && finding !== 'ocsp-unreachable' && finding !== 'crl-unreachable'
  if (demand === 'if-known') return said.some(isAtHand)
  return demand !== 'if-revoked'
}

type Subject = {
  certificate: Certificate
  /** The path from the certificate's issuer up. */
  issuerPath: readonly Certificate[]
  existedAt: Date
  neededFor: Date
  isCentre: boolean
  work: ExaminationWork
}

type RevocationStatement = {
  kind: 'ocsp' | 'crl' | null
  status: 'good' | 'revoked' | 'unknown'
  revokedAt: Date | null
  reason: string | null
  by: BasicOcspResponse | Crl | null
  /** The last time at which the certificate is known to have been good. */
  asOf: Date | null
  /** Why the status is unknown. */
  finding: Finding | null
  /** The evidence is inside the signature, where anybody may have added it. */
  isBrought?: boolean
  /** Who signed the OCSP response. */
  responder?: Certificate
}

/** Without a timestamp the signature is only known to exist now, so every revocation counts as earlier. */
function isBefore(revokedAt: Date | null, { existedAt, work }: Subject): boolean {
  return revokedAt === null || existedAt >= work.at || revokedAt <= existedAt
}

async function askAll(subject: Subject, brought: Evidence, demand: Demand): Promise<RevocationStatement[]> {
  const { certificate, issuerPath, work } = subject
  const issuer = issuerPath[0]!
  const isAboutIt = ({ singles }: BasicOcspResponse) =>
    singles.some(({ id }) => isMeant(id, certificate, issuer))
  const saidInside = await askBrought(subject, {
    ocsp: brought.ocsp.filter(isAboutIt),
    crls: brought.crls.filter((one) => isSameName(one.issuer, issuer.subject)),
  })
  const isProvedGood = saidInside.some(({ status }) => status === 'good')
  const atHand = await work.evidence(certificate, issuer, isProvedGood)
  const said: RevocationStatement[] = []
  for (const response of atHand.ocsp.filter(isAboutIt)) said.push(await askOcsp(subject, response, work.at))
  const lists = [...atHand.crls, ...brought.crls]
  for (const answers of [said, saidInside]) await dropRevokedResponders(answers, subject, lists)
  if (atHand.crls.length > 0) said.push(await askCrls(subject, atHand.crls, work.at))
  for (const kind of atHand.unreachable ?? []) said.push({ ...nothing, kind, finding: `${kind}-unreachable` })
  const counted = [...said.map((one) => (isEarly(one, subject) ? early(one) : one)), ...saidInside]
  // of the kind that was not required, only a revocation counts
  const isUnasked = ({ kind }: RevocationStatement) =>
    (demand === 'ocsp' || demand === 'crl') && kind !== demand
  return counted.filter((one) => one.status === 'revoked' || !isUnasked(one))
}

/**
 * Drops responses of responders that the centre has revoked, unless the responder's certificate says that its
 * revocation need not be checked (RFC 6960, 4.2.2.2.1). Responses signed after the revocation prove nothing; if the
 * key may have been stolen, earlier ones do not, either.
 */
async function dropRevokedResponders(
  said: RevocationStatement[],
  subject: Subject,
  crls: readonly Crl[],
): Promise<void> {
  for (const [i, { responder, by }] of said.entries()) {
    const issuer = subject.issuerPath[0]!
    const isItself = responder === undefined || isSame(responder.publicKey.der, issuer.publicKey.der)
    if (isItself || crls.length === 0 || responder.extensions.has(extensionOids.ocspNoCheck)) continue
    const found = await askCrls({ ...subject, certificate: responder }, crls, subject.work.at)
    if (found.status !== 'revoked') continue
    const producedAt = by && 'producedAt' in by ? by.producedAt : subject.work.at
    const isHarmless = harmlessReasons.has(found.reason) && found.revokedAt && found.revokedAt > producedAt
    if (!isHarmless) said[i] = { ...nothing, kind: 'ocsp', finding: 'ocsp-untrusted' }
  }
}

/**
 * RFC 3161, 4: after a revocation for these reasons, what was signed earlier stays valid; after any other, somebody
 * else may have the key.
 */
export const harmlessReasons: ReadonlySet<string | null> = new Set([
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
])

/** Checks evidence inside the signature. Anybody may have added it, so it may be invalid or about another time. */
async function askBrought(subject: Subject, { ocsp, crls }: Evidence): Promise<RevocationStatement[]> {
  const said: RevocationStatement[] = []
  for (const response of ocsp) {
    said.push(await askOcsp(subject, response, broughtAt(subject, ocspSince(response))))
  }
  if (crls.length > 0) said.push(await askBroughtCrls(subject, crls))
  for (const crl of crls) {
    const alone = await askCrls(subject, [crl], broughtAt(subject, crl.thisUpdate))
    if (isForGood(alone)) said.push(alone)
  }
  return said
    .map((one) => ({ ...one, isBrought: true }))
    .map((one) => (isEarly(one, subject) ? early(one) : one))
}

/**
 * Checks all lists inside the signature together, like those from elsewhere, because a delta may lift a hold of its
 * full list. They are judged at the time of the newest list that decides, because a forged newer list must not hide
 * an authentic one.
 */
async function askBroughtCrls(subject: Subject, crls: readonly Crl[]): Promise<RevocationStatement> {
  const times = [...new Set(crls.map(({ thisUpdate }) => Number(broughtAt(subject, thisUpdate))))]
  let said: RevocationStatement | null = null
  for (const time of times.toSorted((one, other) => other - one).slice(0, maxTimes)) {
    const found = await askCrls(subject, crls, new Date(time))
    if (found.status !== 'unknown') return found
    said ??= found
  }
  return said!
}

/** An honest signature contains one list of each centre, or a full one and its delta. */
const maxTimes = 8

/**
 * Whether evidence is from before the signature and thus cannot prove that the certificate was good when the
 * signature was made. The certificates of centres are an exception: roots publish lists months apart, so the current
 * list is all that can be known.
 */
function isEarly(
  { status, asOf, isBrought }: RevocationStatement,
  { neededFor, isCentre, work }: Subject,
): boolean {
  if (status !== 'good' || work.policy.evidenceAge === 'current') return false
  if (isCentre && !isBrought) return false
  return asOf === null || Number(asOf) + clockAllowance < Number(neededFor)
}

function early({ kind, isBrought = false }: RevocationStatement): RevocationStatement {
  return { ...nothing, kind, isBrought, finding: 'revocation-before-signature' }
}

const nothing: RevocationStatement = {
  kind: null,
  status: 'unknown',
  revokedAt: null,
  reason: null,
  by: null,
  asOf: null,
  finding: null,
}

/** The time at which evidence inside the signature has to be current. */
function broughtAt({ existedAt, work }: Subject, since: Date): Date {
  return existedAt < since && since <= work.at ? since : existedAt
}

function ocspSince({ singles, producedAt }: BasicOcspResponse): Date {
  return new Date(Math.max(Number(producedAt), ...singles.map(({ thisUpdate }) => Number(thisUpdate))))
}

async function askOcsp(
  subject: Subject,
  response: BasicOcspResponse,
  at: Date,
): Promise<RevocationStatement> {
  const { certificate, issuerPath, work } = subject
  work.spend()
  const { others } = work.trust
  const ask = (when: Date) =>
    revokedByOcsp(certificate, issuerPath[0]!, response, { at: when, others, check: work.check })
  let found = await ask(at)
  if (found.status === 'unknown' && found.problem === 'stale') {
    // a revocation is final, however old the evidence
    const then = await ask(ocspSince(response))
    if (isForGood(then)) found = then
  }
  const base = { ...nothing, kind: 'ocsp', by: response } as const
  switch (found.status) {
    case 'good':
      // thisUpdate, not producedAt: a responder may sign today what it knew yesterday
      return isTooLate(certificate, found.thisUpdate, found.archiveCutoff)
        ? stale('ocsp')
        : { ...base, status: 'good', asOf: found.thisUpdate, responder: found.responder }
    case 'revoked': {
      const { revokedAt, reason, responder } = found
      return { ...base, status: 'revoked', revokedAt, reason, responder }
    }
    case 'unknown':
      return { ...base, status: 'unknown', by: null, finding: ocspFindings[found.problem] }
  }
}

async function askCrls(subject: Subject, crls: readonly Crl[], at: Date): Promise<RevocationStatement> {
  const { certificate, issuerPath, work } = subject
  work.spend()
  const ask = (when: Date) =>
    revokedByCrl(certificate, issuerPath, crls, {
      at: when,
      others: work.trust.others,
      authorities: work.policy.issuerRevocation,
    })
  let found = await ask(at)
  if (found.problem === 'stale') {
    const newest = new Date(Math.max(...crls.map(({ thisUpdate }) => Number(thisUpdate))))
    const then = newest < at ? await ask(newest) : found
    if (isForGood(then)) found = then
  }
  const { status, revokedAt, reason, problem, crl, asOf } = found
  if (status === 'good' && crl && isTooLate(certificate, crl.thisUpdate, crl.keepsExpiredSince))
    return stale('crl')
  return { kind: 'crl', status, revokedAt, reason, by: crl, asOf, finding: problem && crlFindings[problem] }
}

/** A revocation is final unless it is a hold, which can end. */
function isForGood(found: { status: string; reason?: string | null }): boolean {
  return found.status === 'revoked' && found.reason !== 'certificateHold'
}

/**
 * Centres drop expired certificates from their lists, so a certificate missing there may have been revoked all the
 * same; unless the list says since when it keeps expired ones (expiredCertsOnCRL, archiveCutoff).
 */
function isTooLate({ notAfter }: Certificate, thisUpdate: Date, keptSince: Date | null): boolean {
  return thisUpdate > notAfter && !(keptSince !== null && keptSince <= notAfter)
}

function stale(kind: 'ocsp' | 'crl'): RevocationStatement {
  return { ...nothing, kind, finding: 'revocation-stale' }
}

function revokedFinding({ kind, reason }: RevocationStatement): Finding {
  if (reason === 'certificateHold') return 'on-hold'
  return kind === 'ocsp' ? 'revoked-by-ocsp' : 'revoked-by-crl'
}

/** The first reason found. Evidence about another certificate gives no reason here. */
function unknownFinding(all: readonly RevocationStatement[]): Finding {
  return all.find(({ finding }) => finding !== null)?.finding ?? 'revocation-unknown'
}

/** Null: the problem says nothing about this certificate. */
const ocspFindings: Record<OcspProblem, Finding | null> = {
  'other-certificate': null,
  'unknown-status': 'ocsp-knows-not',
  stale: 'revocation-stale',
  'not-yet': 'revocation-stale',
  'not-authorised': 'ocsp-untrusted',
  'wrong-signature': 'ocsp-untrusted',
  'weak-algorithm': 'ocsp-untrusted',
  'unknown-critical-extension': 'ocsp-untrusted',
  nonce: 'ocsp-untrusted',
}

const crlFindings: Record<CrlProblem, Finding | null> = {
  'no-crl': null,
  'out-of-scope': null,
  'delta-alone': 'revocation-unknown',
  stale: 'revocation-stale',
  'not-yet': 'revocation-stale',
  'reasons-incomplete': 'revocation-unknown',
  'not-authorised': 'crl-untrusted',
  'weak-algorithm': 'crl-untrusted',
  'wrong-signature': 'crl-untrusted',
  'unknown-critical-extension': 'crl-untrusted',
  'malformed-extension': 'crl-untrusted',
}

/** The readable evidence inside a signature, where anybody may have added it. */
export function readableEvidence(
  embedded: EmbeddedEvidence | null,
  data: Pick<SignedData, 'crls' | 'ocspResponses'>,
): Evidence {
  const shared = evidenceOfAll.get(data) ?? {
    crls: data.crls.flatMap((der) => readable(() => readCrl(der))),
    ocsp: data.ocspResponses.flatMap((der) => readable(() => readOcspResponse(der).basic)),
  }
  evidenceOfAll.set(data, shared)
  return {
    crls: [...(embedded?.crls ?? []).flatMap((der) => readable(() => readCrl(der))), ...shared.crls],
    ocsp: [
      ...(embedded?.basicOcspResponses ?? []).flatMap((der) => readable(() => readBasicOcspResponse(der))),
      ...shared.ocsp,
    ],
  }
}

/** Evidence of a container, parsed once for all its signers. */
const evidenceOfAll = new WeakMap<object, Evidence>()

function readable<T>(readOne: () => T | null): T[] {
  try {
    const one = readOne()
    return one ? [one] : []
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}
