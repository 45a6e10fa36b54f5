/** Runs OpenSSL to cross-check our results. Tests are skipped where it is not installed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0
export const hasGostEngine = hasOpenssl && spawnSync('openssl', ['engine', 'gost']).status === 0

/** Appended to the titles of tests that need them. */
export const withoutOpenssl = hasOpenssl ? '' : ' (skipped: openssl is not installed)'
export const withoutGostEngine = hasGostEngine ? '' : ' (skipped: openssl has no gost engine)'

export type OpensslRun = {
  isDone: boolean
  output: string
  /** A file that the command wrote. */
  file: (name: string) => Uint8Array
}

/** Runs openssl in a temporary folder with the given files. */
export function openssl<T>(
  files: Record<string, Uint8Array | string>,
  use: (run: (...args: string[]) => OpensslRun) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'openssl-'))
  try {
    for (const [name, contents] of Object.entries(files)) writeFileSync(join(folder, name), contents)
    return use((...args) => {
      const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
      return {
        isDone: status === 0,
        output: stdout + stderr,
        file: (name) => new Uint8Array(readFileSync(join(folder, name))),
      }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
