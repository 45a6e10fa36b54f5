/** SQL of the destruction of documents: acts, keepers, and files to be destroyed. */
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { Keeper } from '@kelisim/domain/retention/destruction.ts'
import type { ListOf, Page } from '../lists/page.ts'
import { endedAt, isEnded, isReachedPublishedPoint } from './queries.ts'

/**
 * Everybody who keeps the file of a request here: its sender and the recipients whose turn has come, and those of
 * other requests that have or had the same file. An order to destroy lapses with a termination, because the agreement
 * to terminate has its own retention term.
 */
export async function findKeepers(db: Db, requestIds: readonly string[]): Promise<Map<string, Keeper[]>> {
  const { rows } = await sql<Keeper & { requestId: string }>`
    with asked as (
      select r.id as asked_id, other.id, other.organization_id, other.sender_name
      from signing_requests r
      join lateral (
        select s.id from signing_requests s where s.file_id = r.file_id
        union select v.request_id from request_revisions v where v.file_id = r.file_id
      ) same on true
      join signing_requests other on other.id = same.id
      where r.id = any(${[...requestIds]}::uuid[])
    ), kept as (
      select asked_id, id, organization_id, sender_name as name from asked
      union
      select a.asked_id, a.id, o.id, coalesce(o.short_name, i.inbox)
      from asked a
      join request_inboxes i on i.request_id = a.id and i.inbox ~ '^[0-9]{12}$'
      left join organizations o on o.bin = i.inbox and o.confirmed_at is not null
      union
      select a.asked_id, a.id, o.id, p.organization_name
      from asked a
      join request_points p on p.request_id = a.id and ${isReachedPublishedPoint}
      left join organizations o on o.id = p.organization_id and o.confirmed_at is not null
    )
    select asked_id as "requestId", organization_id as "organizationId", min(name) as name,
      bool_or(exists (select from legal_holds h where h.request_id = kept.id and h.lifted_at is null
        and h.organization_id = kept.organization_id)) as "isHeld",
      bool_and(exists (select from destruction_items t join destruction_acts a on a.id = t.act_id
        join signing_requests r on r.id = t.request_id
        where t.request_id = kept.id and a.organization_id = kept.organization_id
          and ${isEnded} and a.carried_out_at >= ${endedAt})) as "hasOrdered"
    from kept group by asked_id, organization_id, case when organization_id is null then name end`.execute(db)
  return Map.groupBy(rows, ({ requestId }) => requestId)
}

export async function addAct(
  tx: Tx,
  act: Omit<Insertable<Schema['destructionActs']>, ActEnd>,
  items: readonly Omit<Insertable<Schema['destructionItems']>, 'actId'>[],
): Promise<void> {
  const open = { requestId: null, signedBy: null, signedAt: null, carriedOutBy: null, carriedOutAt: null }
  await tx
    .insertInto('destructionActs')
    .values({ ...act, ...open })
    .execute()
  await tx
    .insertInto('destructionItems')
    .values(items.map((item) => ({ ...item, actId: act.id })))
    .execute()
}

type ActEnd = 'requestId' | 'signedBy' | 'signedAt' | 'carriedOutBy' | 'carriedOutAt'

function acts(db: Db, organizationId: string) {
  return db
    .selectFrom('destructionActs as a')
    .innerJoin('users as u', 'u.id', 'a.preparedBy')
    .selectAll('a')
    .select([
      'u.fullName as preparedByName',
      sql<number>`(select count(*)::integer from destruction_items i where i.act_id = a.id)`.as(
        'documentCount',
      ),
      sql<number>`(select count(*)::integer from destruction_items i join signing_requests r on r.id = i.request_id
        join files f on f.id = r.file_id where i.act_id = a.id and f.destroyed_at is not null)`.as(
        'goneCount',
      ),
    ])
    .where('a.organizationId', '=', organizationId)
}

export type ActRow = Awaited<ReturnType<typeof findActs>>['items'][number]

