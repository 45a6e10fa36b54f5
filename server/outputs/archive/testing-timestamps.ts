/** For tests: a timestamp service and the evidence about its key, without a network. */
import { isSame } from '@kelisim/signature/asn1/values.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import {
  readTimestampRequest,
  stamp,
  timestampResponse,
} from '@kelisim/signature/signer/timestamp-authority.ts'
import type { Nation } from '@kelisim/signature/testing/nation.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { checkedTimestamp } from '../../signatures/checked-timestamp.ts'

/** Answers as this authority does, each time with another serial number. */
export function answersOf(authority: CmsSigner, clock: () => Date) {
  let serial = 0
  return async (bytes: Uint8Array): Promise<Uint8Array> => {
    const request = readTimestampRequest(bytes)
    const parts = { authority, request, policy: request.policy!, genTime: clock() }
    return timestampResponse(await stamp({ ...parts, serial: Uint8Array.of(++serial) }))
  }
}

/** Whether the revocation lists of the centre are available, and since when they have contained this key. */
export type ListsOfCentre = { isAway?: boolean; revoked?: { key: CmsSigner; since: Date } }

/** Checks timestamps as workers do, by revocation lists of the centre and of the root. */
export function timestampChecksIn(
  nation: Nation,
  lists: ListsOfCentre = {},
): SignatureChecks['checkTimestamp'] {
  return (job) =>
    checkedTimestamp(job, {
      trust: nation.trust,
      evidence: async (certificate) => {
        const isCentre = isSame(certificate.der, nation.centre.der)
        if (isCentre) return { crls: [await nation.crl([], job.at, nation.rootParty)], ocsp: [] }
        if (lists.isAway) return { crls: [], ocsp: [], unreachable: ['ocsp', 'crl'] }
        const { revoked } = lists
        const entries = revoked ? [{ certificate: revoked.key.certificate, revokedAt: revoked.since }] : []
        return { crls: [await nation.crl(entries, job.at)], ocsp: [] }
      },
    })
}
