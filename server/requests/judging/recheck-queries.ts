/** Signatures whose certificates are checked again a day after acceptance. */
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export type DueRecheck = { id: string; cms: Buffer; receivedAt: Date; tries: number }

/** Signatures accepted within these times that were never rechecked or are due to be tried again. */
export function findDueRechecks(
  db: Db,
  { acceptedAfter, acceptedBefore, now }: { acceptedAfter: Date; acceptedBefore: Date; now: Date },
): Promise<DueRecheck[]> {
  return db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureRechecks as r', 'r.signatureId', 's.id')
    .select(['s.id', 's.receivedAt', sql<number>`coalesce(r.tries, 0)`.as('tries')])
    .select(sql<Buffer>`coalesce(s.timestamped_cms, s.cms)`.as('cms'))
    .where('s.state', '=', 'accepted')
    .where('s.checkedAt', '<=', acceptedBefore)
    .where('s.checkedAt', '>', acceptedAfter)
    .where((eb) => eb.or([eb('r.signatureId', 'is', null), eb('r.nextTryAt', '<=', now)]))
    .orderBy('s.checkedAt')
    .limit(50)
    .execute()
}

/** False: another process has saved a result in the meantime. */
export async function saveRecheck(
  tx: Tx,
  signatureId: string,
  recheck: Omit<Insertable<Schema['signatureRechecks']>, 'signatureId'>,
): Promise<boolean> {
  const saved = await tx
    .insertInto('signatureRechecks')
    .values({ signatureId, ...recheck })
    .onConflict((conflict) =>
      conflict.column('signatureId').doUpdateSet(recheck).where('signatureRechecks.outcome', 'is', null),
    )
    .returning('signatureId')
    .executeTakeFirst()
  return saved !== undefined
}

/** The author of the request, and the owner of the signature. */
export function getAuthorToWarn(db: Db, signatureId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('signingRequests as r', 'r.id', 's.requestId')
    .innerJoin('users as u', 'u.id', 'r.authorId')
    .select(['r.id', 'r.name', 'r.organizationId', 'u.email', 'u.language', 's.owner', 's.actor'])
    .where('s.id', '=', signatureId)
    .executeTakeFirstOrThrow()
}
