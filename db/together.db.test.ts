import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Tx } from './db.ts'
import { newId } from './id.ts'
import { testDatabase } from './testing.ts'
import { statementsOf } from './testing-statements.ts'
import { changeTogether } from './together.ts'

const { database } = await testDatabase()

const added = (tx: Tx, id: string, shortName: string) =>
  tx
    .insertInto('organizations')
    .values({ id, bin: '000740000728', isIndividual: false, shortName, createdAt: new Date() })

const namesOf = async (...ids: string[]) =>
  (
    await database.db
      .selectFrom('organizations')
      .select('shortName')
      .where('id', 'in', ids)
      .orderBy('shortName')
      .execute()
  ).map(({ shortName }) => shortName)

test('inserts, updates and deletes are sent as one statement', async () => {
  const [one, other, gone] = [newId(), newId(), newId()]
  await database.write(async (tx) => {
    await added(tx, one, 'One').execute()
    await added(tx, gone, 'Gone').execute()
  })
  const asked = await statementsOf(database, () =>
    database.write((tx) =>
      changeTogether(tx, [
        tx.updateTable('organizations').set({ shortName: 'First' }).where('id', '=', one),
        added(tx, other, 'Second'),
        tx.deleteFrom('organizations').where('id', '=', gone),
      ]),
    ),
  )
  expect(asked).toEqual(['begin', expect.stringContaining('update "organizations"'), 'commit'])
  expect(await namesOf(one, other, gone)).toEqual(['First', 'Second'])
})

test('the selected expression is evaluated once, after the changes', async () => {
  const id = newId()
  const told = await database.connect()
  const heard: (string | undefined)[] = []
  told.on('notification', ({ payload }) => heard.push(payload))
  await told.query('listen together')
  await database.write((tx) => changeTogether(tx, [added(tx, id, 'One')], sql`pg_notify('together', ${id})`))
  await told.query('select 1')
  expect(heard).toEqual([id])
  await told.end()
})

test('if one change is refused, none is made', async () => {
  const [one, other] = [newId(), newId()]
  await database.write((tx) => added(tx, one, 'One').execute())
  const refused = database.write((tx) =>
    changeTogether(tx, [
      tx.updateTable('organizations').set({ shortName: 'First' }).where('id', '=', one),
      added(tx, one, 'Twice'),
      added(tx, other, 'Other'),
    ]),
  )
  await expect(refused).rejects.toThrow('duplicate key')
  expect(await namesOf(one, other)).toEqual(['One'])
})
