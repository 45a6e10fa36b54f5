/** JavaScript that the check page loads before a file is dropped, gzipped, in KB. */
import { rmSync } from 'node:fs'
import { loadedScripts } from '../parts/loaded-scripts.ts'
import type { Measure } from '../parts/measure.ts'
import { startProduct, temporaryData } from '../parts/product.ts'

const limitKb = 150

export async function verifyBundle(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3266, dataDir)
  try {
    const value = await loadedScripts(product.url, async (page) => {
      await page.goto(`${product.url}/verify`, { waitUntil: 'networkidle' })
      await page.getByLabel('Файлы для проверки').waitFor()
    })
    const ratio = Number((value / limitKb).toFixed(3))
    const goal = `<= ${limitKb} KB gzip before a file is dropped`
    return { name: 'verifyBundle', value, anchor: limitKb, ratio, goal, ok: value > 0 && value <= limitKb }
  } finally {
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
