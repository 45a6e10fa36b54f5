/**
 * In whose name a document is sent without an account: the organisation of the certificate, with the person as author.
 *
 *   confirmed organisation     that one: its owners see what is sent in its name, and its options apply
 *   sent before                the unclaimed organisation of that time
 *   neither                    a new unclaimed organisation
 *
 * An organisation that somebody typed and did not confirm is never used: strangers must not see what others send.
 */
import { refuse } from '@kelisim/domain/errors.ts'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { nameLine } from '@kelisim/domain/fields.ts'
import { fullNameOf, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import {
  findConfirmedOrUnclaimed,
  findMemberByIin,
  savePersonWithoutAccount,
} from '../identity/core/unclaimed-queries.ts'

export type SendingOrganization = {
  id: string
  bin: string
  shortName: string
  isNew: boolean
  isQuickRequestAllowed: boolean
  documentsUploadPdfOnly: boolean
}

/** The organisation as it is now; it is compared again in the transaction that sends. */
export async function sendingOrganization(
  db: Db,
  owner: CertificateOwner,
  number: string,
): Promise<SendingOrganization> {
  const known = await findConfirmedOrUnclaimed(db, number)
  // The name that the key proves now.
  const shortName = organizationName(owner, number)
  if (known) {
    const { livesAt, ...organization } = known
    if (livesAt !== null) refuse('organization-moved')
    return { ...organization, shortName, isNew: false }
  }
  return {
    id: newId(),
    bin: number,
    shortName,
    isNew: true,
    isQuickRequestAllowed: true,
    documentsUploadPdfOnly: false,
  }
}

/** The member of the organisation with the IIN of the certificate, or a person without an account. */
export async function authorOf(
  tx: Tx,
  organizationId: string,
  owner: CertificateOwner,
  language: Language,
  now: Date,
): Promise<string> {
  const { iin, bin } = owner
  const memberId = iin === null ? null : await findMemberByIin(tx, organizationId, iin)
  if (memberId !== null) return memberId
  const subject = [iin, bin].filter((number) => number !== null).join(' ')
  return savePersonWithoutAccount(tx, { subject, fullName: personName(owner), language }, now)
}

export function personName(owner: CertificateOwner): string {
  return nameLine(250).safeParse(fullNameOf(owner)).data ?? owner.iin ?? owner.bin ?? ''
}

/** The name in the certificate, unless it could be mistaken for a link in an e-mail. */
function organizationName(owner: CertificateOwner, number: string): string {
  const name = owner.bin === null ? fullNameOf(owner) : owner.organization
  return nameLine(250).safeParse(name).data ?? number
}
