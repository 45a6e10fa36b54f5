/**
 * All data about a person is given to them, and is erased with their account unless proofs of others depend on it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { getProfile } from '@kelisim/domain/identity/contract.ts'
import { eraseAccount } from '@kelisim/domain/personal-data/contract.ts'
import { removeMember } from '@kelisim/domain/portal/contract.ts'
import { unpacked } from '../outputs/bundle/testing-bundle.ts'
import { startOutputsApp } from '../outputs/testing-outputs.ts'
import { countsOfPeople, personalTables } from './tables.ts'

const app = await startOutputsApp('rsa')
const { call, database, sender } = app
const folder = mkdtempSync(join(tmpdir(), 'kelisim-personal-'))
afterAll(() => rmSync(folder, { recursive: true }))
const contract = await app.contract()
const emailOf = async (id: string) =>
  (await database.pool.query<{ email: string }>('select email from users where id = $1', [id])).rows[0]!.email
const aliasOf = (answer: { error: { ExceptionData: { Alias: string } } }) => answer.error.ExceptionData.Alias

test('every table that refers to people is in the list of personal data, with existing columns', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct c.conrelid::regclass::text as name from pg_constraint c where c.contype = 'f'
       and c.confrelid in ('users'::regclass, 'memberships'::regclass)`,
  )
  const known = [...personalTables.map(({ table }) => table), ...countsOfPeople, 'erasures']
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  const { rows: columns } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const there = new Set(columns.map(({ name }) => name))
  const left = personalTables.flatMap(({ table, without = [] }) =>
    without.map((column) => `${table}.${column}`),
  )
  expect(left.filter((name) => !there.has(name))).toEqual([])
})

test('a person downloads their own rows, without secrets and without rows of others', async () => {
  const answer = await app.get({ id: sender.employee }, '/api-user/personal-data')
  expect(answer.statusCode).toBe(200)
  const path = join(folder, 'data.zip')
  writeFileSync(path, answer.rawPayload)
  const files = await unpacked(path)
  const rowsOf = (table: string) =>
    JSON.parse(Buffer.from(files.get(`${table}.json`)!).toString()) as Record<string, unknown>[]
  expect([...files.keys()]).toHaveLength(personalTables.length + 1)
  expect(rowsOf('users')).toMatchObject([{ id: sender.employee, email: await emailOf(sender.employee) }])
  expect(rowsOf('signing_requests').map(({ id }) => id)).toEqual([contract.id])
  expect(rowsOf('request_signatures')).toHaveLength(1)
  expect(Object.keys(rowsOf('sessions')[0]!)).not.toContain('token_hash')
  const all = [...files.values()].map((bytes) => Buffer.from(bytes).toString()).join('')
  expect(all).not.toContain(await emailOf(sender.colleague))
  expect((await app.app.inject('/api-user/personal-data')).statusCode).toBe(401)
})

test('an account is erased only with its own e-mail, and after leaving organisations with other members', async () => {
  const { employee, organizationId } = sender
  const email = await emailOf(employee)
  expect(aliasOf(await call(employee, eraseAccount, { email: 'other@example.kz' }))).toBe('email-not-own')
  expect(aliasOf(await call(employee, eraseAccount, { email }))).toBe('leave-organizations-first')
  await call(employee, removeMember, { organizationId, userId: employee })
  expect((await call(employee, eraseAccount, { email: email.toUpperCase() })).status).toBe(200)
  expect((await call(employee, getProfile, {})).status).toBe(401)

  const { rows } = await database.pool.query<object>(
    `select u.email, u.login, u.iin, u.signing_iin, u.full_name <> '—' as named,
       (select count(*)::int from sessions s where s.user_id = u.id) as sessions,
       (select count(*)::int from notices n where n.user_id = u.id) as notices,
       (select count(*)::int from request_events e where e.actor ->> 'id' = u.id::text) > 0 as acted
     from users u where u.id = $1`,
    [employee],
  )
  const nothing = { email: '', login: '', iin: null, signing_iin: null, sessions: 0, notices: 0 }
  // The name stays, because the history of the contract says who sent and signed it.
  expect(rows).toEqual([{ ...nothing, named: true, acted: true }])
  const evidence = await app.get(
    { id: sender.owner },
    `/api/SigningRequests/${organizationId}/${contract.id}/files/original`,
  )
  expect(evidence.statusCode).toBe(200)
})

test('a former member downloads nothing of the organisation', async () => {
  const { colleague, organizationId, owner } = sender
  const noticesOf = async () => {
    const answer = await app.get({ id: colleague }, '/api-user/personal-data')
    const path = join(folder, 'notices.zip')
    writeFileSync(path, answer.rawPayload)
    return JSON.parse(Buffer.from((await unpacked(path)).get('notices.json')!).toString()) as unknown[]
  }
  await database.pool.query(
    `insert into notices (id, request_id, occasion, kind, recipient, user_id, organization_id, about, created_at, mode)
     values (gen_random_uuid(), $1, 'e900', 'comment', $2::text, $2::uuid, $3, '{"comment": "Между нами"}', now(), 'none')`,
    [contract.id, colleague, organizationId],
  )
  expect(await noticesOf()).not.toEqual([])
  await call(owner, removeMember, { organizationId, userId: colleague })
  const path = join(folder, 'left.zip')
  writeFileSync(path, (await app.get({ id: colleague }, '/api-user/personal-data')).rawPayload)
  const files = await unpacked(path)
  const texts = [...files].flatMap(([name, bytes]) =>
    name.endsWith('.json') ? [Buffer.from(bytes).toString()] : [],
  )
  expect(texts.join('')).not.toContain('Договор поставки')
  expect(await noticesOf()).toEqual([])
})

test('an unconfirmed e-mail gives no access to rows with the same address', async () => {
  const one = await app.make.person()
  await database.pool.query(
    `update users set email = 'a@example.kz', is_email_confirmed = false where id = $1`,
    [one],
  )
  await database.pool.query(
    `insert into feedback (id, at, language, name, email, phone, message)
     values (gen_random_uuid(), now(), 'ru', 'Имя', 'a@example.kz', '+77010000000', 'Вопрос')`,
  )
  const path = join(folder, 'unproved.zip')
  writeFileSync(path, (await app.get({ id: one }, '/api-user/personal-data')).rawPayload)
  expect(
    Buffer.from((await unpacked(path)).get('feedback.json')!)
      .toString()
      .trim(),
  ).toBe('[]')
})

test('an organisation whose only member erased their account becomes unclaimed', async () => {
  const alone = await app.make.person()
  const organizationId = await app.make.organization(alone)
  await database.pool.query('update organizations set confirmed_at = now() where id = $1', [organizationId])
  expect((await call(alone, eraseAccount, { email: await emailOf(alone) })).status).toBe(200)
  const { rows } = await database.pool.query<object>(
    'select is_unclaimed, confirmed_at from organizations where id = $1',
    [organizationId],
  )
  expect(rows).toEqual([{ is_unclaimed: true, confirmed_at: null }])
})

test('erasing a person who only sent feedback leaves nothing of them', async () => {
  const nobody = await app.make.person()
  const email = await emailOf(nobody)
  await database.pool.query(
    `insert into feedback (id, at, language, name, email, phone, message)
     values (gen_random_uuid(), now(), 'ru', 'Имя', $1, '+77010000000', 'Вопрос')`,
    [email],
  )
  await database.pool.query('update users set is_email_confirmed = true where id = $1', [nobody])
  expect((await call(nobody, eraseAccount, { email })).status).toBe(200)
  const { rows } = await database.pool.query(`select full_name, email from users where id = $1`, [nobody])
  expect(rows).toEqual([{ full_name: '—', email: '' }])
  const { rowCount } = await database.pool.query('select from feedback where email = $1', [email])
  expect(rowCount).toBe(0)
})
