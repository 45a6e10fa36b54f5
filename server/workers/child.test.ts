import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { workerFolder } from './worker-folder.ts'

/** Runs the worker without a parent: as if somebody ran its file by hand, or its parent was killed. */
function runAlone(folder: string): void {
  const file = fileURLToPath(new URL('testing-worker.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    cwd: folder,
  })
  expect(status).toBe(0)
}

test('a child process without a parent removes its own folder, and never that of somebody who started it by hand', () => {
  const own = mkdtempSync(join(tmpdir(), workerFolder))
  runAlone(own)
  expect(existsSync(own)).toBe(false)
  const another = mkdtempSync(join(tmpdir(), 'kelisim-by-hand-'))
  runAlone(another)
  expect(existsSync(another)).toBe(true)
  rmSync(another, { recursive: true })
})
