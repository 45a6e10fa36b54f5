/** SQL of the transparency log. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { NodePlace } from '@kelisim/signature/transparency/merkle.ts'

export type EventToLog = Awaited<ReturnType<ReturnType<typeof eventsToLog>['execute']>>[number]

/** Events with the hashes of the documents and signatures they concern. */
export function eventsToLog(db: Db) {
  return db
    .selectFrom('requestEvents as e')
    .innerJoin('signingRequests as r', 'r.id', 'e.requestId')
    .innerJoin('files as f', (join) =>
      join.on(
        sql`f.id`,
        '=',
        // Acts before a correction concern the document of that time.
        sql<string>`coalesce((
          select v.file_id from request_revisions v where v.request_id = e.request_id and v.from_event <= e.number
          order by v.revision desc limit 1), r.file_id)`,
      ),
    )
    .leftJoin('requestSignatures as s', (join) =>
      join.on(sql`s.id`, '=', sql<string>`(e.data->>'signatureId')::uuid`),
    )
    .leftJoin('requestTerminations as t', (join) =>
      join.onRef('t.requestId', '=', 'e.requestId').onRef('t.attempt', '=', 'e.attempt'),
    )
    .leftJoin('files as tf', 'tf.id', 't.fileId')
    .selectAll('e')
    .select(['f.sha256 as documentHash', 'tf.sha256 as terminatingHash'])
    .select([
      sql<Buffer | null>`sha256(s.cms)`.as('signatureHash'),
      sql<Buffer | null>`sha256(s.timestamped_cms)`.as('timestampedHash'),
    ])
}

export type WaitingEvent = { id: number; requestId: string; number: number }

