/** Tokens of programs, as their owners see them. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { containing } from '../lists/containing.ts'
import type { ListOf, Page } from '../lists/page.ts'
import { lockOrganization } from '../identity/core/membership-queries.ts'

export type TokenRow = Omit<Selectable<Schema['programTokens']>, 'tokenHash'> & {
  actsAsName: string
  madeByName: string
  isMemberThere: boolean
}

function tokens(db: Db) {
  return db
    .selectFrom('programTokens as t')
    .innerJoin('users as a', 'a.id', 't.actsAs')
    .innerJoin('users as u', 'u.id', 't.madeBy')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.userId', '=', 't.actsAs').onRef('m.organizationId', '=', 't.organizationId'),
    )
    .select([
      't.id',
      't.organizationId',
      't.name',
      't.ending',
      't.actsAs',
      't.scopes',
      't.addresses',
      't.expiresAt',
      't.madeBy',
      't.madeAt',
      't.lastUsedAt',
      't.lastUsedAddress',
      't.revokedBy',
      't.revokedAt',
      'a.fullName as actsAsName',
      'u.fullName as madeByName',
      sql<boolean>`m.user_id is not null`.as('isMemberThere'),
    ])
}

export async function findTokens(
  db: Db,
  organizationId: string,
  { name = '', skip, take }: Page & { name?: string | undefined },
): Promise<ListOf<TokenRow>> {
  const isNamed = sql<boolean>`${name === ''} or lower(t.name) like lower(${containing(name)})`
  const items = await tokens(db)
    .where('t.organizationId', '=', organizationId)
    .where(sql<boolean>`(${isNamed})`)
    // Tokens in use come first.
    .orderBy(sql`t.revoked_at is not null`)
    .orderBy('t.madeAt', 'desc')
    .orderBy('t.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom('programTokens as t')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('t.organizationId', '=', organizationId)
    .where(sql<boolean>`(${isNamed})`)
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

export function findTokenRow(db: Db, organizationId: string, id: string): Promise<TokenRow | undefined> {
  return tokens(db).where('t.organizationId', '=', organizationId).where('t.id', '=', id).executeTakeFirst()
}

export async function countValidTokens(tx: Tx, organizationId: string, now: Date): Promise<number> {
  await lockOrganization(tx, organizationId)
  const { count } = await tx
    .selectFrom('programTokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export async function isMember(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

export async function addTokenRow(tx: Tx, row: Insertable<Schema['programTokens']>): Promise<void> {
  await tx.insertInto('programTokens').values(row).execute()
}

/** False if it was revoked before. */
export async function revokeTokenRow(
  tx: Tx,
  id: string,
  revoked: { revokedBy: string; revokedAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('programTokens')
    .set(revoked)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The valid tokens that this person made. */
export function findProgramsOf(
  db: Db,
  organizationId: string,
  madeBy: string,
  now: Date,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('programTokens')
    .select(['id', 'name'])
    .where('organizationId', '=', organizationId)
    .where('madeBy', '=', madeBy)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('name')
    .execute()
}

/** The addresses of webhooks that are on and were made, or turned on last, by this person. */
export async function findAddressesOf(db: Db, organizationId: string, madeBy: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('url')
    .where('organizationId', '=', organizationId)
    .where('madeBy', '=', madeBy)
    .where('isOn', '=', true)
    .orderBy('url')
    .execute()
  return rows.map(({ url }) => url)
}

export async function findActingName(db: Db, userId: string): Promise<string> {
  const { fullName } = await db
    .selectFrom('users')
    .select('fullName')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return fullName
}
