/** What the sign-in service needs of a signature: the owner of the key, now. */
import { defaultPolicy, type Policy } from '@kelisim/signature/examination/policy.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import type { CheckedSigner } from './check-job.ts'
import type { SignatureChecks } from './check.ts'

/** A login is about this moment: timestamps are ignored, and an expired key is refused. */
const loginPolicy: Policy = {
  ...defaultPolicy,
  timestamp: 'ignore',
  revocation: 'any',
  broughtEvidence: 'ignore',
}

export function loginCheck({ check }: Pick<SignatureChecks, 'check'>, clock: () => Date) {
  return async (signature: Uint8Array, document: Uint8Array, address: string) => {
    const job = { signature, document, at: clock(), policy: loginPolicy }
    // Nobody is signed in yet, so the network is the claimant: whoever sends many signatures delays only themselves.
    const { faults, signers } = await check(job, { network: networkOf(address) })
    return { faults, signers: signers.map(described) }
  }
}

function described({ faults, owner, certificate }: CheckedSigner) {
  return { faults, owner, certificate }
}