export async function isAnyWaiting(db: Db): Promise<boolean> {
  return (await db.selectFrom('logWaiting').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** How many events wait for the log, and since when the oldest does. */
export async function measureWaiting(db: Db): Promise<{ count: number; since: Date | null }> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(e.at) as since
    from log_waiting w join request_events e on e.request_id = w.request_id and e.number = w.number`.execute(
    db,
  )
  return rows[0]!
}

/** Takes the oldest waiting events, to append them in the same transaction; the tree must be locked. */
export async function takeWaiting(tx: Tx, most: number): Promise<{ taken: number; events: EventToLog[] }> {
  const { rows } = await sql<WaitingEvent & { isLogged: boolean }>`
    with taken as (
      delete from log_waiting where id in (select id from log_waiting order by id limit ${most})
      returning id, request_id, number)
    select t.id, t.request_id as "requestId", t.number, l.index is not null as "isLogged"
    from taken t left join log_entries l on l.request_id = t.request_id and l.number = t.number
    order by t.id`.execute(tx)
  // A process of an earlier version appends its events itself, so these are skipped.
  const fresh = rows.filter(({ isLogged }) => !isLogged)
  if (fresh.length === 0) return { taken: rows.length, events: [] }
  const wanted = sql.join(fresh.map(({ requestId, number }) => sql`(${requestId}::uuid, ${number}::integer)`))
  const found = await eventsToLog(tx)
    .where(sql<boolean>`(e.request_id, e.number) in (${wanted})`)
    .execute()
  // An event that was taken without becoming a leaf would be lost without a trace.
  if (found.length < fresh.length) throw new Error('an event that waits for the log cannot be read')
  const byPlace = new Map(found.map((event) => [`${event.requestId} ${event.number}`, event]))
  return {
    taken: rows.length,
    events: fresh.map(({ requestId, number }) => byPlace.get(`${requestId} ${number}`)!),
  }
}

/** Locks the tree until the transaction ends, so that nobody else appends. */
export function lockTree(tx: Tx): Promise<{ size: number; edge: Buffer[] }> {
  return tx.selectFrom('logSize').select(['size', 'edge']).forUpdate().executeTakeFirstOrThrow()
}

export type Leaf = { requestId: string; number: number; hash: Uint8Array }
type TreeNode = NodePlace & { hash: Buffer }

export async function saveGrowth(
  tx: Tx,
  {
    from,
    leaves,
    nodes,
    edge,
  }: { from: number; leaves: readonly Leaf[]; nodes: readonly TreeNode[]; edge: Buffer[] },
): Promise<void> {
  await sql`
    with nodes as (
      insert into log_nodes (level, index, hash) select * from unnest(
        ${nodes.map(({ level }) => level)}::integer[], ${nodes.map(({ index }) => index)}::bigint[],
        ${nodes.map(({ hash }) => hash)}::bytea[])),
    entries as (
      insert into log_entries (index, request_id, number) select * from unnest(
        ${leaves.map((_, i) => from + i)}::bigint[], ${leaves.map(({ requestId }) => requestId)}::uuid[],
        ${leaves.map(({ number }) => number)}::integer[]))
    update log_size set size = ${from + leaves.length}, edge = ${edge}::bytea[]`.execute(tx)
}

export async function sizeOfTree(db: Db): Promise<number> {
  return (await db.selectFrom('logSize').select('size').executeTakeFirstOrThrow()).size
}

export function findNodes(db: Db, places: readonly NodePlace[]): Promise<TreeNode[]> {
  const wanted = sql.join(places.map(({ level, index }) => sql`(${level}::integer, ${index}::bigint)`))
  return db
    .selectFrom('logNodes')
    .selectAll()
    .where(sql<boolean>`(level, index) in (${wanted})`)
    .execute()
}

export type SignedHead = { size: number; at: Date; root: Buffer; keyId: Buffer; signature: Buffer }

/** When two processes sign at once, the first one counts. */
export async function addHead(tx: Tx, head: SignedHead): Promise<void> {
  await tx
    .insertInto('logHeads')
    .values(head)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export function findHead(db: Db, size: number): Promise<SignedHead | undefined> {
  return db.selectFrom('logHeads').selectAll().where('size', '=', size).executeTakeFirst()
}

export function findNewestHead(db: Db): Promise<SignedHead | undefined> {
  return db.selectFrom('logHeads').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst()
}

export function findHeads(db: Db): Promise<SignedHead[]> {
  return db.selectFrom('logHeads').selectAll().orderBy('size').execute()
}

/** The hashes of subtrees of one level, from left to right; fewer if the tree is not that large. */
export async function findLevel(db: Db, level: number, start: number, end: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('logNodes')
    .select('hash')
    .where('level', '=', level)
    .where('index', '>=', start)
    .where('index', '<', end)
    .orderBy('index')
    .execute()
  return rows.map(({ hash }) => hash)
}

export async function findLoggedBetween(db: Db, from: number, to: number) {
  const leaves = await db
    .selectFrom('logNodes')
    .select(['index', 'hash'])
    .where('level', '=', 0)
    .where('index', '>=', from)
    .where('index', '<', to)
    .execute()
  const entries = await db
    .selectFrom('logEntries')
    .selectAll()
    .where('index', '>=', from)
    .where('index', '<', to)
    .execute()
  const events = await eventsToLog(db)
    .innerJoin('logEntries as l', (join) =>
      join.onRef('l.requestId', '=', 'e.requestId').onRef('l.number', '=', 'e.number'),
    )
    .select('l.index')
    .where('l.index', '>=', from)
    .where('l.index', '<', to)
    .execute()
  return { leaves, entries, events }
}

/** Events that are neither in the log nor waiting for it. */
export function findEventsNotLogged(db: Db, count: number): Promise<{ requestId: string; number: number }[]> {
  return db
    .selectFrom('requestEvents as e')
    .leftJoin('logEntries as l', (join) =>
      join.onRef('l.requestId', '=', 'e.requestId').onRef('l.number', '=', 'e.number'),
    )
    .leftJoin('logWaiting as w', (join) =>
      join.onRef('w.requestId', '=', 'e.requestId').onRef('w.number', '=', 'e.number'),
    )
    .select(['e.requestId', 'e.number'])
    .where('l.index', 'is', null)
    .where('w.id', 'is', null)
    .limit(count)
    .execute()
}

/** The edge of the tree, to which the next leaf will be added. */
export async function findEdge(db: Db): Promise<Buffer> {
  const { edge } = await db.selectFrom('logSize').select('edge').executeTakeFirstOrThrow()
  return Buffer.concat(edge)
}

export async function countRows(db: Db, table: 'logEntries' | 'logNodes'): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export type EarlierEntry = EventToLog & { logId: string; index: number; siblings: Buffer }

export function findEarlierLogs(db: Db) {
  return db.selectFrom('earlierLogs').selectAll().orderBy('id').execute()
}

/** Events that came from the log of another installation, with their proofs in it, in the order of their places there. */
export function findEarlierEntries(
  db: Db,
  logId: string,
  after: number,
  count: number,
): Promise<EarlierEntry[]> {
  return eventsToLog(db)
    .innerJoin('earlierLogEntries as l', (join) =>
      join.onRef('l.requestId', '=', 'e.requestId').onRef('l.number', '=', 'e.number'),
    )
    .select(['l.logId', 'l.index', 'l.siblings'])
    .where('l.logId', '=', logId)
    .where('l.index', '>', after)
    .orderBy('l.index')
    .limit(count)
    .execute()
}
