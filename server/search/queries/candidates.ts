/**
 * Candidates: things that the index has and the viewer's lists contain. Frequent words are found early among the
 * newest things of the viewer, rare ones by the index; so the cost of a search does not grow with the number of
 * things.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import type { SearchKind } from '@kelisim/domain/search/contract.ts'

type Condition = RawBuilder<unknown>

/** An index range of a list that the viewer sees: of the table `l`, newest first. */
export type Branch = { table: string; id: string; at: string; condition: Condition }

/** One kind of things, and the ranges of the viewer's lists that contain them. */
export type Source = {
  kind: Exclude<SearchKind, 'counterparty'>
  branches: readonly Branch[]
  /** The table with the file of such a thing, whose text is searched too. */
  fileTable: 'signing_requests' | 'documents' | null
}

export type Candidate = { id: string; at: Date; isInText: boolean }

/** How many of the newest things are searched by name, and by text, which is longer. */
const newest = { names: 1000, texts: 200 }
/** When so many are found among the newest things, older ones are not searched. */
const enough = 30
/**
 * If searching up to this many of the newest things promises enough results, they are searched instead of the index.
 */
const mostNewest = 5000
/** The most matches that are read from the index: a word that occurs in so many old things says too little. */
const mostByIndex = 2000
/**
 * A word that at most this many of the newest things have is rare: the index is searched for it alone, and its
 * matches are filtered.
 */
const mostOfRare = 20
/** The limits `enough` and `mostByIndex` for texts. */
const enoughTexts = 10
const mostTextsByIndex = 500

const reservedForTexts = 20
/** The most words among which the word meant by a mistyped one is looked for. */
const mostWords = 5000

/** `limit`: how many candidates are ranked. */
export async function findCandidates(db: Db, source: Source, asked: CandidateSearch): Promise<Candidate[]> {
  const { limit } = asked
  if (source.branches.length === 0) return []
  const [named, written] = await Promise.all([
    findNamed(db, source, asked),
    source.fileTable === null ? [] : findWritten(db, source, asked),
  ])
  // All matches by name are ranked; the newest matches by text fill up the rest.
  return merged([...named, ...written.slice(0, Math.max(reservedForTexts, limit - named.length))])
}

/** Every term must match. `keys` limit the search of names, `textKeys` that of texts. */
export type CandidateSearch = {
  terms: readonly string[]
  keys: readonly string[]
  textKeys: readonly string[]
  limit: number
}

async function findNamed(db: Db, source: Source, asked: CandidateSearch): Promise<Candidate[]> {
  const wanted = Math.min(enough, asked.limit)
  const take = Math.ceil(newest.names / source.branches.length)
  const near = await findAmongNewest(db, source, asked, { skip: 0, take })
  if (near.isAll || near.found.length >= wanted) return near.found
  // Half as many again, because matches are not spread evenly.
  const times = (wanted * 1.5) / near.found.length
  const isFar = near.read * times > mostNewest
  const next = { skip: take, take: Math.ceil(take * (times - 1)) }
  const far = isFar ? nothing : await findAmongNewest(db, source, asked, next)
  const found = merged([...near.found, ...far.found])
  if (far.isAll || found.length >= wanted) return found.slice(0, asked.limit)
  const older = (await findByRarest(db, source, asked, near.counts)) ?? (await findByIndex(db, source, asked))
  return merged([...found, ...older]).slice(0, asked.limit)
}

const nothing = { found: [], isAll: false }

