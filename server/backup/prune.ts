/** Removes old backups, and the files that no other backup needs. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backupsIn, listedFiles, readManifest, unfinished } from './manifest.ts'
import { day } from '@kelisim/domain/durations.ts'

/** An unfinished backup of this age will never be finished. */
const abandonedMs = 2 * day

export async function prune(folder: string, keep: number): Promise<string[]> {
  const all = await backupsIn(folder)
  const old = all.slice(keep)
  for (const one of old) await rm(one, { recursive: true, force: true })
  const needed = new Set<string>()
  for (const one of all.slice(0, keep)) {
    const { manifest } = await readManifest(one)
    for await (const { sha256 } of listedFiles(one, manifest)) needed.add(sha256)
  }
  // A backup in progress may need any of the files.
  if (!(await isBusy(folder))) await removeUnneeded(join(folder, 'files'), needed)
  return old
}

async function isBusy(folder: string): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(unfinished))
  const paths = names.map((name) => join(folder, name))
  const ages = await Promise.all(paths.map(async (path) => Date.now() - (await stat(path)).mtimeMs))
  for (const [i, path] of paths.entries()) {
    if (ages[i]! > abandonedMs) await rm(path, { recursive: true, force: true })
  }
  return ages.some((age) => age <= abandonedMs)
}

/** The name of a file of a backup: its hash, with a suffix while it is being written. */
const ours = /^[0-9a-f]{64}(\.[0-9a-f-]{36}\.part)?$/

/** Removes only what backups put there: others may keep files in a folder of this name. */
async function removeUnneeded(folder: string, needed: ReadonlySet<string>): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile() && ours.test(entry.name) && !needed.has(entry.name))
      await rm(join(entry.parentPath, entry.name))
  }
}
