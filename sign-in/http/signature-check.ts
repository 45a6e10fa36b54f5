/** What this service needs of the signature engine; main.ts passes it in. */
import type { SignatureProof } from '@kelisim/db/schema/sign-in.ts'
import { givenKeyOf } from '@kelisim/domain/points/key-holder.ts'
import { fullNameOf, loginFaults, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'

export type CheckedSignature = {
  /** Faults of the container. */
  faults: readonly Fault[]
  signers: readonly {
    faults: readonly Fault[]
    owner: CertificateOwner | null
    /** DER. */
    certificate: Uint8Array | null
  }[]
}

/** `address`: the network address of the sender. */
export type CheckSignature = (
  cms: Uint8Array,
  content: Uint8Array,
  address: string,
) => Promise<CheckedSignature>

/** The owner of the signature, if it is accepted for signing in. */
export function proofOf({
  faults,
  signers,
}: CheckedSignature): { proof: SignatureProof } | { faults: Fault[] } {
  const [signer, ...others] = signers
  const found = [
    ...faults,
    ...signers.flatMap((one) => one.faults),
    ...(others.length > 0 ? (['too-much'] as const) : []),
    ...(signer?.owner ? loginFaults(signer.owner) : []),
  ]
  const { owner, certificate } = signer ?? {}
  if (found.length > 0 || !owner?.iin || !certificate) {
    return { faults: found.length > 0 ? found : ['certificate-missing'] }
  }
  const { iin, bin, organization, email } = owner
  const fullName = fullNameOf(owner) || iin
  return {
    proof: {
      iin,
      bin,
      organization,
      email,
      givenKey: givenKeyOf(owner),
      fullName,
      certificate: Buffer.from(certificate).toString('base64'),
    },
  }
}
