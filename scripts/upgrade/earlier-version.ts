/** Another version of the product in a folder of its own, installed and built. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')
const migrations = 'db/migrations'

/** The commit before the newest migration, which is the earlier version unless another commit is named. */
export function commitBeforeNewestMigration(): string {
  return `${git('log', '--diff-filter=A', '--format=%H', '--max-count=1', '--', migrations)}^`
}

export type EarlierVersion = { folder: string; commit: string; remove: () => void }

export function openEarlierVersion(name: string): EarlierVersion {
  const commit = git('rev-parse', '--verify', `${name}^{commit}`)
  const folder = join(mkdtempSync(join(tmpdir(), 'kelisim-earlier-')), 'kelisim')
  git('worktree', 'add', '--detach', folder, commit)
  const remove = () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(join(folder, '..'), { recursive: true, force: true })
  }
  try {
    runIn(folder, process.execPath, ['scripts/bootstrap.mjs'])
    return { folder, commit, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The migrations that the earlier version does not know. */
export function migrationsSince({ commit }: EarlierVersion): string[] {
  return git('diff', '--diff-filter=A', '--name-only', commit, '--', migrations).split('\n').filter(Boolean)
}

/** Gives the earlier version, with its own code and tests, the schema of this version. */
export function giveTodaysSchema({ folder }: EarlierVersion): void {
  rmSync(join(folder, migrations), { recursive: true })
  cpSync(join(root, migrations), join(folder, migrations), { recursive: true })
}

/** Runs a program whose output is shown; throws if it fails. */
export function runIn(folder: string, program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}
