/** People who sign in by digital signature without an account. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { SignatureProof, SignInTables } from '@kelisim/db/schema/sign-in.ts'
import type { Language } from '@kelisim/texts/languages.ts'

export type Outsider = Selectable<SignInTables['signInOutsiders']>

/** The same person with the same numbers stays the same outsider, with the certificate of the latest sign-in. */
export async function saveOutsider(
  tx: Tx,
  proof: SignatureProof,
  language: Language,
  now: Date,
): Promise<Outsider> {
  const { iin, bin, fullName, organization, givenKey } = proof
  const seen = {
    fullName,
    organization,
    // Proofs saved before the kind of key was recorded count as the weakest kind.
    givenKey: givenKey ?? ('employee' as const),
    certificate: Buffer.from(proof.certificate, 'base64'),
    lastCameAt: now,
  }
  return tx
    .insertInto('signInOutsiders')
    .values({ id: newId(now.getTime()), iin, bin, ...seen, language, createdAt: now })
    .onConflict((conflict) => conflict.constraint('sign_in_outsiders_numbers_key').doUpdateSet(seen))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findOutsider(db: Db, id: string): Promise<Outsider | undefined> {
  return db.selectFrom('signInOutsiders').selectAll().where('id', '=', id).executeTakeFirst()
}
