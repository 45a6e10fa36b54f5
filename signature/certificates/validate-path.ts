/**
 * Validates a path whose names and signatures fit, from the anchor down (RFC 5280, 6.1). The anchor is trusted for its
 * name and its key; restrictions in its own certificate apply (RFC 5937). Validity dates come last: a path that was
 * never valid is worse than an expired one.
 */
import { isSoundKey } from '../algorithms/verify.ts'
import { MalformedError } from '../asn1/read.ts'
import { extensionOids, type Certificate } from './certificate.ts'
import { checkNames, readNameConstraints, type NameConstraints } from './name-constraints.ts'
import { readAccess, readSubjectNames } from './general-names.ts'
import { finishPolicies, preparePolicies, startPolicies, takePolicies, type PolicyState } from './policies.ts'
import { isSameName } from './names.ts'
import type { PathDemands, PathProblem, Purpose } from './path-demands.ts'

export type PathVerdict =
  | { ok: true; policies: string[] }
  /** The greater the progress, the more checks passed before the problem. */
  | { ok: false; problem: PathProblem; certificate: Certificate; progress: number }

/** The leaf first, the anchor last; each signed by the next. */
export async function validatePath(path: readonly Certificate[], demands: PathDemands): Promise<PathVerdict> {
  const leaf = path[0]!
  const keyProblem = await leafKeyProblem(leaf)
  if (keyProblem) return { ok: false, problem: keyProblem, certificate: leaf, progress: 0 }
  const structure = checkStructure(path, demands)
  if (!structure.ok) return structure
  return timeFault(path, demands.at) ?? structure
}

async function leafKeyProblem({ publicKey }: Certificate): Promise<PathProblem | null> {
  if (!publicKey.key) return 'unknown-algorithm'
  return (await isSoundKey(publicKey.key)) ? null : 'bad-key'
}

type State = {
  maxLength: number
  names: NameConstraints[]
  policies: PolicyState
}

function checkStructure(path: readonly Certificate[], demands: PathDemands): PathVerdict {
  const anchor = path.at(-1)!
  const below = path.slice(0, -1).toReversed()
  const state: State = {
    maxLength: anchor.basicConstraints?.pathLength ?? Infinity,
    names: [],
    policies: startPolicies(below.length, demands.policies ?? {}),
  }
  let progress = 0
  let certificate = anchor
  try {
    addNameConstraints(state, anchor)
    for (certificate of below) {
      const isLast = certificate === path[0]
      const problem =
        takeCertificate(state, certificate, isLast) ??
        (isLast ? purposeProblem(certificate, demands.purpose) : prepareNext(state, certificate)) ??
        criticalProblem(certificate)
      if (problem) return { ok: false, problem, certificate, progress }
      progress++
    }
    const policies = finishPolicies(state.policies, path[0]!, demands.policies ?? {})
    if (policies) return { ok: true, policies }
    return { ok: false, problem: 'policy', certificate: path[0]!, progress }
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    return { ok: false, problem: 'malformed-extension', certificate, progress }
  }
}

/** 6.1.3, without the signature, which was checked while building, and without the validity dates. */
function takeCertificate(state: State, certificate: Certificate, isLast: boolean): PathProblem | null {
  refuseMalformed(certificate)
  const isPassedBy = isSelfIssued(certificate) && !isLast
  if (!isPassedBy) {
    const names = checkNames(certificate, state.names)
    if (names !== 'allowed') return names === 'refused' ? 'name-constraints' : names
  }
  return takePolicies(state.policies, certificate, isPassedBy) ? null : 'policy'
}

/** Extensions that no rule here needs must be well formed all the same (4.2.1.6, 4.2.1.12, 4.2.2.1). */
function refuseMalformed({ extensions, extendedKeyUsage }: Certificate): void {
  const names = extensions.get(extensionOids.subjectAltName)
  if (names) readSubjectNames(names.value)
  const access = extensions.get(extensionOids.authorityInfoAccess)
  if (access) readAccess(access.value)
  if (extendedKeyUsage?.length === 0) throw new MalformedError('A key for no use')
}

/** 6.1.4: what an authority must be, and what it requires of those below it. */
function prepareNext(state: State, certificate: Certificate): PathProblem | null {
  const { basicConstraints, keyUsage } = certificate
  // versions before the third have no extensions, so such a certificate cannot be an authority's
  if (!basicConstraints?.isAuthority) return 'not-an-authority'
  if (keyUsage && !keyUsage.has('keyCertSign')) return 'key-usage'
  if (!preparePolicies(state.policies, certificate, isSelfIssued(certificate))) return 'policy'
  addNameConstraints(state, certificate)
  if (!isSelfIssued(certificate)) {
    if (state.maxLength === 0) return 'path-too-long'
    state.maxLength--
  }
  state.maxLength = Math.min(state.maxLength, basicConstraints.pathLength ?? Infinity)
  return null
}

function addNameConstraints(state: State, { extensions }: Certificate): void {
  const extension = extensions.get(extensionOids.nameConstraints)
  if (extension) state.names.push(readNameConstraints(extension.value))
}

/** An authority that changes keys issues a certificate to itself, which is not counted; the key may differ. */
export function isSelfIssued({ issuer, subject }: Certificate): boolean {
  return isSameName(issuer, subject)
}

const anyExtendedKeyUsage = '2.5.29.37.0'

function purposeProblem(
  { keyUsage, extendedKeyUsage }: Certificate,
  purpose: Purpose = {},
): PathProblem | null {
  const mayUse = !keyUsage || !purpose.keyUsage || purpose.keyUsage.some((use) => keyUsage.has(use))
  const mayServe =
    !extendedKeyUsage ||
    !purpose.extendedKeyUsage ||
    extendedKeyUsage.some((use) => use === purpose.extendedKeyUsage || use === anyExtendedKeyUsage)
  return mayUse && mayServe ? null : 'key-usage'
}

/** Extensions that are evaluated: here, by the revocation check, or by the caller. */
const known = new Set<string>([
  extensionOids.basicConstraints,
  extensionOids.keyUsage,
  extensionOids.extendedKeyUsage,
  extensionOids.subjectAltName,
  extensionOids.nameConstraints,
  extensionOids.certificatePolicies,
  extensionOids.policyMappings,
  extensionOids.policyConstraints,
  extensionOids.inhibitAnyPolicy,
  extensionOids.subjectKeyId,
  extensionOids.authorityKeyId,
  extensionOids.crlDistributionPoints,
  extensionOids.freshestCrl,
])

function criticalProblem({ extensions }: Certificate): PathProblem | null {
  for (const { oid, isCritical } of extensions.values()) {
    if (isCritical && !known.has(oid)) return 'unknown-critical-extension'
  }
  return null
}

/**
 * The leaf is checked first: an expired certificate of their own is a problem that a person understands and can
 * solve.
 */
function timeFault(path: readonly Certificate[], at: Date): (PathVerdict & { ok: false }) | null {
  for (const [i, certificate] of path.entries()) {
    const role = i === path.length - 1 ? 'anchor' : i === 0 ? 'leaf' : 'issuer'
    const problem = timeProblem(certificate, role, at)
    if (problem) return { ok: false, problem, certificate, progress: path.length + i }
  }
  return null
}

function timeProblem(
  certificate: Certificate,
  role: 'leaf' | 'issuer' | 'anchor',
  at: Date,
): PathProblem | null {
  if (at < certificate.notBefore) return role === 'leaf' ? 'not-yet-valid' : `${role}-not-yet-valid`
  if (at > certificate.notAfter) return role === 'leaf' ? 'expired' : `${role}-expired`
  return null
}
