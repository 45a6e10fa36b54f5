/** Behind a transaction pooler: a wrong configuration is reported at start, and no code relies on a session. */
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { callTimeouts, openDatabase, type Connection } from './db.ts'
import { checkPooling } from './pooler.ts'
import { startTestPooler } from './testing-pooler.ts'
import { testDatabase } from './testing.ts'

const { connection } = await testDatabase()
const { database: name } = connection as { database: string }
const pooler = await startTestPooler(name, callTimeouts)
const withoutLimits = await startTestPooler(name, {})
const elsewhere = await startTestPooler('postgres', callTimeouts)

test('a direct connection, with or without a pooler, is accepted', async () => {
  await expect(checkPooling(connection)).resolves.toBeUndefined()
  await expect(checkPooling({ ...connection, pooler })).resolves.toBeUndefined()
})

test.each<[string, Connection, RegExp]>([
  ['a pooler without a direct connection', pooler, /DATABASE_URL leads to a pooler.*set DATABASE_DIRECT_URL/],
  ['two poolers', { ...pooler, pooler }, /DATABASE_DIRECT_URL leads to a pooler/],
  ['two databases', { ...connection, pooler: elsewhere }, /lead to different databases/],
  [
    'a pooler that limits nothing',
    { ...connection, pooler: withoutLimits },
    /connect_query = 'set idle_in_transaction_session_timeout = 5000; set lock_timeout = 10000; set statement_timeout = 30000'/,
  ],
])('%s is refused with an explanation', async (_, wrong, words) => {
  await expect(checkPooling(wrong)).rejects.toThrow(words)
})

test('no statement is prepared in a session of the pooler, and LISTEN uses a direct connection', async () => {
  const database = openDatabase({ ...connection, pooler, max: 1 }, () => {})
  afterAll(() => database.close())
  await database.pool.query({ name: 'kept', text: 'select $1::int as one', values: [1] })
  const { rows } = await database.pool.query('select name from pg_prepared_statements')
  expect(rows).toEqual([])

  const listener = await database.connect()
  await listener.query('listen testing')
  const heard = once(listener, 'notification')
  await database.pool.query("notify testing, 'told'")
  expect(await heard).toMatchObject([{ payload: 'told' }])
  const { rows: limits } = await listener.query('show lock_timeout')
  expect(limits).toEqual([{ lock_timeout: '10s' }])
  await listener.end()
})
