/** Issues timestamps (RFC 3161) like the national service. */
import { hash, type HashName } from '../algorithms/hash.ts'
import { finish, inside, MalformedError, read, tags, take, takeIf } from '../asn1/read.ts'
import { booleanOf, integerBytes, oidOf, takeSmallInteger } from '../asn1/values.ts'
import {
  element,
  explicit,
  generalizedTime,
  integer,
  octetString,
  oid,
  sequence,
  unsignedInteger,
  utf8String,
} from '../asn1/write.ts'
import { digestAlgorithmOf, takeAlgorithm } from '../certificates/algorithm-identifier.ts'
import { cmsOids } from '../cms/signed-data.ts'
import { failureNumber, type TimestampFailure } from '../timestamps/timestamp.ts'
import { namedBits } from './extensions.ts'
import type { Bytes } from './keys.ts'
import {
  attribute,
  certificateReference,
  signedData,
  signerInfo,
  usualAttributes,
  type CmsSigner,
} from './sign-cms.ts'

export type TimestampRequest = {
  /** MessageImprint of the request, to be repeated in the token. */
  imprint: Uint8Array
  /** Null: the hash is unknown. */
  hash: HashName | null
  digest: Uint8Array
  policy: string | null
  /** The bytes of the number, as written. */
  nonce: Uint8Array | null
  certReq: boolean
}

export function readTimestampRequest(bytes: Uint8Array): TimestampRequest {
  const fields = inside(read(bytes, tags.sequence))
  if (takeSmallInteger(fields) !== 1) throw new MalformedError('No such version of timestamps')
  const imprint = take(fields, tags.sequence)
  const imprintFields = inside(imprint)
  const algorithm = takeAlgorithm(imprintFields)
  const digest = take(imprintFields, tags.octetString).content
  const policy = takeIf(fields, tags.oid)
  const nonce = takeIf(fields, tags.integer)
  const certReq = takeIf(fields, tags.boolean)
  finish(fields)
  return {
    imprint: imprint.whole,
    hash: digestAlgorithmOf(algorithm),
    digest,
    policy: policy && oidOf(policy.content),
    nonce: nonce && integerBytes(nonce),
    certReq: certReq !== null && booleanOf(certReq),
  }
}

export type TimestampParts = {
  authority: CmsSigner
  request: Pick<TimestampRequest, 'imprint' | 'nonce' | 'certReq'>
  policy: string
  serial: Uint8Array
  genTime: Date
  /** In whole seconds; the national service does not state it. */
  accuracy?: number
}

/** Issues a token (TimeStampToken). */
export async function stamp(parts: TimestampParts): Promise<Bytes> {
  const { authority, request, genTime, accuracy } = parts
  const info = sequence(
    integer(1),
    oid(parts.policy),
    request.imprint,
    unsignedInteger(parts.serial),
    generalizedTime(genTime),
    ...(accuracy === undefined ? [] : [sequence(integer(accuracy))]),
    ...(request.nonce ? [element(tags.integer, request.nonce)] : []),
  )
  const signed = await signerInfo(authority, [
    ...usualAttributes(cmsOids.timestampInfo, hash(authority.key.hash, info), genTime),
    // the first version of the attribute, with SHA-1, which the service still uses
    attribute(cmsOids.signingCertificate, certificateReference('sha-1', authority.certificate)),
  ])
  const content = sequence(oid(cmsOids.timestampInfo), explicit(0, octetString(info)))
  return signedData([content, signed], authority, { version: 3, hasCertificate: request.certReq })
}

export function timestampResponse(token: Uint8Array): Bytes {
  return sequence(sequence(integer(0)), token)
}

export function refuseTimestamp(failure: TimestampFailure, text: string): Bytes {
  const bits = namedBits([failureNumber(failure)])
  return sequence(sequence(integer(2), sequence(utf8String(text)), bits))
}
