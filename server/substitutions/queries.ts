/** Queries about substitutions. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import type { Substitution } from '@kelisim/domain/substitutions/substitution.ts'

export type SubstitutionRow = Substitution & {
  id: string
  absentName: string
  substituteName: string
  endedAt: Date | null
}

/** The members for whom this person acts today, without those who have left the organisation. */
export async function findAbsent(
  db: Db,
  whose: { organizationId: string; userId: string },
  now: Date,
): Promise<string[]> {
  const rows = await absentOf(db, whose, now).execute()
  return rows.map(({ absentId }) => absentId)
}

/** `findAbsent` as a subquery. */
export function absentOf(
  db: Db,
  { organizationId, userId }: { organizationId: string; userId: string },
  now: Date,
) {
  const today = dateInAlmaty(now)
  return db
    .selectFrom('substitutions as s')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.organizationId', '=', 's.organizationId').onRef('m.userId', '=', 's.absentId'),
    )
    .select('s.absentId')
    .where('s.organizationId', '=', organizationId)
    .where('s.substituteId', '=', userId)
    .where('s.endedAt', 'is', null)
    .where('s.fromDate', '<=', today)
    .where('s.toDate', '>=', today)
    .orderBy('s.fromDate')
    .orderBy('s.id')
}

function wholeSubstitutions(db: Db, organizationId: string) {
  return db
    .selectFrom('substitutions as s')
    .innerJoin('users as a', 'a.id', 's.absentId')
    .innerJoin('users as u', 'u.id', 's.substituteId')
    .select(['s.id', 's.absentId', 's.substituteId', 's.fromDate as from', 's.toDate as to', 's.endedAt'])
    .select(['a.fullName as absentName', 'u.fullName as substituteName'])
    .where('s.organizationId', '=', organizationId)
}

export async function findSubstitutions(
  db: Db,
  { organizationId, userId }: { organizationId: string; userId: string },
  { skip, take }: { skip: number; take: number },
): Promise<{ items: SubstitutionRow[]; totalCount: number }> {
  const ofMine = wholeSubstitutions(db, organizationId).where((eb) =>
    eb.or([eb('s.absentId', '=', userId), eb('s.substituteId', '=', userId)]),
  )
  const [items, counted] = await Promise.all([
    ofMine.orderBy('s.fromDate', 'desc').orderBy('s.id', 'desc').offset(skip).limit(take).execute(),
    ofMine
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { items, totalCount: counted.count }
}

export function findSubstitution(
  db: Db,
  organizationId: string,
  id: string,
): Promise<SubstitutionRow | undefined> {
  return wholeSubstitutions(db, organizationId).where('s.id', '=', id).executeTakeFirst()
}

/** Locks the substitutions of the organisation, so that two people who name each other run one after the other. */
export async function lockSubstitutions(
  tx: Tx,
  organizationId: string,
  now: Date,
): Promise<SubstitutionRow[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('substitutions ' || ${organizationId}, 0))`.execute(
    tx,
  )
  return wholeSubstitutions(tx, organizationId)
    .where('s.endedAt', 'is', null)
    .where('s.toDate', '>=', dateInAlmaty(now))
    .execute()
}

export async function addSubstitutionRow(
  tx: Tx,
  { id, organizationId, from, to, ...people }: Substitution & { id: string; organizationId: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('substitutions')
    .values({ id, organizationId, ...people, fromDate: from, toDate: to, createdAt: now, endedAt: null })
    .execute()
}

/** When a member leaves, the substitutions they named and those that named them end for good. */
export async function endSubstitutionsOf(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
  by: string,
  now: Date,
): Promise<void> {
  const open = await lockSubstitutions(tx, organizationId, now)
  for (const { id, absentId, substituteId } of open) {
    if ([absentId, substituteId].includes(userId)) await endSubstitutionRow(tx, id, by, now)
  }
}

/** When this person named the nth last substitute. */
export async function findNamedBefore(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
  others: number,
): Promise<Date | null> {
  const row = await tx
    .selectFrom('substitutions')
    .select('createdAt')
    .where('organizationId', '=', organizationId)
    .where('absentId', '=', userId)
    .orderBy('createdAt', 'desc')
    .offset(others)
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt ?? null
}

export async function endSubstitutionRow(tx: Tx, id: string, by: string, now: Date): Promise<void> {
  await tx.updateTable('substitutions').set({ endedAt: now, endedBy: by }).where('id', '=', id).execute()
}

/** Where and in which language to write to a member. */
export function findRecipient(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['email', 'language'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
