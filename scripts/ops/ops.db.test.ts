/** The operator's commands as typed: beside a server, in a separate process. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { readMigrations } from '@kelisim/db/migrate.ts'
import { onServer, testDatabase } from '@kelisim/db/testing.ts'
import { deadLetters, openQueue, startQueue } from '@kelisim/server/jobs/queue.ts'
import { startTestApp } from '@kelisim/server/testing.ts'
import { logKeyIn } from '@kelisim/server/transparency/key.ts'

const { database, connection } = await testDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'kelisim-ops-'))
const { host, user } = inject('postgres')
const addressOf = (name: string) => `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`

function typed(script: string, args: string[], change: Record<string, string> = {}) {
  const name = 'database' in connection ? connection.database : ''
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, script), ...args],
    {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        MODE: 'demo',
        DATA_DIR: dataDir,
        DATABASE_URL: addressOf(name),
        ...change,
      },
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}
const ops = (...args: string[]) => typed('ops.ts', args)

test('dead letters are listed and retried by kind or by id', async () => {
  const queue = await startQueue(connection, () => {})
  await queue.stop()
  const id = newId()
  await database.pool.query(
    `insert into pgboss.job (id, name, data, source_name, source_id, source_output, source_retry_count, created_on)
     values ($1, $2, '{"groupId":"g"}', 'settle-requests', $1, '{"message":"the road is closed"}', 10, now())`,
    [id, deadLetters],
  )
  const dead = ops('dead')
  expect(dead).toMatchObject({ status: 0 })
  expect(dead.stdout).toContain('the road is closed')
  expect(ops('retry', newId())).toMatchObject({ status: 1, stdout: 'retried: 0\n' })
  expect(ops('retry', id)).toMatchObject({ status: 0, stdout: 'retried: 1\n' })
  const jobs = ops('jobs', '--json')
  const { queues } = JSON.parse(jobs.stdout) as { queues: { name: string; ready: number; dead: number }[] }
  expect(queues.find(({ name }) => name === 'settle-requests')).toMatchObject({ ready: 1, dead: 0 })
  expect(JSON.parse(ops('acts', '--json').stdout)).toMatchObject([{ by: null, type: 'retried' }])
})

test('an organisation can be given a subscription; wrong usage is reported', async () => {
  const { make } = await startTestApp({ database })
  const organizationId = await make.organization(await make.person())
  const { bin } = await database.write((tx) =>
    tx
      .updateTable('organizations')
      .set({ confirmedAt: new Date() })
      .where('id', '=', organizationId)
      .returning('bin')
      .executeTakeFirstOrThrow(),
  )
  const give = (...change: string[]) =>
    ops('give-subscription', '--bin', bin, '--from', '2026-01-01', ...change)
  expect(give('--tariff', 'standard', '--to', '2026-12-31')).toMatchObject({ status: 0 })
  expect(give('--tariff', 'premium', '--to', '2026-12-31', '--max', '7')).toMatchObject({ status: 0 })
  for (const wrong of [
    ['--tariff', 'gold', '--to', '2026-12-31'],
    ['--tariff', 'standard', '--to', '2026-02-30'],
    ['--tariff', 'standard', '--to', '2026-12-31', '--bin', '111111111111'],
    ['--tariff', 'standard', '--surprise'],
  ]) {
    expect(give(...wrong), wrong.join(' ')).toMatchObject({ status: 2, stdout: '' })
  }
  const given = await database.db.selectFrom('subscriptions').selectAll().execute()
  expect(given).toMatchObject([
    { organizationId, nameKey: 'standard', maxSigningRequests: 50 },
    { organizationId, nameKey: 'premium', maxSigningRequests: 7 },
  ])
})

test('a backup can be made, checked, listed and restored', async () => {
  const queue = await openQueue(connection)
  await queue.stop()
  const to = mkdtempSync(join(tmpdir(), 'kelisim-backups-'))
  expect(ops('backups')).toMatchObject({ status: 1 })
  expect(typed('backup.ts', ['--to', to, '--keep', '2'])).toMatchObject({ status: 0 })
  expect(typed('backup.ts', ['--check', to])).toMatchObject({ status: 0 })
  expect(ops('backups')).toMatchObject({ status: 0 })
  const name = `restored_${newId().replaceAll('-', '')}`
  await onServer(inject('postgres'), `create database ${name}`)
  const elsewhere = { DATABASE_URL: addressOf(name), DATA_DIR: mkdtempSync(join(tmpdir(), 'kelisim-ops-')) }
  const restored = typed('restore.ts', ['--from', to], elsewhere)
  const again = typed('restore.ts', ['--from', to], elsewhere)
  await onServer(inject('postgres'), `drop database ${name} with (force)`)
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  expect(again).toMatchObject({ status: 1 })
  expect(again.stderr).toContain('The database is not empty')
})

test('after a downgrade the commands work if the newer version only added to the database', async () => {
  const newer = '9999_newer.sql'
  const addNewer = (onlyAdds: boolean) =>
    database.pool.query(
      `insert into migrations (name, sha256, only_adds) values ($1, '', $2)
       on conflict (name) do update set only_adds = excluded.only_adds`,
      [newer, onlyAdds],
    )
  try {
    await addNewer(true)
    expect(ops('mail')).toMatchObject({ status: 0, stderr: '' })
    await addNewer(false)
    expect(ops('mail')).toMatchObject({ status: 2, stderr: expect.stringContaining(newer) as string })
  } finally {
    await database.pool.query('delete from migrations where name = $1', [newer])
  }
  const [last] = readMigrations().slice(-1)
  await database.pool.query('delete from migrations where name = $1', [last!.name])
  try {
    expect(ops('mail')).toMatchObject({ status: 2, stderr: expect.stringContaining('older') as string })
  } finally {
    await database.pool.query('insert into migrations (name, sha256) values ($1, $2)', [
      last!.name,
      last!.sha256,
    ])
  }
})

test('files without a row are removed only with a stated maximum number', () => {
  expect(ops('sweep-storage')).toMatchObject({ status: 2 })
  expect(ops('sweep-storage', '--max', '500')).toMatchObject({ status: 1, stdout: 'removed: 0\n' })
})

test('commands without a database or arguments, or with a wrong configuration, fail with their exit status', () => {
  const empty = mkdtempSync(join(tmpdir(), 'kelisim-ops-'))
  expect(typed('ops.ts', ['jobs'], { DATABASE_URL: '', DATA_DIR: empty })).toMatchObject({ status: 2 })
  expect(typed('ops.ts', ['jobs'], { PORT: 'x' })).toMatchObject({ status: 78 })
  expect(typed('ops.ts', ['help'], { PORT: 'x' })).toMatchObject({ status: 0 })
  expect(typed('backup.ts', [])).toMatchObject({ status: 2 })
  expect(typed('restore.ts', [])).toMatchObject({ status: 2 })
})

test('the audit reads everything again, and reports differences', async () => {
  logKeyIn(join(dataDir, 'log-key.pem'))
  expect(ops('audit')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('nothing differs') as string,
  })
  await database.pool.query(
    `insert into log_nodes (level, index, hash) values (0, 100000, sha256('x'::bytea))`,
  )
  expect(ops('audit')).toMatchObject({ status: 1, stdout: expect.stringContaining('nodes-wrong') as string })
})
