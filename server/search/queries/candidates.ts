/**
 * Candidates: what the index knows and the viewer's lists hold. Frequent words are found early in the newest things of
 * the viewer, rare ones by the index; so a search costs the same however much there is.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import type { SearchKind } from '@kelisim/domain/search/contract.ts'

type Condition = RawBuilder<unknown>

/** An index range of a list that the viewer sees: of the table `l`, newest first. */
export type Branch = { table: string; id: string; at: string; condition: Condition }

/** One kind of things, as the lists of the viewer have them. */
export type Source = {
  kind: Exclude<SearchKind, 'counterparty'>
  branches: readonly Branch[]
  /** The table with the file of such a thing, whose text is searched too. */
  fileTable: 'signing_requests' | 'documents' | null
}

export type Candidate = { id: string; at: Date; isInText: boolean }

/** How many of the newest things are looked through, with their names and with their texts, which are longer. */
const newest = { names: 1000, texts: 200 }
/** With so many found among the newest, older ones are not looked for. */
const enough = 30
/** What the index finds is read no further than this: a word that so many old things have says too little. */
const mostByIndex = 2000
/** The same for texts. */
const enoughTexts = 10
const mostTextsByIndex = 1000

const reservedForTexts = 20
/** Among which the word is looked for that was meant by a mistyped one. */
const mostWords = 5000

/** `limit`: how many are ranked. */
export async function findCandidates(db: Db, source: Source, asked: Asked): Promise<Candidate[]> {
  const { limit } = asked
  if (source.branches.length === 0) return []
  const [named, written] = await Promise.all([
    findNamed(db, source, asked),
    source.fileTable === null ? [] : findWritten(db, source, asked),
  ])
  // What is named so is ranked; of what has it in its text, the newest fill up the rest.
  return merged([...named, ...written.slice(0, Math.max(reservedForTexts, limit - named.length))])
}

/** `keys` of names, `textKeys` of texts. */
export type Asked = { query: string; keys: readonly string[]; textKeys: readonly string[]; limit: number }

async function findNamed(db: Db, source: Source, asked: Asked): Promise<Candidate[]> {
  const { found, isAll } = await findAmongNewest(db, source, asked.query, asked.limit)
  if (isAll || found.length >= Math.min(enough, asked.limit)) return found
  return merged([...found, ...(await findByIndex(db, source, asked))]).slice(0, asked.limit)
}

/** The newest things, without a query. */
export async function findNewest(db: Db, { branches }: Source, limit: number): Promise<Candidate[]> {
  if (branches.length === 0) return []
  const { rows } = await sql<{ id: string; at: Date }>`
    select id, max(at) as at from (${newestOf(branches, limit)}) newest
    group by id order by max(at) desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, isInText: false }))
}

/** The words of the newest things, without the keys among them; those that more things have come first. */
export async function findWords(db: Db, { kind, branches }: Source): Promise<string[]> {
  if (branches.length === 0) return []
  const ofEach = Math.ceil(newest.names / branches.length)
  const { rows } = await sql<{ word: string }>`
    with newest as materialized (select distinct id from (${newestOf(branches, ofEach)}) newest)
    select word from newest n join search_entries e on e.kind = ${kind} and e.id = n.id,
      lateral unnest(tsvector_to_array(e.words)) word
    where word not like '@%' group by word order by count(*) desc, word limit ${mostWords}`.execute(db)
  return rows.map(({ word }) => word)
}

function newestOf(branches: readonly Branch[], limit: number): Condition {
  return sql.join(
    branches.map(
      ({ table, id, at, condition }) => sql`(
        select l.${sql.raw(id)} as id, l.${sql.raw(at)} as at from ${sql.table(table)} l
        where ${condition} order by l.${sql.raw(at)} desc limit ${limit})`,
    ),
    sql` union all `,
  )
}

async function findAmongNewest(
  db: Db,
  { kind, branches }: Source,
  query: string,
  limit: number,
): Promise<{ found: Candidate[]; isAll: boolean }> {
  const ofEach = Math.ceil(newest.names / branches.length)
  const { rows } = await sql<{ id: string; at: Date; read: number }>`
    with newest as materialized (
      select id, max(at) as at, count(*) as times from (${newestOf(branches, ofEach)}) newest group by id),
    found as (
      select n.id, n.at from newest n join search_entries e on e.kind = ${kind} and e.id = n.id
      where e.words @@ ${query}::tsquery order by n.at desc limit ${limit})
    select id, at, (select coalesce(sum(times), 0)::int from newest) as read from found
    union all
    select null, null, coalesce(sum(times), 0)::int from newest`.execute(db)
  const read = rows.at(-1)!.read
  const found = rows.filter(({ id }) => id !== null).map(({ id, at }) => ({ id, at, isInText: false }))
  // No range was cut off.
  return { found, isAll: read < ofEach }
}

async function findByIndex(
  db: Db,
  { kind, branches }: Source,
  { query, keys, limit }: Asked,
): Promise<Candidate[]> {
  const wanted = `(${query}) & '@k${kind}' & (${keys.map((key) => `'${key}'`).join(' | ')})`
  const { rows } = await sql<{ id: string; at: Date }>`
    with found as materialized (select search_found(${wanted}::tsquery, ${mostByIndex}) as id)
    ${seenAmong(sql`found`, branches)} limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, isInText: false }))
}