export async function findActs(db: Db, organizationId: string, { skip, take }: Page) {
  const items = await acts(db, organizationId)
    .orderBy('a.preparedAt', 'desc')
    .orderBy('a.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom('destructionActs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { items, totalCount: count } satisfies ListOf<(typeof items)[number]>
}

export function findAct(db: Db, organizationId: string, actId: string): Promise<ActRow | undefined> {
  return acts(db, organizationId).where('a.id', '=', actId).executeTakeFirst()
}

/** Locks the act: nobody else carries it out before the transaction ends. */
export async function lockAct(tx: Tx, actId: string): Promise<void> {
  await tx.selectFrom('destructionActs').select('id').where('id', '=', actId).forUpdate().execute()
}

export function findItems(db: Db, actId: string) {
  return db
    .selectFrom('destructionItems as i')
    .innerJoin('signingRequests as r', 'r.id', 'i.requestId')
    .innerJoin('files as f', 'f.id', 'r.fileId')
    .select(['i.requestId', 'i.name', 'i.sha256', 'f.destroyedAt'])
    .where('i.actId', '=', actId)
    .orderBy('i.name')
    .orderBy('i.requestId')
    .execute()
}

/** The requests in which the act was sent. */
export async function findRequestsWithAct(db: Db, act: { organizationId: string; fileId: string }) {
  const rows = await db
    .selectFrom('signingRequests')
    .select('id')
    .where('organizationId', '=', act.organizationId)
    .where('fileId', '=', act.fileId)
    .orderBy('createdAt')
    .execute()
  return rows.map(({ id }) => id)
}

export async function saveCarriedOut(
  tx: Tx,
  actId: string,
  end: { requestId: string; signedBy: string; signedAt: Date; carriedOutBy: string; carriedOutAt: Date },
): Promise<void> {
  await tx.updateTable('destructionActs').set(end).where('id', '=', actId).execute()
}

/** Requests that a carried-out act names and whose file is still here, in order of id. */
export async function findOrdered(db: Db, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('destructionItems as i')
    .innerJoin('destructionActs as a', 'a.id', 'i.actId')
    .innerJoin('signingRequests as r', 'r.id', 'i.requestId')
    .innerJoin('files as f', 'f.id', 'r.fileId')
    .select('i.requestId')
    .distinct()
    .where('a.carriedOutAt', 'is not', null)
    .where('f.destroyedAt', 'is', null)
    .$if(after !== null, (query) => query.where('i.requestId', '>', after))
    .orderBy('i.requestId')
    .limit(limit)
    .execute()
  return rows.map(({ requestId }) => requestId)
}

/**
 * Locks the file of a request: nobody puts a hold on the document, changes or sends it before the transaction ends.
 */
export async function lockFileOf(tx: Tx, requestId: string): Promise<void> {
  const file = sql`(select file_id from signing_requests where id = ${requestId})`
  const revisions = sql`select v.file_id from request_revisions v join signing_requests r on r.id = v.request_id
    where r.file_id = ${file}`
  await sql`select from documents where file_id = ${file} or file_id in (${revisions})
    order by id for update`.execute(tx)
  await sql`select from signing_requests where file_id = ${file} order by id for update`.execute(tx)
}

/**
 * Marks the files of a request as destroyed and removes all that was made of them: outputs, the text for search,
 * comments, which quote it, and the document from which it was sent. Rows with hashes, signatures and proofs stay, as
 * do earlier documents that another request still has. Only signatures inside a PDF have files of their own: the
 * others are over one of the documents.
 */
export async function destroyFiles(tx: Tx, requestId: string, now: Date): Promise<void> {
  const requests = sql`select other.id from signing_requests r join signing_requests other on other.file_id = r.file_id
    where r.id = ${requestId}`
  const files = sql`select file_id from signing_requests where id = ${requestId}
    union select v.file_id from request_revisions v where v.request_id in (${requests}) and not exists (
      select from signing_requests other where other.file_id = v.file_id and other.id not in (${requests}))
    and not exists (
      select from request_revisions w
      join signing_requests other on other.id = w.request_id
      join files f on f.id = other.file_id
      where w.file_id = v.file_id and w.request_id not in (${requests}) and f.destroyed_at is null)
    union select file_id from request_terminations where request_id in (${requests})
    union select file_id from request_proposals where request_id in (${requests})
    union select file_id from request_signatures where request_id in (${requests}) and gap_from is not null`
  await sql`update files set destroyed_at = ${now}, released_at = null where id in (${files})`.execute(tx)
  await sql`delete from comment_threads where request_id in (${requests})`.execute(tx)
  await sql`delete from notices where request_id in (${requests}) and occasion like 'c%'`.execute(tx)
  await sql`delete from search_texts where file_id in (${files})`.execute(tx)
  await sql`delete from documents where file_id in (${files})`.execute(tx)
  await sql`with gone as (
      delete from request_outputs where request_id in (
        select id from signing_requests where file_id in (${files})) returning file_id)
    update files set released_at = ${now} where id in (select file_id from gone where file_id is not null)`.execute(
    tx,
  )
}

export function findFilesToRemove(db: Db, limit: number) {
  return db
    .selectFrom('files')
    .select(['id', 'organizationId'])
    .where('destroyedAt', 'is not', null)
    .where('removedAt', 'is', null)
    .limit(limit)
    .execute()
}

export async function saveRemoved(tx: Tx, fileId: string, now: Date): Promise<void> {
  await tx.updateTable('files').set({ removedAt: now }).where('id', '=', fileId).execute()
}
