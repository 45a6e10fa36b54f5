/** Signing by phone: the codes that were given out, and how far the phone has come. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export type MobileSigning = Selectable<Schema['mobileSignings']>
type UnansweredState = 'new' | 'meta' | 'data'

export function addMobileSigningRow(
  tx: Tx,
  row: Insertable<Schema['mobileSignings']>,
): Promise<MobileSigning> {
  return tx.insertInto('mobileSignings').values(row).returningAll().executeTakeFirstOrThrow()
}

export function findMobileSigning(db: Db, id: string): Promise<MobileSigning | undefined> {
  return db.selectFrom('mobileSignings').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Of two simultaneous answers the second waits, and then sees the first. */
export function lockMobileSigning(tx: Tx, id: string): Promise<MobileSigning | undefined> {
  return tx.selectFrom('mobileSignings').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Does nothing if the signing has left these states meanwhile. */
export async function updateMobileSigning(
  tx: Tx,
  id: string,
  from: readonly UnansweredState[],
  changes: Updateable<Schema['mobileSignings']>,
): Promise<void> {
  await tx
    .updateTable('mobileSignings')
    .set(changes)
    .where('id', '=', id)
    .where('state', 'in', from)
    .execute()
}

export async function removeMobileSignings(tx: Tx, expiredBefore: Date): Promise<void> {
  await tx.deleteFrom('mobileSignings').where('expiresAt', '<', expiredBefore).execute()
}

export function getOutsider(db: Db, outsiderId: string) {
  return db
    .selectFrom('outsiders')
    .select(['id as outsiderId', 'iin', 'bin', 'fullName', 'givenKey'])
    .where('id', '=', outsiderId)
    .executeTakeFirstOrThrow()
}

export function findMembership(
  db: Db,
  { organizationId, userId }: { organizationId: string; userId: string },
) {
  return db
    .selectFrom('memberships')
    .select(['organizationId', 'roles'])
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export function getSignatureState(db: Db, signatureId: string) {
  return db
    .selectFrom('requestSignatures')
    .select(['id', 'state', 'verdict'])
    .where('id', '=', signatureId)
    .executeTakeFirstOrThrow()
}
