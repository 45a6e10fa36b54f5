import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { byKey, isTemporarilyRefused, isUniqueViolation, isUnreachable, openDatabase } from './db.ts'
import { newId } from './id.ts'
import { testDatabase } from './testing.ts'

const { database, connection } = await testDatabase()

const organization = (id: string, confirmedAt: Date | null = null) => ({
  id,
  bin: '000740000728',
  isIndividual: false,
  shortName: 'A',
  createdAt: new Date(),
  confirmedAt,
})

describe('a transaction', () => {
  test('that fails is rolled back', async () => {
    const id = newId()
    const failing = database.write(async (tx) => {
      await tx.insertInto('organizations').values(organization(id)).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await database.db.selectFrom('organizations').select('id').where('id', '=', id).execute()).toEqual(
      [],
    )
  })

  test('in a deadlock is tried again until both are committed', async () => {
    const [a, b] = [newId(), newId()]
    await database.write((tx) =>
      tx
        .insertInto('organizations')
        .values([organization(a), organization(b)])
        .execute(),
    )
    const met = Promise.withResolvers<void>()
    let waiting = 2
    const both = (first: string, second: string) => {
      let isFirstTry = true
      return database.write(async (tx) => {
        await tx.updateTable('organizations').set({ phone: first }).where('id', '=', first).execute()
        if (isFirstTry && --waiting === 0) met.resolve()
        isFirstTry = false
        await met.promise
        await tx.updateTable('organizations').set({ phone: first }).where('id', '=', second).execute()
      })
    }
    await Promise.all([both(a, b), both(b, a)])
    const rows = await database.db
      .selectFrom('organizations')
      .select('phone')
      .where('id', 'in', [a, b])
      .execute()
    expect(new Set(rows.map((row) => row.phone)).size).toBe(1)
  })
})

describe('prepared statements of transactions', () => {
  const oneConnection = openDatabase({ ...connection, max: 1 }, () => {})
  const seen = () =>
    oneConnection.write(async (tx) => {
      const things = await sql`select * from things where id > ${0}`.execute(tx)
      const prepared = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
        tx,
      )
      return { things: things.rows, prepared: prepared.rows.map(({ statement }) => statement) }
    })

  test('are planned once, and again after a migration has changed the table', async () => {
    await database.pool.query('create table things (id int); insert into things values (1)')
    await seen()
    const { things, prepared } = await seen()
    expect(things).toEqual([{ id: 1 }])
    expect(prepared).toContainEqual(expect.stringMatching(/^select \* from things/))

    await database.pool.query('alter table things add column name text')
    expect((await seen()).things).toEqual([{ id: 1, name: null }])
    await oneConnection.close()
  })
})

describe('prepared statements of readers', () => {
  test('that look up keys are planned once, and again after a migration has changed the table', async () => {
    const { db, close } = openDatabase({ ...connection, max: 1 }, () => {})
    await database.pool.query('create table keyed (id int); insert into keyed values (1)')
    const listed = async () => (await sql`select * from keyed where id > ${0}`.execute(db)).rows
    const found = async () => (await sql`select * from keyed where id = ${1} ${byKey}`.execute(db)).rows
    const prepared = async () => {
      const kept = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
      return kept.rows.map(({ statement }) => statement)
    }
    for (const _ of [1, 2]) {
      expect(await listed()).toEqual([{ id: 1 }])
      expect(await found()).toEqual([{ id: 1 }])
    }
    expect(await prepared()).toEqual([expect.stringMatching(/^select \* from keyed where id = /)])

    await database.pool.query('alter table keyed add column name text')
    expect(await found()).toEqual([{ id: 1, name: null }])
    await close()
  })
})

test('a violated constraint is reported by its name', async () => {
  const now = new Date()
  const twice = database.write(async (tx) => {
    await tx
      .insertInto('organizations')
      .values([organization(newId(), now), organization(newId(), now)])
      .execute()
  })
  const error: unknown = await twice.catch((problem: unknown) => problem)
  expect(isUniqueViolation(error, 'organizations_confirmed_bin')).toBe(true)
  expect(isUniqueViolation(error, 'groups_name')).toBe(false)
  expect(isUnreachable(error)).toBe(false)
})

test('an unreachable database is told from one that refuses a statement', async () => {
  const nowhere = openDatabase({ host: '/nonexistent', user: 'x', database: 'x' }, () => {})
  const error: unknown = await nowhere.pool.query('select 1').catch((problem: unknown) => problem)
  expect(isUnreachable(error)).toBe(true)
  await nowhere.close()
})

test('a replaced primary that has become read-only is a temporary refusal', async () => {
  const refused = database.write(async (tx) => {
    await sql`set transaction read only`.execute(tx)
    await sql`delete from rate_limits`.execute(tx)
  })
  const error: unknown = await refused.catch((problem: unknown) => problem)
  expect(String(error)).toContain('read-only transaction')
  expect(isTemporarilyRefused(error)).toBe(true)
})

test('ids are UUIDs of version 7: later ones sort later', () => {
  const ids = Array.from({ length: 50 }, (_, i) => newId(1_700_000_000_000 + i))
  expect(ids).toEqual(ids.toSorted())
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