/** The newest things, without a query. */
export async function findNewest(db: Db, { branches }: Source, limit: number): Promise<Candidate[]> {
  if (branches.length === 0) return []
  const { rows } = await sql<{ id: string; at: Date }>`
    select id, max(at) as at from (${newestOf(branches, { skip: 0, take: limit })}) newest
    group by id order by max(at) desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, isInText: false }))
}

/** The words of the newest things, without the keys among them; those that more things have come first. */
export async function findWords(db: Db, { kind, branches }: Source): Promise<string[]> {
  if (branches.length === 0) return []
  const take = Math.ceil(newest.names / branches.length)
  const { rows } = await sql<{ word: string }>`
    with newest as materialized (select distinct id from (${newestOf(branches, { skip: 0, take })}) newest)
    select word from newest n join search_entries e on e.kind = ${kind} and e.id = n.id,
      lateral unnest(tsvector_to_array(e.words)) word
    where word not like '@%' group by word order by count(*) desc, word limit ${mostWords}`.execute(db)
  return rows.map(({ word }) => word)
}

/** Which rows of each range are read. */
type Stretch = { skip: number; take: number }

function newestOf(branches: readonly Branch[], { skip, take }: Stretch): Condition {
  return sql.join(
    branches.map(
      ({ table, id, at, condition }) => sql`(
        select l.${sql.raw(id)} as id, l.${sql.raw(at)} as at from ${sql.table(table)} l
        where ${condition} order by l.${sql.raw(at)} desc offset ${skip} limit ${take})`,
    ),
    sql` union all `,
  )
}

type AmongNewest = {
  found: Candidate[]
  /** How many things were searched, and whether these were all of every range. */
  read: number
  isAll: boolean
  /** For each term, how many of the searched things have it. */
  counts: number[]
}

async function findAmongNewest(
  db: Db,
  { kind, branches }: Source,
  { terms, limit }: CandidateSearch,
  stretch: Stretch,
): Promise<AmongNewest> {
  const has = sql.join(terms.map((term) => sql`e.words @@ ${term}::tsquery`))
  const counts = sql.join(terms.map((_, i) => sql`count(*) filter (where has[${sql.lit(i + 1)}])`))
  const { rows } = await sql<{ id: string; at: Date; read: number; counts: number[] }>`
    with newest as materialized (
      select id, max(at) as at, count(*) as times from (${newestOf(branches, stretch)}) newest group by id),
    looked as materialized (
      select n.id, n.at, array[${has}] as has from newest n join search_entries e on e.kind = ${kind} and e.id = n.id),
    found as (select id, at from looked where true = all (has) order by at desc limit ${limit})
    select id, at, null as read, null as counts from found
    union all
    select null, null, (select coalesce(sum(times), 0)::int from newest), (select array[${counts}]::int[] from looked)`.execute(
    db,
  )
  const { read, counts: ofTerms } = rows.at(-1)!
  const found = rows.slice(0, -1).map(({ id, at }) => ({ id, at, isInText: false }))
  return { found, read, isAll: read < stretch.take, counts: ofTerms }
}

/**
 * Searches the index for the rarest term alone, because joining terms would read the whole list of each, however
 * long. Null: no term is rare, or it has more matches than are read.
 */
async function findByRarest(
  db: Db,
  source: Source,
  asked: CandidateSearch,
  counts: readonly number[],
): Promise<Candidate[] | null> {
  const fewest = Math.min(...counts)
  if (fewest > mostOfRare) return null
  const rarest = asked.terms[counts.indexOf(fewest)]!
  const { rows } = await sql<{ id: string | null; at: Date }>`
    with found as materialized (
      select search_found_by(${rarest}::tsquery, ${wantedOf(source, asked)}::tsquery, ${mostByIndex}) as id)
    (${seenAmong(sql`found`, source.branches)} limit ${asked.limit})
    union all
    select id, null from found where id is null`.execute(db)
  if (rows.at(-1)?.id === null) return null
  return rows.map(({ id, at }) => ({ id: id!, at, isInText: false }))
}

async function findByIndex(db: Db, source: Source, asked: CandidateSearch): Promise<Candidate[]> {
  const { rows } = await sql<{ id: string; at: Date }>`
    with found as materialized (
      select search_found(${wantedOf(source, asked)}::tsquery, ${mostByIndex}) as id)
    ${seenAmong(sql`found`, source.branches)} limit ${asked.limit}`.execute(db)
  return rows.map((row) => ({ ...row, isInText: false }))
}

/** The query for things of this kind with every term and at least one key of the viewer. */
function wantedOf({ kind }: Source, { terms, keys }: CandidateSearch): string {
  const whose = keys.map((key) => `'${key}'`).join(' | ')
  return [...terms, `'@k${kind}'`, `(${whose})`].join(' & ')
}

/** The found things that the viewer's lists contain, the newest first. */
function seenAmong(found: RawBuilder<unknown>, branches: Source['branches']): RawBuilder<unknown> {
  const seen = branches.map(
    ({ table, id, at, condition }) => sql`
      select l.${sql.raw(id)} as id, l.${sql.raw(at)} as at from ${sql.table(table)} l
      where l.${sql.raw(id)} = any (array(select id from ${found})) and ${condition}`,
  )
  return sql`select id, max(at) as at from (${sql.join(seen, sql` union all `)}) seen
    group by id order by max(at) desc`
}

/** Searches the texts of the viewer's newest things, then those of all things in the index. */
async function findWritten(db: Db, source: Source, asked: CandidateSearch): Promise<Candidate[]> {
  const { branches, fileTable } = source
  const take = Math.ceil(newest.texts / branches.length)
  const { rows } = await sql<{ id: string; at: Date }>`
    with newest as materialized (
      select id, max(at) as at from (${newestOf(branches, { skip: 0, take })}) newest group by id)
    select n.id, n.at from newest n
      join ${sql.table(fileTable!)} f on f.id = n.id join search_texts t on t.file_id = f.file_id
    where t.words @@ ${asked.terms.join(' & ')}::tsquery order by n.at desc limit ${asked.limit}`.execute(db)
  const found = rows.map((row) => ({ ...row, isInText: true }))
  if (found.length >= Math.min(enoughTexts, asked.limit)) return found
  return merged([...found, ...(await findWrittenByIndex(db, source, asked))])
}

async function findWrittenByIndex(
  db: Db,
  { branches, fileTable }: Source,
  { terms, textKeys, limit }: CandidateSearch,
): Promise<Candidate[]> {
  const { rows } = await sql<{ id: string; at: Date }>`
    with found as materialized (
      select search_texts_found(${textKeys}::text[], ${terms.join(' & ')}::tsquery, ${mostTextsByIndex}) as file_id),
    things as materialized (
      select f.id from ${sql.table(fileTable!)} f where f.file_id = any (array(select file_id from found))
      order by f.id desc limit ${mostByIndex})
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
