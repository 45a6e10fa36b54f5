/** Bulk sendings and their rows. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { BulkPlan, TemplateVariable } from '@kelisim/domain/bulk/plan.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import type { ListOf, Page } from '../lists/page.ts'

type StoredBulk = Selectable<Schema['bulkSendings']>
export type BulkRow = Selectable<Schema['bulkRows']>
export type Bulk = Omit<StoredBulk, 'plan' | 'variables'> & {
  plan: BulkPlan | null
  variables: TemplateVariable[] | null
  authorName: string
}

export async function addBulk(
  tx: Tx,
  bulk: Omit<Insertable<Schema['bulkSendings']>, 'plan' | 'template' | 'variables' | 'leaseUntil' | 'state'>,
  rows: readonly { number: number; cells: string[]; problems: object[] }[],
): Promise<void> {
  await tx
    .insertInto('bulkSendings')
    .values({ ...bulk, state: 'draft', plan: null, template: null, variables: null, leaseUntil: null })
    .execute()
  const added = rows.map(({ number, cells, problems }) => ({
    bulkId: bulk.id,
    number,
    cells,
    problems: JSON.stringify(problems),
    state: 'waiting' as const,
    failure: null,
    requestId: null,
  }))
  await tx.insertInto('bulkRows').values(added).execute()
}

function bulks(db: Db) {
  return db
    .selectFrom('bulkSendings as b')
    .innerJoin('users as u', 'u.id', 'b.authorId')
    .selectAll('b')
    .select('u.fullName as authorName')
}

/** Finds a bulk sending for its author only: colleagues must not see the table. */
export async function findBulk(
  db: Db,
  { id, organizationId, authorId }: { id: string; organizationId: string; authorId: string },
): Promise<Bulk | undefined> {
  const found = await bulks(db)
    .where('b.id', '=', id)
    .where('b.organizationId', '=', organizationId)
    .where('b.authorId', '=', authorId)
    .executeTakeFirst()
  return found as Bulk | undefined
}

/** Locks the bulk sending: nobody else changes its state before the transaction ends. */
export async function lockBulk(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('bulkSendings').select('id').where('id', '=', id).forUpdate().execute()
}

export async function getBulk(db: Db, id: string): Promise<Bulk> {
  return (await bulks(db).where('b.id', '=', id).executeTakeFirstOrThrow()) as Bulk
}

