/**
 * One signature is one act (docs/product/signatures.md). Signatures can be downloaded with their documents, so the
 * same value in another place usually comes from somebody who does not have the key. The exception are twins: a
 * deterministic key (RSA) that signs one document for several requests in the same second makes the same value for
 * each of them.
 */
import { hour } from '../durations.ts'
import type { Fault } from './verdict.ts'

/**
 * Signing many requests at once sends the signatures one after another; an equal value after this time is another
 * act.
 */
export const twinsWithin = hour

export type SignatureUse = { requestId: string; actorId: string; receivedAt: Date }

/**
 * Why a signature value that was accepted in these places does not count here. Twins count only for the same person
 * with an account: only a session proves that they submitted the signature themselves both times.
 */
export function reuseFault(
  here: SignatureUse & { hasAccount: boolean },
  accepted: readonly SignatureUse[],
): Extract<Fault, 'given-by-another' | 'used-before'> | null {
  if (accepted.some(({ actorId }) => actorId !== here.actorId)) return 'given-by-another'
  const areTwins = accepted.every(
    (other) =>
      here.hasAccount &&
      other.requestId !== here.requestId &&
      Math.abs(here.receivedAt.getTime() - other.receivedAt.getTime()) <= twinsWithin,
  )
  return areTwins ? null : 'used-before'
}
