/**
 * Timestamps (RFC 3161) like those of the national service since 2025: signed by GOST 34.10-2015, or by RSA if
 * requested.
 */
import { digestLength, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import type { Bytes } from '@kelisim/signature/signer/keys.ts'
import {
  readTimestampRequest,
  refuseTimestamp,
  stamp,
  timestampResponse,
  type TimestampRequest,
} from '@kelisim/signature/signer/timestamp-authority.ts'
import type { Authority, Family } from './authorities.ts'
import { families as profiles, type FamilyKind } from './families.ts'

export type TimestampMatter = {
  families: readonly Family[]
  now: Date
  /** The signer: the family's own timestamp key, unless a fault is simulated. */
  signerOf: (family: Family) => Promise<Authority | null>
}

const usualFamily: FamilyKind = 'gost-kz-512'
const hashes: readonly HashName[] = ['streebog-512', 'sha-256', 'gost-34.311', 'sha-512']

export async function timestampAnswer(request: Uint8Array, matter: TimestampMatter): Promise<Bytes> {
  const asked = readRequest(request)
  if (!asked) return refuseTimestamp('badRequest', 'The request cannot be read')
  if (!asked.hash || !hashes.includes(asked.hash)) {
    return refuseTimestamp('badAlg', `The hash must be one of ${hashes.join(', ')}`)
  }
  if (asked.digest.length !== digestLength(asked.hash)) {
    return refuseTimestamp('badDataFormat', `A digest by ${asked.hash} has another length`)
  }
  const policy = asked.policy ?? profiles[usualFamily].timestampPolicy!
  const family = matter.families.find(({ kind }) => profiles[kind].timestampPolicy === policy)
  const authority = family && (await matter.signerOf(family))
  if (!authority) return refuseTimestamp('unacceptedPolicy', `Timestamps by ${policy} are not given`)
  const token = await stamp({
    authority,
    request: asked,
    policy,
    serial: crypto.getRandomValues(new Uint8Array(20)),
    genTime: matter.now,
  })
  return timestampResponse(token)
}

function readRequest(request: Uint8Array): TimestampRequest | null {
  try {
    return readTimestampRequest(request)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}
