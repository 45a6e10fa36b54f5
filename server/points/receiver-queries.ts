/** Recipients by number: confirmed organisations and their published points. */
import { sql } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import { isPersonNumber } from '@kelisim/domain/numbers.ts'
import type { KeyHolder } from '@kelisim/domain/points/key-holder.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'

export type ReceiverRow = { organizationId: string; name: string; accepts: number }

/**
 * The name that the organisation with this number has proved; it replaces any name that others gave it. The name of a
 * person is not told to callers who only know the number.
 */
export function provedName(bin: string, receiver: ReceiverRow | null): string | null {
  return isPersonNumber(bin) ? null : (receiver?.name ?? null)
}

/**
 * Only a confirmed organisation that lives here counts: one that has moved away receives like one without an account.
 */
export async function findReceiver(db: Db | Tx, bin: string): Promise<ReceiverRow | null> {
  return (await findReceivers(db, [bin])).get(bin) ?? null
}

/** The receivers by their number; unknown numbers are left out. */
export async function findReceivers(db: Db | Tx, bins: string[]): Promise<Map<string, ReceiverRow>> {
  if (bins.length === 0) return new Map()
  const found = await db
    .selectFrom('organizations')
    .select(['bin', 'id as organizationId', 'shortName as name'])
    .select('allowedPointTypesForIncomingSigningRequests as accepts')
    .where('bin', 'in', bins)
    .where('confirmedAt', 'is not', null)
    .where('livesAt', 'is', null)
    .modifyEnd(byKey)
    .execute()
  return new Map(found.map(({ bin, ...receiver }) => [bin, receiver]))
}

export type PublishedRow = {
  id: string
  name: string
  description: string
  type: number
  keyHolder: KeyHolder
}

export async function findPublished(
  db: Db,
  organizationId: string,
  filter: { name: string; skip: number; take: number },
): Promise<{ items: PublishedRow[]; totalCount: number }> {
  const published = db
    .selectFrom('points as p')
    .where('p.organizationId', '=', organizationId)
    // Literals: the planner must see that this is the condition of the partial index.
    .where(sql<boolean>`p.type = ${sql.lit(pointTypes.of('CounterParty'))} and p.is_active`)
    .$if(filter.name !== '', (query) =>
      query.where(sql<boolean>`lower(p.name) like name_pattern(${filter.name})`),
    )
  const counted = published
    .select('p.id')
    .limit(foundCountLimit + 1)
    .as('counted')
  const [items, { count }] = await Promise.all([
    published
      .select(['p.id', 'p.name', 'p.description', 'p.type', 'p.keyHolder'])
      .orderBy('p.name')
      .orderBy('p.id')
      .offset(filter.skip)
      .limit(filter.take)
      .execute(),
    db
      .selectFrom(counted)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { items, totalCount: count }
}
