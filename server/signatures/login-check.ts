/** What the sign-in service asks of a signature: the key's owner, now. */
import { defaultPolicy, type Policy } from '@kelisim/signature/examination/policy.ts'
import type { CheckedSigner } from './check-job.ts'
import type { SignatureChecks } from './check.ts'

/** A login is of this moment: a timestamp proves nothing about it, and a key that has ended lets nobody in. */
const loginPolicy: Policy = {
  ...defaultPolicy,
  timestamp: 'ignore',
  revocation: 'any',
  broughtEvidence: 'ignore',
}

export function loginCheck({ check }: Pick<SignatureChecks, 'check'>, clock: () => Date) {
  return async (signature: Uint8Array, document: Uint8Array) => {
    const { faults, signers } = await check({ signature, document, at: clock(), policy: loginPolicy })
    return { faults, signers: signers.map(described) }
  }
}

function described({ faults, owner, certificate }: CheckedSigner) {
  return { faults, owner, certificate }
}
