/**
 * `npm run -s point-in-time` rehearses what docs/backup.md describes, with Debian's PostgreSQL: a base backup, archived
 * write-ahead log, a mistake, and the way back to the moment before it. Needs root; leaves nothing behind.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '@kelisim/db/migrate.ts'
import { folderFor, userOf } from './cluster/place.ts'
import { until } from './cluster/supervised.ts'

const port = Number(process.env['CLUSTER_PORT'] ?? 3420)
const user = userOf('postgres')
const [version] = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a))
const folder = mkdtempSync(join(tmpdir(), 'kelisim-point-in-time-'))
chownSync(folder, user.uid, user.gid)
const [data, archive, base] = [join(folder, 'data'), join(folder, 'archive'), join(folder, 'base')]
const connection = { connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` }

try {
  folderFor(archive, user)
  tool('initdb', ['-D', data, '--auth=trust', '--data-checksums', '--encoding=UTF8', '--locale=C.UTF-8'])
  // The settings of docs/backup.md.
  appendFileSync(
    join(data, 'postgresql.conf'),
    [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${folder}'`,
      'archive_mode = on',
      'archive_timeout = 5min',
      `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
      `restore_command = 'cp ${archive}/%f %p'`,
    ].join('\n'),
  )
  start(data)
  await migrate(connection)
  tool('pg_basebackup', [
    '-D',
    base,
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    'postgres',
    '--checkpoint=fast',
  ])

  await asked(`insert into rate_limits (key, points) values ('kept', 1)`)
  // The time is read after the transaction, because recovery goes by the moment of a commit.
  const before = await asked<{ at: string }>('select clock_timestamp()::text as at')
  await asked('select pg_switch_wal()')
  await asked(`update rate_limits set points = 666 where key = 'kept'`)
  await asked(`insert into rate_limits (key, points) values ('mistake', 1)`)
  await asked('select pg_switch_wal()')
  await until('the log to be archived', async () => {
    const { failed, late } = await asked<{ failed: number; late: boolean }>(
      `select failed_count::int as failed, last_archived_wal < pg_walfile_name(pg_switch_wal()) as late
       from pg_stat_archiver`,
    )
    return failed === 0 && !late
  }).catch(() => {})
  stop(data)

  writeFileSync(join(base, 'recovery.signal'), '')
  appendFileSync(
    join(base, 'postgresql.conf'),
    `\nrecovery_target_time = '${before.at}'\nrecovery_target_action = 'promote'\n`,
  )
  tool('chown', ['-R', 'postgres:postgres', base], '/usr/bin')
  start(base)
  await until(
    'the recovery',
    async () => !(await asked<{ is: boolean }>('select pg_is_in_recovery() as is')).is,
  )
  const found = await asked<{ kept: number; mistakes: number }>(
    `select (select points from rate_limits where key = 'kept') as kept,
      (select count(*)::int from rate_limits where key = 'mistake') as mistakes`,
  )
  const isRight = found.kept === 1 && found.mistakes === 0
  process.stdout.write(
    `${isRight ? 'recovered to' : 'NOT recovered to'} ${before.at}: ${JSON.stringify(found)}\n`,
  )
  process.exitCode = isRight ? 0 : 1
  stop(base)
} finally {
  for (const one of [data, base]) spawnSync('pkill', ['-QUIT', '-F', join(one, 'postmaster.pid')])
  rmSync(folder, { recursive: true, force: true })
}

async function asked<R>(sql: string): Promise<R> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<R & pg.QueryResultRow>(sql)
    return rows[0] as R
  } finally {
    await client.end()
  }
}

function start(of: string): void {
  tool('pg_ctl', ['-D', of, '-w', '-l', join(folder, 'log'), 'start'])
}

function stop(of: string): void {
  tool('pg_ctl', ['-D', of, '-w', '-m', 'fast', 'stop'])
}

function tool(name: string, args: readonly string[], from = `/usr/lib/postgresql/${version}/bin`): void {
  const isOurs = from === '/usr/bin'
  const { status, stderr, stdout } = spawnSync(join(from, name), args, {
    encoding: 'utf8',
    cwd: folder,
    ...(!isOurs && user),
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
  })
  if (status !== 0) throw new Error(`${name}: ${stderr}${stdout}`)
}
