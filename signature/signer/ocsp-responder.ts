/** Responds to OCSP requests (RFC 6960) like a centre's responder. */
import {
  constructed,
  elements,
  finish,
  inside,
  primitive,
  read,
  tags,
  take,
  takeExplicit,
} from '../asn1/read.ts'
import { takeSmallInteger } from '../asn1/values.ts'
import { bitString, element, explicit, generalizedTime, octetString, oid, sequence } from '../asn1/write.ts'
import { readExtensions } from '../certificates/certificate.ts'
import { ocspOids, takeCertId, type CertId, type OcspStatus } from '../revocation/ocsp.ts'
import type { RevocationReason } from '../revocation/reasons.ts'
import { extension } from './extensions.ts'
import { writtenReason, type Party } from './issue.ts'
import type { Bytes } from './keys.ts'

export type OcspRequest = {
  /** Each question as requested, to be repeated in the response, and parsed. */
  questions: { der: Uint8Array; id: CertId }[]
  /** The extension's value, to be repeated. */
  nonce: Uint8Array | null
}

export function readOcspRequest(bytes: Uint8Array): OcspRequest {
  const outer = inside(read(bytes, tags.sequence))
  const fields = inside(take(outer, tags.sequence))
  const version = takeExplicit(fields, 0)
  if (version) takeSmallInteger(version)
  takeExplicit(fields, 1)
  const questions = elements(take(fields, tags.sequence)).map((request) => {
    const [der] = elements(request).map(({ whole }) => whole)
    return { der: der!, id: takeCertId(inside(request)) }
  })
  const extensionField = takeExplicit(fields, 2)
  finish(fields)
  const extensions = extensionField && readExtensions(take(extensionField, tags.sequence))
  return { questions, nonce: extensions?.get(ocspOids.nonce)?.value ?? null }
}

export type OcspAnswer = {
  /** The requested CertID. */
  question: Uint8Array
  status: 'good' | 'unknown' | { revokedAt: Date; reason?: RevocationReason }
  thisUpdate: Date
  nextUpdate?: Date
  extensions?: readonly Uint8Array[]
}

export type OcspParts = {
  responder: Party
  /** How the responder identifies itself. */
  by?: 'name' | 'key'
  producedAt: Date
  answers: readonly OcspAnswer[]
  /** The value of the request's extension. */
  nonce?: Uint8Array | null
  extensions?: readonly Uint8Array[]
  /** By default the responder's own certificate. */
  certificates?: readonly Uint8Array[]
}

export async function answerOcsp(parts: OcspParts): Promise<Bytes> {
  const { responder, by = 'name', producedAt, nonce, certificates = [] } = parts
  const extensions = [...(nonce ? [extension(ocspOids.nonce, nonce)] : []), ...(parts.extensions ?? [])]
  const tbs = sequence(
    by === 'name' ? explicit(1, responder.subject) : explicit(2, octetString(responder.keys.keyId)),
    generalizedTime(producedAt),
    sequence(...parts.answers.map(writtenAnswer)),
    ...(extensions.length > 0 ? [explicit(1, sequence(...extensions))] : []),
  )
  const basic = sequence(
    tbs,
    responder.keys.signatureAlgorithm,
    bitString(await responder.keys.sign(tbs)),
    ...(certificates.length > 0 ? [explicit(0, sequence(...certificates))] : []),
  )
  const body = sequence(oid(ocspOids.basicResponse), octetString(basic))
  return sequence(element(tags.enumerated, Uint8Array.of(0)), explicit(0, body))
}

function writtenAnswer({ question, status, thisUpdate, nextUpdate, extensions = [] }: OcspAnswer): Bytes {
  return sequence(
    question,
    writtenStatus(status),
    generalizedTime(thisUpdate),
    ...(nextUpdate ? [explicit(0, generalizedTime(nextUpdate))] : []),
    ...(extensions.length > 0 ? [explicit(1, sequence(...extensions))] : []),
  )
}

function writtenStatus(status: OcspAnswer['status']): Bytes {
  if (status === 'good') return element(primitive(0))
  if (status === 'unknown') return element(primitive(2))
  const { revokedAt, reason } = status
  return element(
    constructed(1),
    generalizedTime(revokedAt),
    ...(reason ? [explicit(0, writtenReason(reason))] : []),
  )
}

const statusNumbers: Record<Exclude<OcspStatus, 'successful'>, number> = {
  malformedRequest: 1,
  internalError: 2,
  tryLater: 3,
  sigRequired: 5,
  unauthorized: 6,
}

/** An unsigned error response with its status. */
export function refuseOcsp(status: Exclude<OcspStatus, 'successful'>): Bytes {
  return sequence(element(tags.enumerated, Uint8Array.of(statusNumbers[status])))
}
