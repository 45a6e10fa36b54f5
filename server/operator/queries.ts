/** SQL of the operator's page, commands and metrics. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { addDays, dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { day } from '@kelisim/domain/durations.ts'
import { filesLock } from '../documents/queries.ts'

/** Counts e-mails by state; delivered ones for one day only, because there may be millions. */
export async function countMails(db: Db, now: Date) {
  const notSent = await db
    .selectFrom('mails')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '<>', 'sent')
    .groupBy('state')
    .execute()
  const sent = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'sent')
    // Ids are ordered by time.
    .where('id', '>=', newId(now.getTime() - day))
    .executeTakeFirstOrThrow()
  return [{ state: 'sent' as const, count: sent.count }, ...notSent]
}

export function sumFiles(db: Db): Promise<{ files: number; bytes: number }> {
  return db
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      eb.fn.coalesce(eb.fn.sum<number>('size'), eb.val(0)).as('bytes'),
    ])
    .executeTakeFirstOrThrow()
}

/** Newest first. A backup without an end is still running as long as its connection holds the lock of files. */
export async function findBackups(db: Db, count: number): Promise<BackupRow[]> {
  const { rows } = await sql<BackupRow>`
    with running as (
      select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${filesLock} and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and mode = 'ShareLock' and granted limit 1),
    newest as (select * from backups order by began_at desc limit ${count})
    select id, began_at, ended_at, place, is_verified, rows, files, bytes,
      case when ended_at is not null then failure
        when exists (select from running) and began_at = (select max(began_at) from backups) then null
        else 'broken off before it was finished' end as failure
    from newest order by began_at desc`.execute(db)
  return rows
}

export type BackupRow = Selectable<Schema['backups']>

/** When the last successful backup began; what happened after that is not in it. */
export async function lastGoodBackup(db: Db): Promise<Date | null> {
  const last = await db
    .selectFrom('backups')
    .select('beganAt')
    .where('failure', 'is', null)
    .where('endedAt', 'is not', null)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.beganAt ?? null
}

const soonDays = 30

export async function findSubscriptionTurns(db: Db, now: Date) {
  const today = dateInAlmaty(now)
  const found = await db
    .selectFrom('subscriptions as s')
    .innerJoin('organizations as o', 'o.id', 's.organizationId')
    .select(['o.shortName as organization', 'o.bin', 's.nameKey as tariff', 's.startDate', 's.endDate'])
    .where((eb) =>
      eb.or([eb('s.startDate', '>', today), eb.between('s.endDate', today, addDays(today, soonDays))]),
    )
    .orderBy('s.endDate')
    .limit(200)
    .execute()
  return {
    ending: found.filter(({ startDate }) => startDate <= today),
    pending: found.filter(({ startDate }) => startDate > today),
  }
}

export function findRevokedBefore(db: Db) {
  return db
    .selectFrom('signatureRechecks as c')
    .innerJoin('requestSignatures as s', 's.id', 'c.signatureId')
    .select(['s.requestId', 'c.signatureId', 'c.revokedAt', 'c.checkedAt'])
    .where('c.outcome', '=', 'revoked-before')
    .orderBy('c.checkedAt', 'desc')
    .limit(50)
    .execute()
}

export async function findActs(db: Db, { skip, take }: { skip: number; take: number }) {
  const items = await db
    .selectFrom('operatorActs as a')
    .leftJoin('users as u', 'u.id', 'a.by')
    .select(['a.id', 'a.at', 'a.type', 'a.details', 'u.fullName as by'])
    .orderBy('a.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom('operatorActs')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

export async function addAct(tx: Tx, act: Insertable<Schema['operatorActs']>): Promise<void> {
  await tx.insertInto('operatorActs').values(act).execute()
}

/** An arbitrary number of our own, for the advisory lock. */
const deadLock = 5_700_260

/** Makes operators who retry or drop dead letters at the same time run one after the other. */
export async function lockDeadLetters(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${deadLock})`.execute(tx)
}

export function findConfirmedOrganization(db: Db, bin: string): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('organizations')
    .select('id')
    .where('bin', '=', bin)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
}

export async function addSubscription(tx: Tx, row: Insertable<Schema['subscriptions']>): Promise<void> {
  await tx.insertInto('subscriptions').values(row).execute()
}

export async function findOrganizationsAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('organizations').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}
