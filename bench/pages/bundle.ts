/** JavaScript that the browser loads to show the incoming requests for the first time, gzipped, in KB. */
import { rmSync } from 'node:fs'
import { loadedScripts } from '../parts/loaded-scripts.ts'
import { startProduct, temporaryData } from '../parts/product.ts'
import type { Measure } from '../parts/measure.ts'

const limitKb = 210

export async function bundle(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3264, dataDir)
  try {
    const value = await loadedScripts(product.url, async (page) => {
      await page.goto(`${product.url}/signingRequests/incomings`)
      await page.getByRole('button', { name: 'Айгерім Серікова' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    })
    const ratio = Number((value / limitKb).toFixed(3))
    return {
      name: 'bundle',
      value,
      anchor: limitKb,
      ratio,
      goal: `<= ${limitKb} KB gzip`,
      ok: value <= limitKb,
    }
  } finally {
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
