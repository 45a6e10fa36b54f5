/**
 * Signatures of the head of an organisation, proved by the role in the certificate, on powers of attorney and acts.
 */
import type { Db } from '@kelisim/db/db.ts'
import { givenKeyOf } from '@kelisim/domain/points/key-holder.ts'
import { fullNameOf } from '@kelisim/domain/signatures/owner.ts'
import { readableCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import type { KeptEvidence } from '../signatures/kept-evidence.ts'
import { findOwnSignatures } from './queries.ts'

export type HeadSignature = { fileName: string; signedBy: string; signedAt: Date }

export async function findHeadSignature(
  db: Db,
  of: { organizationId: string; bin: string; requestId: string },
): Promise<HeadSignature | null> {
  for (const { fileName, receivedAt, evidence } of await findOwnSignatures(db, of)) {
    const owner = ownerIn(evidence)
    if (owner?.bin === of.bin && givenKeyOf(owner) === 'head')
      return { fileName, signedBy: fullNameOf(owner), signedAt: receivedAt }
  }
  return null
}

function ownerIn(evidence: KeptEvidence | null) {
  const [own] = evidence?.certificates ?? []
  const certificate = own === undefined ? null : readableCertificate(Buffer.from(own, 'base64'))
  return certificate && ncaProfile(certificate)
}
