/** A temporary refusal of the database is reported as such: the caller should retry, and nothing was written. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Tx } from '@kelisim/db/db.ts'
import { startTestApp } from '../testing.ts'

const { app, database } = await startTestApp()

const raise = (code: string) => (tx: Tx) =>
  sql
    .raw(`do $$ begin raise exception 'as the database says it' using errcode = '${code}'; end $$`)
    .execute(tx)

async function waitTooLong(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 10`.execute(tx)
  await sql`select pg_sleep(60)`.execute(tx)
}

async function waitForALock(tx: Tx): Promise<void> {
  await database.write(async (other) => {
    await sql`lock table users in exclusive mode`.execute(other)
    await sql`set local lock_timeout = 10`.execute(tx)
    await sql`lock table users in exclusive mode`.execute(tx)
  })
}

async function standStill(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 10`.execute(tx)
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`.execute(database.db)
      return rows.length
    })
    .toBe(0)
  await sql`select 1`.execute(tx)
}

const refusals: Record<string, (tx: Tx) => Promise<unknown>> = {
  'a full disk': raise('53100'),
  'too little memory': raise('53200'),
  'a statement that takes too long': waitTooLong,
  'a lock that somebody holds too long': waitForALock,
  'a transaction that stood still': standStill,
}
app.get<{ Params: { what: string } }>('/test/:what', { config: { access: 'anyone' } }, ({ params }) =>
  database.write(refusals[params.what]!),
)

test.each(Object.keys(refusals))('%s answers 503 and when to try again', async (what) => {
  const response = await app.inject(`/test/${encodeURIComponent(what)}`)
  expect(response.statusCode).toBe(503)
  expect(response.headers['retry-after']).toBe('5')
  expect(response.json()).toMatchObject({ ExceptionData: { Alias: 'service-unavailable' } })
})
