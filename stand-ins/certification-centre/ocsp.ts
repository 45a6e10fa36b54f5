/** Responds to OCSP requests (RFC 6960) with the current state of the register. */
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
  /** The signer: the family's own responder, unless a fault is simulated. */
  signerOf: (family: Family) => Promise<Authority>
}

/** A revocation takes effect at once, so responses are valid no longer than this. */
const freshFor = minute

export async function ocspAnswer(request: Uint8Array, matter: OcspMatter): Promise<Bytes> {
  const asked = readQuestions(request)
  if (!asked || asked.questions.length === 0) return refuseOcsp('malformedRequest')
  const families = asked.questions.map(({ id }) => matter.families.find((one) => isIssuer(one, id)))
  const [family] = families
  // a response has one signer, and a responder is responsible for one centre only
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
