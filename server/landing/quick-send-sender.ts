/**
 * In whose name a document is sent without an account: the organisation of the certificate, and the person as its author.
 *
 *   confirmed here        that one: its owners see what is sent in its name, and its options hold
 *   sent from before      the same as then, which nobody belongs to yet
 *   neither               a new one, which nobody belongs to
 *
 * One that somebody typed and did not confirm is never taken: strangers must not come to see what others send.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { nameLine } from '@kelisim/domain/fields.ts'
import { fullNameOf, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import type { Language } from '@kelisim/texts/languages.ts'

export type SendingOrganization = {
  id: string
  bin: string
  shortName: string
  isNew: boolean
  isQuickRequestAllowed: boolean
  documentsUploadPdfOnly: boolean
}

/** As things are now; to be held against what they are when it is written. */
export async function sendingOrganization(
  db: Db,
  owner: CertificateOwner,
  number: string,
): Promise<SendingOrganization> {
  const known = await db
    .selectFrom('organizations')
    .select(['id', 'bin', 'shortName', 'isQuickRequestAllowed', 'documentsUploadPdfOnly'])
    .where('bin', '=', number)
    .where((eb) => eb.or([eb('confirmedAt', 'is not', null), eb('isUnclaimed', '=', true)]))
    .orderBy('isUnclaimed')
    .executeTakeFirst()
  if (known) return { ...known, isNew: false }
  const options = { isQuickRequestAllowed: true, documentsUploadPdfOnly: false }
  return { id: newId(), bin: number, shortName: nameOf(owner, number), isNew: true, ...options }
}

/** Until the transaction ends nobody else makes or claims one with the number: the same words as claims use. */
export async function lockNumber(tx: Tx, number: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`organization ${number}`}, 0))`.execute(tx)
}

export async function addUnclaimed(
  tx: Tx,
  { id, bin, shortName }: SendingOrganization,
  contacts: { isIndividual: boolean; email: string; phone: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('organizations')
    .values({ id, bin, shortName, confirmedAt: null, isUnclaimed: true, createdAt: now, ...contacts })
    .execute()
}

/** Nobody signs in by it: there is no such sign-in service. */
const landingIssuer = 'urn:kelisim:landing'

/** Somebody of the organisation whose number it is, or whoever the certificate names, without a way in. */
export async function authorOf(
  tx: Tx,
  organizationId: string,
  owner: CertificateOwner,
  language: Language,
  now: Date,
): Promise<string> {
  const { iin, bin } = owner
  const member =
    iin === null
      ? undefined
      : await tx
          .selectFrom('memberships as m')
          .innerJoin('users as u', 'u.id', 'm.userId')
          .select('u.id')
          .where('m.organizationId', '=', organizationId)
          .where('u.iin', '=', iin)
          .orderBy('m.joinedAt')
          .executeTakeFirst()
  if (member) return member.id
  const subject = [iin, bin].filter((number) => number !== null).join(' ')
  const fullName = personName(owner)
  const { id } = await tx
    .insertInto('users')
    .values({
      id: newId(),
      issuer: landingIssuer,
      subject,
      login: '',
      fullName,
      email: '',
      language,
      isEmailConfirmed: false,
      iin: null,
      agreementVersion: null,
      agreementAcceptedAt: null,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ fullName }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function personName(owner: CertificateOwner): string {
  return nameLine(250).safeParse(fullNameOf(owner)).data ?? owner.iin ?? owner.bin ?? ''
}

/** As the certificate calls it, if that can stand in letters to people. */
function nameOf(owner: CertificateOwner, number: string): string {
  const name = owner.bin === null ? fullNameOf(owner) : owner.organization
  return nameLine(250).safeParse(name).data ?? number
}
