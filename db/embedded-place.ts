/** Where the embedded PostgreSQL has its data, its socket and its log, and who may enter there. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export type EmbeddedPlace = { data: string; socket: string; logFile: string }

/** The user and the group as whom root runs the server. */
export const nobody = 65534

/** Prepares the folders; the database may still have to be created by initdb. */
export function locate(folder: string, isRoot: boolean): EmbeddedPlace {
  const reached = isRoot ? reachableData(resolve(folder)) : resolve(folder)
  prepareFolder(reached, isRoot)
  const data = dataIn(reached)
  if (data !== reached) prepareFolder(data, isRoot)
  const socket = socketFolder(data, isRoot)
  mkdirSync(socket, { recursive: true, mode: 0o700 })
  refuseForeign(socket, isRoot)
  if (isRoot) chownSync(socket, nobody, nobody)
  chmodSync(socket, 0o700)
  return { data, socket, logFile: join(dirname(reached), 'postgres.log') }
}

/** Whether a database exists, in the folder itself or inside a volume that is mounted there. */
export function hasDatabase(folder: string): boolean {
  return [folder, insideVolume(folder)].some((data) => existsSync(join(data, 'PG_VERSION')))
}

/**
 * A mount point can neither be replaced by a database that was made beside it nor be empty (lost+found), so there the
 * data has a folder of its own inside.
 */
function dataIn(folder: string): string {
  if (existsSync(join(folder, 'PG_VERSION'))) return folder
  const inside = insideVolume(folder)
  return existsSync(inside) || isMountPoint(folder) ? inside : folder
}

function insideVolume(folder: string): string {
  return join(folder, 'data')
}

function isMountPoint(folder: string): boolean {
  if (!existsSync('/proc/self/mountinfo')) return false
  const path = realpathSync(folder)
  // The fifth field, in which spaces and the like are written as octal numbers.
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) =>
      (line.split(' ')[4] ?? '').replaceAll(/\\(\d{3})/g, (_, code: string) =>
        String.fromCharCode(parseInt(code, 8)),
      ),
    )
  return points.includes(path)
}

/** Socket addresses are limited to about 100 bytes, so the folder lies in the temporary one under a short name. */
function socketFolder(data: string, isRoot: boolean): string {
  // Root uses /run, where no other user can create anything beforehand.
  return join(isRoot && existsSync('/run') ? '/run' : tmpdir(), `kelisim-${shortHash(data)}`)
}

function reachableData(folder: string): string {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return realpathSync(folder)
  const isOpen = (parent: string) => (statSync(parent).mode & 0o001) !== 0
  if (parentsOf(folder).every(isOpen)) return folder
  if (hasDatabase(folder) || (existsSync(folder) && isMountPoint(folder))) {
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

function prepareFolder(folder: string, isRoot: boolean): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isRoot) chownSync(folder, nobody, nobody)
  chmodSync(folder, 0o700)
}

/** The temporary folder is open to everybody, so a link, or a folder of another user, is not trusted. */
function refuseForeign(folder: string, isRoot: boolean): void {
  const found = lstatSync(folder)
  const isOurs = isRoot ? found.uid === 0 || found.uid === nobody : found.uid === process.getuid?.()
  if (!isOurs || !found.isDirectory()) {
    throw new Error(`${folder} belongs to another user of this machine; remove it and start again`)
  }
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
