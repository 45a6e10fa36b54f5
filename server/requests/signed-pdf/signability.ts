/** Whether a PDF or XML can be signed inside. The same bytes are tried once, and the result is kept. */
import { refuse } from '@kelisim/domain/errors.ts'
import type { Findings } from '../../documents/check/findings.ts'
import type { Claimant } from '../../workers/turns.ts'
import { signingFaults, type FormInside, type SigningFault } from './revision-job.ts'
import type { Revisions } from './revisions.ts'

/** Raise the version when a change affects which documents can be signed. */
const version = 1

const kinds = { pades: 'sign', xades: 'sign xml' }

/** Refuses a document inside which nothing can be signed; its bytes are at `path`. */
export type RefuseUnsignable = (
  document: { sha256: Buffer },
  form: FormInside,
  path: string,
  claimant: Claimant,
) => Promise<void>

export function openSignability(
  findings: Findings,
  { faultOf }: Pick<Revisions, 'faultOf'>,
): RefuseUnsignable {
  return async ({ sha256 }, form, path, claimant) => {
    const about = { sha256, kind: kinds[form], version, among: signingFaults }
    const fault = await findings<SigningFault>(about, () => faultOf(form, path, claimant))
    if (fault !== null) refuse('document-not-signable', { form, reason: fault })
  }
}
