/** The oldest supported PostgreSQL, where Debian's package is installed. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from './db.ts'
import { migrate, readMigrations } from './migrate.ts'
import { temporaryFolder } from './temporary-folder.ts'

const programs = '/usr/lib/postgresql/15/bin'
const isInstalled = existsSync(join(programs, 'initdb'))
const nobody = 65534
const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
const folder = temporaryFolder()
const data = join(folder, 'data')

function run(program: string, ...args: string[]): void {
  const done = spawnSync(join(programs, program), args, {
    ...as,
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (done.status !== 0) throw new Error(`${program}: ${done.stderr}`)
}

afterAll(() => {
  if (isInstalled) run('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
  rmSync(folder, { recursive: true, force: true })
})

const name = 'every migration and the job queue run on PostgreSQL 15'

test.skipIf(!isInstalled)(isInstalled ? name : `${name} (skipped: ${programs} is not there)`, async () => {
  mkdirSync(data, { mode: 0o700 })
  if (as.uid) for (const path of [folder, data]) chownSync(path, nobody, nobody)
  run('initdb', '-D', data, '-U', 'kelisim', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync')
  run(
    'pg_ctl',
    'start',
    '-w',
    '-D',
    data,
    '-l',
    join(folder, 'log'),
    '-o',
    `-c listen_addresses= -k ${folder}`,
  )
  const connection = { host: folder, user: 'kelisim', database: 'postgres' }
  expect(await migrate(connection)).toEqual(readMigrations().map((m) => m.name))
  expect(await migrate(connection)).toEqual([])
  const boss = new PgBoss({ ...connection, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
  const database = openDatabase(connection, () => {})
  const { rows } = await database.pool.query(
    "select lower('ӘКІМ') as l, current_setting('server_version_num')::int / 10000 as v",
  )
  expect(rows).toEqual([{ l: 'әкім', v: 15 }])
  await database.close()
})
