import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { workerFolder } from './worker-folder.ts'

/** As somebody does who runs its file, or as the child of a parent that was killed. */
function runAlone(folder: string): void {
  const file = fileURLToPath(new URL('testing-worker.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    cwd: folder,
  })
  expect(status).toBe(0)
}

test('a child without a parent removes its own folder, and never the folder of somebody who started it', () => {
  const own = mkdtempSync(join(tmpdir(), workerFolder))
  runAlone(own)
  expect(existsSync(own)).toBe(false)
  const another = mkdtempSync(join(tmpdir(), 'kelisim-by-hand-'))
  runAlone(another)
  expect(existsSync(another)).toBe(true)
  rmSync(another, { recursive: true })
})
