/** People who presented a signature of a confirmed organisation and wait for its owners. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { ListOf, Page } from '../../lists/page.ts'

/** False if the person is already waiting there. */
export async function addJoinRequest(
  tx: Tx,
  row: { id: string; organizationId: string; userId: string; signatureId: string; createdAt: Date },
): Promise<boolean> {
  const added = await tx
    .insertInto('joinRequests')
    .values({ ...row, decidedAt: null, decidedBy: null, isAccepted: null })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'userId']).where('decidedAt', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

export function findJoinRequestsOf(
  db: Db,
  userId: string,
): Promise<{ id: string; organizationName: string; bin: string; createdAt: Date }[]> {
  return db
    .selectFrom('joinRequests as r')
    .innerJoin('organizations as o', 'o.id', 'r.organizationId')
    .select(['r.id', 'o.shortName as organizationName', 'o.bin', 'r.createdAt'])
    .where('r.userId', '=', userId)
    .where('r.decidedAt', 'is', null)
    .orderBy('r.createdAt')
    .orderBy('r.id')
    .execute()
}

export type JoinRequestRow = {
  id: string
  fullName: string
  email: string
  signedBy: string
  createdAt: Date
}

export async function findJoinRequests(
  db: Db,
  organizationId: string,
  page: Page,
): Promise<ListOf<JoinRequestRow>> {
  const waiting = db
    .selectFrom('joinRequests as r')
    .innerJoin('users as u', 'u.id', 'r.userId')
    .innerJoin('organizationSignatures as s', 's.id', 'r.signatureId')
    .where('r.organizationId', '=', organizationId)
    .where('r.decidedAt', 'is', null)
  const items = await waiting
    .select(['r.id', 'u.fullName', 'u.email', 'r.createdAt'])
    .select(sql<string>`s.evidence -> 'owner' ->> 'fullName'`.as('signedBy'))
    .orderBy('r.createdAt')
    .orderBy('r.id')
    .offset(page.skip)
    .limit(page.take)
    .execute()
  const { count } = await waiting
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

/** Records the decision and returns the person it concerns; undefined if it was decided before. */
export function decideJoinRequest(
  tx: Tx,
  { organizationId, joinRequestId }: { organizationId: string; joinRequestId: string },
  decision: { decidedAt: Date; decidedBy: string; isAccepted: boolean },
): Promise<{ userId: string } | undefined> {
  return tx
    .updateTable('joinRequests')
    .set(decision)
    .where('id', '=', joinRequestId)
    .where('organizationId', '=', organizationId)
    .where('decidedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst()
}

/** The addresses of the owners who are to decide. */
export function findOwnersMail(
  db: Db,
  organizationId: string,
): Promise<{ email: string; language: Language }[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['u.email', 'u.language'])
    .where('m.organizationId', '=', organizationId)
    .where('u.email', '<>', '')
    .where((eb) => eb(sql<number>`m.roles & ${roles.of('Owner')}`, '>', 0))
    .execute()
}
