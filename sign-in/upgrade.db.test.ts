/** Rows from before identifiers were hashed and passwords were chosen on the page of the e-mail's link. */
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { migrate, readMigrations } from '@kelisim/db/migrate.ts'
import { onServer } from '@kelisim/db/testing.ts'
import { postgresAdapter, storedId } from './provider/adapter.ts'

const server = inject('postgres')
const connection = { ...server, database: `upgrade_${newId().replaceAll('-', '')}` }
await onServer(server, `create database ${connection.database}`)
const database = openDatabase({ ...connection, max: 2 }, () => {})

afterAll(async () => {
  await database.close()
  await onServer(server, `drop database ${connection.database} with (force)`)
})

test('people stay signed in over the upgrade; passwords typed before it are deleted', async () => {
  const hardening = '0005_sign_in_hardening.sql'
  await migrate(
    connection,
    readMigrations().filter(({ name }) => name < hardening),
  )
  const accountId = newId()
  const session = { jti: 'the cookie', uid: 'the uid', accountId, loginTs: 1, kind: 'Session' }
  const registration = { email: 'a@example.kz', fullName: 'А', passwordHash: 'typed before', language: 'ru' }
  await database.pool.query(
    `insert into sign_in_accounts (id, email, full_name, language, created_at)
     values ($1, 'b@example.kz', 'Б', 'ru', now())`,
    [accountId],
  )
  await database.pool.query(
    `insert into sign_in_payloads (model, id, payload, uid, account_id)
     values ('Session', 'the cookie', $1, 'the uid', $2)`,
    [session, accountId],
  )
  await database.pool.query(
    `insert into sign_in_tokens (sha256, kind, registration, created_at, expires_at)
     values (sha256('x'), 'confirm-email', $1, now(), now() + interval '1 day')`,
    [registration],
  )
  await migrate(connection)

  const sessions = postgresAdapter(database)('Session')
  expect(await sessions.find('the cookie')).toEqual(session)
  expect(await sessions.find(storedId('the cookie'))).toBeUndefined()
  const { rows } = await database.pool.query('select payload::text from sign_in_payloads')
  expect(JSON.stringify(rows)).not.toContain('the cookie')
  const tokens = await database.db.selectFrom('signInTokens').select('registration').execute()
  expect(tokens).toEqual([{ registration: { email: 'a@example.kz', fullName: 'А', language: 'ru' } }])
})
