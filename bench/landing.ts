/** The landing carries none of the application's code: no script at all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadedScripts } from './loaded-scripts.ts'
import { startProduct } from './product.ts'
import type { Measure } from './measure.ts'

export async function landing(): Promise<Measure> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kelisim-bench-'))
  const product = await startProduct(3265, dataDir)
  try {
    const value = await loadedScripts(product.url, async (page) => {
      await page.goto(product.url, { waitUntil: 'networkidle' })
    })
    return {
      name: 'landing',
      value,
      anchor: 0,
      ratio: value === 0 ? 1 : 0,
      goal: '0 KB of JavaScript',
      ok: value === 0,
    }
  } finally {
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
