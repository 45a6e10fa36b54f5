/** Answers questions about single certificates (RFC 6960), each with what the register says at this moment. */
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { isSame, toHex } from '@kelisim/signature/asn1/values.ts'
import type { CertId } from '@kelisim/signature/revocation/ocsp.ts'
import {
  answerOcsp,
  readOcspRequest,
  refuseOcsp,
  type OcspAnswer,
  type OcspRequest,
} from '@kelisim/signature/signer/ocsp-responder.ts'
import type { Bytes } from '@kelisim/signature/signer/keys.ts'
import type { Authority, Family } from './authorities.ts'
import type { Entry, Register } from './register.ts'
import { minute } from '@kelisim/domain/durations.ts'

export type OcspMatter = {
  families: readonly Family[]
  register: Register
  now: Date
  /** Who signs: the family's own responder, unless something is to be wrong. */
  signerOf: (family: Family) => Promise<Authority>
}

/** What is revoked now is known now: nobody need rely on an answer for longer than this. */
const freshFor = minute

export async function ocspAnswer(request: Uint8Array, matter: OcspMatter): Promise<Bytes> {
  const asked = readQuestions(request)
  if (!asked || asked.questions.length === 0) return refuseOcsp('malformedRequest')
  const families = asked.questions.map(({ id }) => matter.families.find((one) => isIssuer(one, id)))
  const [family] = families
  // one answer has one signer, and a responder speaks for one centre only
  if (!family || families.some((other) => other !== family)) return refuseOcsp('unauthorized')
  const signer = await matter.signerOf(family)
  const { now } = matter
  return answerOcsp({
    responder: { subject: signer.certificate.subject, keys: signer.key },
    producedAt: now,
    answers: asked.questions.map(({ der, id }) => ({
      question: der,
      status: statusOf(family, matter.register.entries.get(toHex(id.serial))),
      thisUpdate: now,
      nextUpdate: new Date(Number(now) + freshFor),
    })),
    nonce: asked.nonce,
    certificates: [signer.certificate.der],
  })
}

function readQuestions(request: Uint8Array): OcspRequest | null {
  try {
    return readOcspRequest(request)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

function isIssuer(
  { centre: { certificate } }: Family,
  { hash: name, issuerName, issuerKey }: CertId,
): boolean {
  return (
    name !== null &&
    isSame(issuerName, hash(name, certificate.subject)) &&
    isSame(issuerKey, hash(name, certificate.publicKey.bits))
  )
}

function statusOf({ centre }: Family, entry: Entry | undefined): OcspAnswer['status'] {
  if (!entry || !isSame(entry.certificate.issuer, centre.certificate.subject)) return 'unknown'
  if (!entry.revocation) return 'good'
  const { at, reason } = entry.revocation
  return { revokedAt: at, ...(reason !== 'unspecified' && { reason }) }
}