/** Those of the found things that the viewer's lists have, the newest first. */
function seenAmong(found: RawBuilder<unknown>, branches: Source['branches']): RawBuilder<unknown> {
  const seen = branches.map(
    ({ table, id, at, condition }) => sql`
      select l.${sql.raw(id)} as id, l.${sql.raw(at)} as at from ${sql.table(table)} l
      where l.${sql.raw(id)} = any (array(select id from ${found})) and ${condition}`,
  )
  return sql`select id, max(at) as at from (${sql.join(seen, sql` union all `)}) seen
    group by id order by max(at) desc`
}

/** In the texts of the viewer's newest things, then of all that the index knows. */
async function findWritten(db: Db, source: Source, asked: Asked): Promise<Candidate[]> {
  const { branches, fileTable } = source
  const ofEach = Math.ceil(newest.texts / branches.length)
  const { rows } = await sql<{ id: string; at: Date }>`
    with newest as materialized (
      select id, max(at) as at from (${newestOf(branches, ofEach)}) newest group by id)
    select n.id, n.at from newest n
      join ${sql.table(fileTable!)} f on f.id = n.id join search_texts t on t.file_id = f.file_id
    where t.words @@ ${asked.query}::tsquery order by n.at desc limit ${asked.limit}`.execute(db)
  const found = rows.map((row) => ({ ...row, isInText: true }))
  if (found.length >= Math.min(enoughTexts, asked.limit)) return found
  return merged([...found, ...(await findWrittenByIndex(db, source, asked))])
}

async function findWrittenByIndex(
  db: Db,
  { branches, fileTable }: Source,
  { query, textKeys, limit }: Asked,
): Promise<Candidate[]> {
  const { rows } = await sql<{ id: string; at: Date }>`
    with found as materialized (
      select search_texts_found(${textKeys}::text[], ${query}::tsquery, ${mostTextsByIndex}) as file_id),
    things as materialized (
      select f.id from ${sql.table(fileTable!)} f where f.file_id = any (array(select file_id from found)))
    ${seenAmong(sql`things`, branches)} limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, isInText: true }))
}

function merged(candidates: readonly Candidate[]): Candidate[] {
  const byId = new Map<string, Candidate>()
  for (const one of candidates) {
    const known = byId.get(one.id)
    byId.set(one.id, { ...one, isInText: one.isInText || (known?.isInText ?? false) })
  }
  return [...byId.values()].toSorted((one, other) => other.at.getTime() - one.at.getTime())
}