export async function findBulks(
  db: Db,
  { organizationId, authorId }: { organizationId: string; authorId: string },
  { skip, take }: Page,
): Promise<ListOf<Bulk>> {
  const items = await bulks(db)
    .where('b.organizationId', '=', organizationId)
    .where('b.authorId', '=', authorId)
    .orderBy('b.createdAt', 'desc')
    .orderBy('b.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom('bulkSendings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('authorId', '=', authorId)
    .executeTakeFirstOrThrow()
  return { items: items as Bulk[], totalCount: count }
}

export type Counts = Record<BulkRow['state'], number>

export async function countRows(db: Db, bulkIds: readonly string[]): Promise<Map<string, Counts>> {
  if (bulkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bulkRows')
    .select((eb) => ['bulkId', 'state', eb.fn.countAll<number>().as('count')])
    .where('bulkId', 'in', bulkIds)
    .groupBy(['bulkId', 'state'])
    .execute()
  const counts = new Map(bulkIds.map((id) => [id, { waiting: 0, skipped: 0, sent: 0, failed: 0 }]))
  for (const { bulkId, state, count } of rows) counts.get(bulkId)![state] = count
  return counts
}

export function findRows(db: Db, bulkId: string): Promise<BulkRow[]> {
  return db.selectFrom('bulkRows').selectAll().where('bulkId', '=', bulkId).orderBy('number').execute()
}

export async function savePlan(tx: Tx, id: string, plan: BulkPlan, now: Date): Promise<void> {
  await tx
    .updateTable('bulkSendings')
    .set({ plan: JSON.stringify(plan), changedAt: now })
    .where('id', '=', id)
    .execute()
}

export async function startBulk(
  tx: Tx,
  id: string,
  {
    variables,
    plan,
    skipped,
    ...columns
  }: Pick<StoredBulk, 'language' | 'address'> & {
    template: string
    variables: TemplateVariable[]
    plan: BulkPlan
    skipped: number[]
  },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('bulkSendings')
    .set({
      ...columns,
      variables: JSON.stringify(variables),
      plan: JSON.stringify(plan),
      state: 'running',
      changedAt: now,
    })
    .where('id', '=', id)
    .execute()
  if (skipped.length === 0) return
  await tx
    .updateTable('bulkRows')
    .set({ state: 'skipped' })
    .where('bulkId', '=', id)
    .where('number', 'in', skipped)
    .execute()
}

export async function saveState(tx: Tx, id: string, state: Bulk['state'], now: Date): Promise<void> {
  await tx
    .updateTable('bulkSendings')
    .set({ state, changedAt: now, leaseUntil: null })
    .where('id', '=', id)
    .execute()
}

/** Lets rows that could not be sent wait again. */
export async function retryRows(tx: Tx, bulkId: string): Promise<void> {
  await tx
    .updateTable('bulkRows')
    .set({ state: 'waiting', failure: null })
    .where('bulkId', '=', bulkId)
    .where('state', '=', 'failed')
    .execute()
}

/**
 * Takes a bulk sending that no process has leased, of the organisation that has waited longest; null: there is none.
 */
export async function takeBulk(tx: Tx, now: Date, leaseUntil: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update bulk_sendings set lease_until = ${leaseUntil}
    where id = (
      select b.id from bulk_sendings b
      where b.state = 'running' and (b.lease_until is null or b.lease_until <= ${now})
      order by (
        select max(o.lease_until) from bulk_sendings o
        where o.organization_id = b.organization_id and o.state = 'running') nulls first, b.lease_until nulls first
      limit 1 for update of b skip locked)
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** False if the bulk sending was paused or is over. */
export async function renewLease(tx: Tx, id: string, leaseUntil: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('bulkSendings')
    .set({ leaseUntil })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends the lease, so that any process may take the bulk sending; with `at` it comes after those that waited longer.
 */
export async function dropLease(tx: Tx, id: string, at: Date | null): Promise<void> {
  await tx.updateTable('bulkSendings').set({ leaseUntil: at }).where('id', '=', id).execute()
}

/** Marks the bulk sending as done, unless it is not running or a row still waits. */
export async function finishBulk(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('bulkSendings')
    .set({ state: 'done', leaseUntil: null, changedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('bulkRows as r')
            .select('r.number')
            .whereRef('r.bulkId', '=', 'bulkSendings.id')
            .where('r.state', '=', 'waiting'),
        ),
      ),
    )
    .execute()
}

export function findWaiting(db: Db, bulkId: string): Promise<BulkRow | undefined> {
  return db
    .selectFrom('bulkRows')
    .selectAll()
    .where('bulkId', '=', bulkId)
    .where('state', '=', 'waiting')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Whether the row still waits and sending is not paused. Locks keep both so until the transaction ends: two processes
 * cannot send a row twice, and nothing is sent after a pause.
 */
export async function lockWaiting(
  tx: Tx,
  { bulkId, number }: Pick<BulkRow, 'bulkId' | 'number'>,
): Promise<boolean> {
  const bulk = await tx
    .selectFrom('bulkSendings')
    .select('id')
    .where('id', '=', bulkId)
    .where('state', '=', 'running')
    .forShare()
    .executeTakeFirst()
  if (!bulk) return false
  const row = await tx
    .selectFrom('bulkRows')
    .select('number')
    .where('bulkId', '=', bulkId)
    .where('number', '=', number)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function saveSent(
  tx: Tx,
  { bulkId, number }: Pick<BulkRow, 'bulkId' | 'number'>,
  requestId: string,
): Promise<void> {
  await tx
    .updateTable('bulkRows')
    .set({ state: 'sent', requestId, failure: null })
    .where('bulkId', '=', bulkId)
    .where('number', '=', number)
    .execute()
}

export async function saveFailed(
  tx: Tx,
  { bulkId, number }: Pick<BulkRow, 'bulkId' | 'number'>,
  failure: { alias: string; parameters: object },
): Promise<void> {
  await tx
    .updateTable('bulkRows')
    .set({ state: 'failed', failure: JSON.stringify(failure) })
    .where('bulkId', '=', bulkId)
    .where('number', '=', number)
    .where('state', '=', 'waiting')
    .execute()
}

/** The author with their current roles; undefined: they have left the organisation. */
export async function findSender(
  db: Db,
  { organizationId, authorId }: Pick<Bulk, 'organizationId' | 'authorId'>,
): Promise<{ roles: number; isAppointed: boolean; options: OrganizationOptions } | undefined> {
  const found = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select(['m.roles', 'm.isAppointed'])
    .select([
      'o.isQuickRequestAllowed',
      'o.useSignaturePointsRoutesRolePermission',
      'o.usePointsRolePermission',
      'o.isDateOfSignDisplayedInQrDocument',
      'o.documentsUploadPdfOnly',
      'o.documentsUploadXml',
      'o.allowedPointTypesForIncomingSigningRequests',
      'o.isSigningReportGenerationAllowed',
      'o.isSignatureSheetCompact',
      'o.isFooterMarkPrinted',
    ])
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', '=', authorId)
    .executeTakeFirst()
  if (!found) return undefined
  const { roles, isAppointed, ...options } = found
  return { roles, isAppointed, options }
}
