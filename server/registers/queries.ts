/** What was registered in a journal. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import { counterpartyMask } from '@kelisim/domain/points/point-types.ts'
import { containing } from '../lists/containing.ts'
import type { ListOf, Page } from '../lists/page.ts'

export type EntryRow = {
  year: number
  counter: number
  number: string
  registeredAt: Date
  registeredBy: string
  signingRequestId: string
  name: string
  kind: string | null
  signingDate: string
  senderId: string
  senderName: string
  senderBin: string
  recipientName: string | null
  recipientBin: string | null
}

export type EntryFilter = { name?: string | undefined; year?: number | undefined }

function entries(db: Db, journalId: string, { name = '', year }: EntryFilter) {
  const pattern = containing(name)
  return db
    .selectFrom('registrations as g')
    .innerJoin('signingRequests as r', 'r.id', 'g.requestId')
    .innerJoin('users as u', 'u.id', 'g.registeredBy')
    .where('g.journalId', '=', journalId)
    .$if(year !== undefined, (query) =>
      query.where(
        sql<boolean>`g.registered_at >= make_date(${year}, 1, 1)::timestamp at time zone 'Asia/Almaty'
          and g.registered_at < make_date(${year}::int + 1, 1, 1)::timestamp at time zone 'Asia/Almaty'`,
      ),
    )
    .$if(name !== '', (query) =>
      query.where(
        sql<boolean>`(lower(g.number) like lower(${pattern}) or lower(r.name) like lower(${pattern}))`,
      ),
    )
}

function wholeEntries(db: Db, journalId: string, filter: EntryFilter) {
  return entries(db, journalId, filter)
    .leftJoin('documentKinds as k', (join) =>
      join.onRef('k.id', '=', 'r.kindId').onRef('k.organizationId', '=', 'g.organizationId'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('requestPoints as p')
          .select(['p.organizationName as recipientName', 'p.bin as recipientBin'])
          .whereRef('p.requestId', '=', 'r.id')
          .where('p.attempt', '=', 0)
          .where(sql<boolean>`p.type & ${sql.lit(counterpartyMask)} <> 0`)
          .orderBy('p.order')
          .orderBy('p.pointId')
          .limit(1)
          .as('p'),
      (join) => join.onTrue(),
    )
    .select([
      'g.year',
      'g.counter',
      'g.number',
      'g.registeredAt',
      'u.fullName as registeredBy',
      'r.id as signingRequestId',
      'r.name',
      'k.name as kind',
      'r.signingDate',
      'r.organizationId as senderId',
      'r.senderName',
      'r.senderBin',
      'p.recipientName',
      'p.recipientBin',
    ])
}

export async function findEntries(
  db: Db,
  journalId: string,
  filter: EntryFilter,
  { skip, take }: Page,
): Promise<ListOf<EntryRow>> {
  const items = await wholeEntries(db, journalId, filter)
    .orderBy('g.year', 'desc')
    .orderBy('g.counter', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const counted = entries(db, journalId, filter)
    .select('r.id')
    .limit(foundCountLimit + 1)
    .as('counted')
  const { count } = await db
    .selectFrom(counted)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

/** The entries after the given one, in order of number: a whole journal is read piece by piece. */
export function findEntriesAfter(
  db: Db,
  journalId: string,
  {
    after,
    take,
    year,
  }: { after: { year: number; counter: number }; take: number; year?: number | undefined },
): Promise<EntryRow[]> {
  return wholeEntries(db, journalId, { year })
    .where(sql<boolean>`(g.year, g.counter) > (${after.year}::int, ${after.counter}::int)`)
    .orderBy('g.year')
    .orderBy('g.counter')
    .limit(take)
    .execute()
}
