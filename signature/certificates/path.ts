/**
 * Builds the path from a certificate to a trusted root and validates it (RFC 5280, section 6).
 *
 *   leaf ──issued by──▶ authority ──issued by──▶ … ──issued by──▶ anchor (one of the roots given)
 *
 * Building goes up, by names and signatures; validation goes down, in validate-path.ts. Several possible paths are
 * tried in turn, roots first and then those whose key identifier fits. The work is bounded, because a hostile message
 * may contain certificates with endless paths.
 */
import { isSame } from '../asn1/values.ts'
import type { Certificate } from './certificate.ts'
import { isSameName } from './names.ts'
import { checkCertificateSigned, type SignedResult } from './signed-by.ts'
import { validatePath } from './validate-path.ts'
import type { PathProblem, PathDemands } from './path-demands.ts'

export type PathResult = { path: readonly Certificate[] } & (
  | { ok: true; policies: readonly string[] }
  | { ok: false; problem: PathProblem; certificate: Certificate }
)
export type PathOptions = PathDemands & {
  roots: readonly Certificate[]
  /** Certificates that may complete the path and are not trusted by themselves: from the message or the store. */
  others: readonly Certificate[]
  /** Lets callers count verifications. */
  check?: typeof checkCertificateSigned
}

const maxDepth = 10
const maxSignatureChecks = 64
const maxCandidates = 200

export async function findPath(leaf: Certificate, options: PathOptions): Promise<PathResult> {
  const search: Search = { options, checks: 0, candidates: 0, best: null }
  const found = options.roots.some((root) => isSame(root.der, leaf.der))
    ? await judge(search, [leaf])
    : await extend(search, [leaf])
  return found ?? search.best!.result
}

type FoundPath = PathResult & { ok: true }
type Failure = PathResult & { ok: false }

type Search = {
  options: PathOptions
  checks: number
  candidates: number
  /** The attempt that got furthest. */
  best: { progress: number; result: Failure } | null
}

async function extend(search: Search, path: readonly Certificate[]): Promise<FoundPath | null> {
  const last = path.at(-1)!
  fail(search, path, 'no-issuer')
  if (path.length === maxDepth) return give(search, path)
  for (const { certificate: issuer, isRoot, fit } of candidatesFor(last, path, search.options)) {
    if (search.checks >= maxSignatureChecks || search.candidates >= maxCandidates) return give(search, path)
    search.candidates++
    search.checks++
    const outcome = await (search.options.check ?? checkCertificateSigned)(last, issuer.publicKey)
    if (outcome === 'valid') {
      const longer = [...path, issuer]
      const found = isRoot ? await judge(search, longer) : await extend(search, longer)
      if (found) return found
    } else if (fit !== 'misfit') {
      // another key with the same name says nothing about this signature
      fail(search, path, problemOf[outcome], path.length + 0.5)
    }
  }
  return null
}

/** The limits are exceeded; no partial result is reported as the reason. */
function give(search: Search, path: readonly Certificate[]): null {
  fail(search, path, 'too-complex', Infinity)
  return null
}

async function judge(search: Search, path: readonly Certificate[]): Promise<FoundPath | null> {
  const verdict = await validatePath(path, search.options)
  if (verdict.ok) return { path, ok: true, policies: verdict.policies }
  const { problem, certificate, progress } = verdict
  // a path that reaches a root is better than one that does not
  remember(search, maxDepth + progress, { path, ok: false, problem, certificate })
  return null
}

function fail(
  search: Search,
  path: readonly Certificate[],
  problem: PathProblem,
  progress: number = path.length,
): void {
  remember(search, progress, { path, ok: false, problem, certificate: path.at(-1)! })
}

function remember(search: Search, progress: number, result: Failure): void {
  if (!search.best || progress > search.best.progress) search.best = { progress, result }
}

const problemOf: Record<Exclude<SignedResult, 'valid'>, PathProblem> = {
  'wrong-signature': 'wrong-signature',
  // the algorithm is for another kind of key, so this key did not sign
  'unfit-algorithm': 'wrong-signature',
  'bad-key': 'bad-key',
  'weak-algorithm': 'weak-algorithm',
  'unknown-algorithm': 'unknown-algorithm',
}

type Candidate = { certificate: Certificate; isRoot: boolean; fit: Fit }
type Fit = 'fit' | 'unknown' | 'misfit'

/**
 * Certificates with the issuer's name, the likeliest first. A key that is already on the path would lead in a circle.
 */
function candidatesFor(
  last: Certificate,
  path: readonly Certificate[],
  { roots, others }: PathOptions,
): Candidate[] {
  const isNew = (certificate: Certificate) => !path.some((step) => isSameAuthority(step, certificate))
  const named = (certificates: readonly Certificate[], isRoot: boolean) =>
    certificates
      .filter(({ subject }) => isSameName(subject, last.issuer))
      .filter(isNew)
      .map((certificate) => ({ certificate, isRoot, fit: fitOf(last, certificate) }))
  const isRootToo = ({ certificate }: Candidate) => roots.some((root) => isSame(root.der, certificate.der))
  const below = named(others, false).filter((candidate) => !isRootToo(candidate))
  return [...named(roots, true).sort(byLikelihood), ...below.sort(byLikelihood)]
}

function isSameAuthority(one: Certificate, other: Certificate): boolean {
  return isSameName(one.subject, other.subject) && isSame(one.publicKey.der, other.publicKey.der)
}

function fitOf({ authorityKeyId }: Certificate, { subjectKeyId }: Certificate): Fit {
  if (!authorityKeyId || !subjectKeyId) return 'unknown'
  return isSame(authorityKeyId, subjectKeyId) ? 'fit' : 'misfit'
}

function byLikelihood(one: Candidate, other: Candidate): number {
  return likelihood(other) - likelihood(one)
}

function likelihood({ certificate, fit }: Candidate): number {
  const isAuthority = certificate.basicConstraints?.isAuthority === true
  return (isAuthority ? 10 : 0) + { fit: 2, unknown: 1, misfit: 0 }[fit]
}
