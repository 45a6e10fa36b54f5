/** The landing carries none of the application's code: no script at all. */
import { rmSync } from 'node:fs'
import { loadedScripts } from './loaded-scripts.ts'
import { startProduct, temporaryData } from './product.ts'
import type { Measure } from './measure.ts'

export async function landing(): Promise<Measure> {
  const dataDir = temporaryData()
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
