/** SQL of webhooks and their messages. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { day } from '@kelisim/domain/durations.ts'
import type { ListOf, Page } from '../../lists/page.ts'

export type WebhookRow = Selectable<Schema['webhooks']> & { actsAsName: string; madeByName: string }

function webhooks(db: Db) {
  return db
    .selectFrom('webhooks as w')
    .innerJoin('users as a', 'a.id', 'w.actsAs')
    .innerJoin('users as u', 'u.id', 'w.madeBy')
    .selectAll('w')
    .select(['a.fullName as actsAsName', 'u.fullName as madeByName'])
}

export function findWebhooks(db: Db, organizationId: string): Promise<WebhookRow[]> {
  return webhooks(db)
    .where('w.organizationId', '=', organizationId)
    .orderBy('w.madeAt')
    .orderBy('w.id')
    .execute()
}

export function findWebhook(db: Db, organizationId: string, id: string): Promise<WebhookRow | undefined> {
  return webhooks(db).where('w.organizationId', '=', organizationId).where('w.id', '=', id).executeTakeFirst()
}

export async function addWebhookRow(tx: Tx, row: Insertable<Schema['webhooks']>): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute()
}

export async function updateWebhookRow(
  tx: Tx,
  id: string,
  change: Updateable<Schema['webhooks']>,
): Promise<void> {
  await tx.updateTable('webhooks').set(change).where('id', '=', id).execute()
}

export async function removeWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** The position where a new webhook begins: it gets only later changes. */
export async function lastPosition(db: Db, organizationId: string): Promise<number> {
  const { position } = await db
    .selectFrom('organizationChanges')
    .select((eb) => eb.fn.coalesce(eb.fn.max('position'), eb.lit(-1)).as('position'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return position
}

/** Webhooks whose organisation has changes that are not yet messages. */
export async function findBehind(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks as w')
    .select('w.id')
    .where('w.isOn', '=', true)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('organizationChanges as c')
          .select('c.position')
          .whereRef('c.organizationId', '=', 'w.organizationId')
          .whereRef('c.position', '>', 'w.position'),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Undefined: another process works on the webhook, or it was switched off. */
export function lockWebhook(tx: Tx, id: string): Promise<Selectable<Schema['webhooks']> | undefined> {
  return tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('isOn', '=', true)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function findRoles(db: Db, organizationId: string, userId: string) {
  return db
    .selectFrom('memberships')
    .select(['roles', 'isAppointed'])
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function addDeliveries(tx: Tx, rows: Insertable<Schema['webhookDeliveries']>[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('webhookDeliveries').values(rows).execute()
}

export type DueDelivery = {
  id: string
  webhookId: string
  organizationId: string
  url: string
  body: string
  attempts: number
  firstTryAt: Date | null
  failingSince: Date | null
  secret: string
  previousSecret: string | null
  previousUntil: Date | null
  cause: string | null
}

/**
 * The most concurrent calls to the receivers of one organisation, so that other organisations keep room for theirs.
 */
const mostOfOne = 5

/**
 * Takes the messages that are due, one for each receiver that has no call in flight, or for one receiver only. Their
 * next try is postponed, so that nobody else takes them meanwhile. Only the first messages of a receiver are read,
 * because one that does not respond may have many. Organisations take turns, those with fewer calls in flight first.
 */
export async function takeDue(
  tx: Tx,
  { now, until, most, webhookId }: { now: Date; until: Date; most: number; webhookId?: string },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with recursive waiting as (
      (select webhook_id from webhook_deliveries
        where state = 'pending' ${webhookId === undefined ? sql`` : sql`and webhook_id = ${webhookId}`}
        order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries d
        where d.state = 'pending' and d.webhook_id > last.webhook_id order by d.webhook_id limit 1)
      from waiting last
      where last.webhook_id is not null ${webhookId === undefined ? sql`` : sql`and false`}),
    receivers as (
      select w.organization_id, first.id, first.next_try_at, exists (
        select from webhook_deliveries other
        where other.webhook_id = w.id and other.state = 'pending'
          -- A minute more: the clock of whoever calls may be ahead.
          and other.next_try_at > ${now} and other.next_try_at <= ${until}::timestamptz + interval '1 minute'
          and other.last_try_at is not null and other.status is null and other.failure is null) as is_called
      from waiting
      join webhooks w on w.id = waiting.webhook_id and w.is_on
      left join lateral (
        select d.id, d.next_try_at from webhook_deliveries d
        where d.webhook_id = w.id and d.state = 'pending' and d.next_try_at <= ${now}
        order by d.next_try_at, d.position limit 1) first on true),
    turns as (
      select id, next_try_at, is_called,
        count(*) filter (where is_called) over (partition by organization_id)
          + row_number() over (partition by organization_id, is_called order by next_try_at, id) as turn
      from receivers),
    due as (
      select id from turns where id is not null and not is_called and turn <= ${mostOfOne}
      order by turn, next_try_at limit ${most}),
    taken as (
      select d.id from webhook_deliveries d join due on due.id = d.id where d.next_try_at <= ${now}
      for update of d skip locked)
    update webhook_deliveries d
    set next_try_at = ${until}, last_try_at = ${now}, status = null, failure = null
    from taken, webhooks w
    where d.id = taken.id and w.id = d.webhook_id
    returning d.id, d.webhook_id as "webhookId", w.organization_id as "organizationId", w.url, d.body, d.attempts,
      d.first_try_at as "firstTryAt", w.failing_since as "failingSince", w.secret,
      w.previous_secret as "previousSecret", w.previous_until as "previousUntil", d.cause`.execute(tx)
  return rows
}

export async function updateDelivery(
  tx: Tx,
  id: string,
  change: Updateable<Schema['webhookDeliveries']>,
): Promise<void> {
  await tx.updateTable('webhookDeliveries').set(change).where('id', '=', id).execute()
}

/** Switches the webhook off; false if it was off before. */
export async function switchOff(tx: Tx, id: string, offReason: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ isOn: false, offReason })
    .where('id', '=', id)
    .where('isOn', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type DeliveryRow = Selectable<Schema['webhookDeliveries']>

export async function findDeliveries(
  db: Db,
  webhookId: string,
  { skip, take }: Page,
): Promise<ListOf<DeliveryRow>> {
  const items = await db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .orderBy('madeAt', 'desc')
    .orderBy('position', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom('webhookDeliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhookId', '=', webhookId)
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

export function findDelivery(db: Db, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export const logKeptFor = 30 * day

export async function sweepDeliveries(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('webhookDeliveries')
    .where('madeAt', '<', new Date(now.getTime() - logKeptFor))
    .where('state', '<>', 'pending')
    .execute()
}
