/** A signature that somebody presents to prove whom they represent: verified, judged, and prepared for storage. */
import { fullNameOf, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import { judge, verdictOf, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { defaultPolicy, type Policy } from '@kelisim/signature/examination/policy.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { CheckedSigner, CheckResult } from '../../signatures/check-job.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { evidenceOf as keptEvidenceOf } from '../../signatures/kept-evidence.ts'
import { PoolError } from '../../workers/pool.ts'

export type CheckSignature = SignatureChecks['check']

/**
 * The signature binds an organisation, so it needs a signing key that is identified in the signature and known not to
 * be revoked.
 */
const policy: Policy = {
  ...defaultPolicy,
  signedAttributes: 'required',
  signingCertificate: 'required',
  timestamp: 'optional',
  revocation: 'any',
  keyUsage: 'nonRepudiation',
}

export type PresentedSignature = { signer: CheckedSigner; owner: CertificateOwner }

/** Refuses unless there is exactly one signer and no fault. */
export async function checkPresented(
  check: CheckSignature,
  {
    cms,
    content,
    at,
    userId,
    language,
  }: { cms: Uint8Array; content: Uint8Array; at: Date; userId: string; language: Language },
): Promise<PresentedSignature> {
  // The organisation is not proved yet, so the check must not use its turns: the person is the claimant.
  const claimant = { organization: userId, person: userId }
  const result = await checked(check, { signature: cms, document: content, at, policy }, claimant)
  const [signer, ...others] = result.signers
  const found: Fault[] = [
    ...result.faults,
    ...result.signers.flatMap((one) => one.faults),
    ...(others.length > 0 ? (['too-much'] as const) : []),
  ]
  if (found.length > 0) refuseSignature(found, language)
  const owner = signer?.owner
  return owner ? { signer, owner } : refuseSignature(['certificate-missing'], language)
}

/**
 * Refuses with the DS- code and its text. Checks that may succeed later get another refusal, since the signature itself
 * is not wrong.
 */
export function refuseSignature(found: readonly Fault[], language: Language): never {
  const { code, subIndication } = judge(found)
  if (code === null) throw new RangeError('Nothing is wrong with this signature')
  const isOnlyLate = subIndication === 'TRY_LATER' && code !== verdictOf('on-hold').code
  if (isOnlyLate) refuse('signature-not-checked', { code })
  refuse('signature-refused', { code, reason: textsOf(language, 'signatures')(`codes.${code}`) })
}

/** PEM or base64, as signing programs return it. */
export function decodeSignature(text: string): Buffer | null {
  const body = text.replaceAll(/-----(BEGIN|END) CMS-----/g, '').replaceAll(/\s/g, '')
  return body !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(body) ? Buffer.from(body, 'base64') : null
}

/** The evidence on which the acceptance is based. */
export function evidenceOf({ signer, owner }: PresentedSignature): object {
  return { owner: { ...owner, fullName: fullNameOf(owner) }, ...keptEvidenceOf(signer) }
}

async function checked(check: CheckSignature, ...work: Parameters<CheckSignature>): Promise<CheckResult> {
  try {
    return await check(...work)
  } catch (error) {
    if (error instanceof PoolError) refuse('service-unavailable')
    throw error
  }
}
