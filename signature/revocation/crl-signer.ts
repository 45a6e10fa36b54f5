/**
 * Finds the signer of a CRL: usually the authority itself, with the key that signs its certificates. Some authorities
 * use another key for CRLs, whose certificate then needs a path of its own to the same anchor.
 */
import { isSame, toHex } from '../asn1/values.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { isSameName } from '../certificates/names.ts'
import { findPath } from '../certificates/path.ts'
import { checkSigned, type SignedResult } from '../certificates/signed-by.ts'
import type { Crl } from './crl.ts'

/** Who signed a list: the certificate's own authority, or another signer with the path of its certificate. */
export type CrlSigner =
  | { kind: 'authority' }
  | { kind: 'delegate'; path: readonly Certificate[] }
  | { kind: 'none'; problem: SignerProblem }

/** The signer is unknown or not authorised to sign CRLs, or the signature is wrong. */
export type SignerProblem = 'not-authorised' | 'wrong-signature' | 'weak-algorithm'

export type SignerSearch = {
  certificate: Certificate
  /** The path of the certificate's issuer: the issuer first, the anchor last, known to be valid. */
  issuerPath: readonly Certificate[]
  others: readonly Certificate[]
  at: Date
}

const maxCandidates = 8

export async function findSigner(crl: Crl, search: SignerSearch): Promise<CrlSigner> {
  const named = [...search.issuerPath, ...search.others]
    .filter(({ subject }) => isSameName(subject, crl.issuer))
    .toSorted((one, other) => fitOf(crl, other) - fitOf(crl, one))
    .slice(0, maxCandidates)
  let problem: SignerProblem = 'not-authorised'
  for (const candidate of named) {
    const outcome = await checkList(crl, candidate)
    if (outcome === 'valid') {
      const signer = await authorised(crl, candidate, search)
      if (signer) return signer
    } else if (outcome === 'weak-algorithm') problem = 'weak-algorithm'
    else if (fitOf(crl, candidate) >= 0 && problem === 'not-authorised') problem = 'wrong-signature'
  }
  return { kind: 'none', problem }
}

/** 1 if the list names this key, -1 if it names another, 0 if it names none. */
function fitOf({ authorityKeyId }: Crl, { subjectKeyId }: Certificate): number {
  if (!authorityKeyId || !subjectKeyId) return 0
  return isSame(authorityKeyId, subjectKeyId) ? 1 : -1
}

async function authorised(crl: Crl, candidate: Certificate, search: SignerSearch): Promise<CrlSigner | null> {
  const { issuerPath, others, at } = search
  if (candidate.keyUsage && !candidate.keyUsage.has('cRLSign')) return null
  if (issuerPath.some(({ der }) => isSame(der, candidate.der))) return { kind: 'authority' }
  const known = [...issuerPath.slice(0, -1), ...others]
  const result = await findPath(candidate, { roots: issuerPath.slice(-1), others: known, at })
  if (!result.ok || !maySignForAuthority(crl, search, result.path[1])) return null
  return { kind: 'delegate', path: result.path }
}

/**
 * Names are not unique below one anchor: another authority could certify a key under this authority's name and sign
 * lists with it. So a signer with the authority's name must be certified by an authority on this one's own path. A
 * signer with another name (an indirect list) must be named by the certificate in question.
 */
function maySignForAuthority(
  crl: Crl,
  { certificate, issuerPath }: SignerSearch,
  certifier: Certificate | undefined,
): boolean {
  if (!isSameName(crl.issuer, certificate.issuer)) return true
  return issuerPath.some(({ publicKey }) => certifier && isSame(publicKey.der, certifier.publicKey.der))
}

/** Cached, because the national list has 19 MB, is used with every signature and takes long to hash. */
async function checkList(crl: Crl, { publicKey }: Certificate): Promise<SignedResult> {
  const known = results.get(crl) ?? new Map<string, Promise<SignedResult>>()
  results.set(crl, known)
  const key = toHex(publicKey.der)
  const outcome = known.get(key) ?? checkSigned(crl, publicKey)
  known.set(key, outcome)
  return outcome
}

const results = new WeakMap<Crl, Map<string, Promise<SignedResult>>>()
