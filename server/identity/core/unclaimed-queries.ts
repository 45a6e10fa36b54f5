/**
 * Organisations and authors of documents that were sent without an account: they have no members, and nobody can sign
 * in yet.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { landingIssuer } from '@kelisim/domain/identity/own-issuers.ts'
import type { Language } from '@kelisim/texts/languages.ts'

/** The confirmed organisation with this number, or the unclaimed one; never one whose number was merely typed in. */
export function findConfirmedOrUnclaimed(db: Db, bin: string) {
  return db
    .selectFrom('organizations')
    .select(['id', 'bin', 'shortName', 'isQuickRequestAllowed', 'documentsUploadPdfOnly', 'livesAt'])
    .where('bin', '=', bin)
    .where((eb) => eb.or([eb('confirmedAt', 'is not', null), eb('isUnclaimed', '=', true)]))
    .orderBy('isUnclaimed')
    .executeTakeFirst()
}

export async function isUnclaimed(db: Db, organizationId: string): Promise<boolean> {
  const organization = await db
    .selectFrom('organizations')
    .select('isUnclaimed')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return organization.isUnclaimed
}

/**
 * Keeps others from creating or claiming an organisation with this number until the transaction ends. An advisory
 * lock, because there may be no row to lock.
 */
export async function lockOrganizationNumber(tx: Tx, bin: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`organization ${bin}`}, 0))`.execute(tx)
}

export async function addUnclaimedOrganization(
  tx: Tx,
  organization: {
    id: string
    bin: string
    shortName: string
    isIndividual: boolean
    email: string
    phone: string
    createdAt: Date
  },
): Promise<void> {
  await tx
    .insertInto('organizations')
    .values({ ...organization, confirmedAt: null, isUnclaimed: true })
    .execute()
}

/** The member with this IIN; of several accounts the one that joined first. */
export async function findMemberByIin(db: Db, organizationId: string, iin: string): Promise<string | null> {
  const member = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select('u.id')
    .where('m.organizationId', '=', organizationId)
    .where('u.iin', '=', iin)
    .orderBy('m.joinedAt')
    .executeTakeFirst()
  return member?.id ?? null
}

/** Saves the person in a certificate who has no account, in the same row each time they send. */
export async function savePersonWithoutAccount(
  tx: Tx,
  { subject, fullName, language }: { subject: string; fullName: string; language: Language },
  now: Date,
): Promise<string> {
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
