/**
 * Filters that few requests meet. A list is read in the order shown until its page is full. If hardly any request
 * meets the filter, that takes long, so the few are looked up first and only they are listed. If many meet it, the
 * page is full soon.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { counterpartyMask } from '@kelisim/domain/points/point-types.ts'
import { containing } from '../../../lists/containing.ts'

const few = 1000
const fewPeople = 100
/** With this few, looking further costs more than it saves. */
const fewEnough = 20

/**
 * All requests of any organisation that meet one of these filters, if they are few; null: there are many, or no
 * filter.
 */
export async function findFew(
  db: Db,
  { author, bin, classifierId }: { author: string; bin: string | null; classifierId: string | null },
  /** Further queries, each for the requests of this list that meet another filter. */
  inList: readonly RawBuilder<unknown>[] = [],
): Promise<string[] | null> {
  const lookUps = [
    ...inList.map((query) => () => atMost(db, query)),
    ...(author === '' ? [] : [() => ofAuthor(db, author)]),
    ...(bin === null ? [] : [() => atMost(db, ofNumber(bin))]),
    ...(classifierId === null ? [] : [() => atMost(db, ofTag(classifierId))]),
  ]
  let fewest: string[] | null = null
  for (const lookUp of lookUps) {
    const found = await lookUp()
    if (found && (fewest === null || found.length < fewest.length)) fewest = found
    if (fewest && fewest.length <= fewEnough) break
  }
  return fewest
}

async function atMost(db: Db, requests: RawBuilder<unknown>): Promise<string[] | null> {
  const { rows } = await sql<{ id: string }>`
    select id from (${requests}) found limit ${few + 1}`.execute(db)
  return rows.length > few ? null : rows.map(({ id }) => id)
}

async function ofAuthor(db: Db, author: string): Promise<string[] | null> {
  const { rows } = await sql<{ id: string }>`
    select id from users where lower(full_name) like lower(${containing(author)})
    limit ${fewPeople + 1}`.execute(db)
  if (rows.length > fewPeople) return null
  const people = rows.map(({ id }) => id)
  if (people.length === 0) return []
  return atMost(db, sql`select id from signing_requests where author_id = any (${people}::uuid[])`)
}

/** Requests whose sender or recipient has the number; the list decides which of them the reader may see. */
function ofNumber(bin: string): RawBuilder<unknown> {
  return sql`
    select request_id as id from request_points
    where bin = ${bin} and attempt = 0 and type & ${sql.lit(counterpartyMask)} <> 0
    union all
    select r.id from organizations o join signing_requests r on r.organization_id = o.id where o.bin = ${bin}`
}

function ofTag(classifierId: string): RawBuilder<unknown> {
  return sql`select request_id as id from request_classifiers where classifier_id = ${classifierId}`
}
