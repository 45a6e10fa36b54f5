/**
 * Requests per second of GET /api/Organizations/{id}/options, signed in, against a bare server of the same framework
 * that responds after one `select 1` on the same database. Alternating, so that both run under the same conditions.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { alternating } from './parts/alternating.ts'
import { startProduct, temporaryData } from './parts/product.ts'
import { someSession } from './parts/session.ts'
import type { Measure } from './parts/measure.ts'

const goal = 0.55
/** Away from the product's port, whose next ones are used by the stand-ins of the demo. */
const barePort = 3270

export async function optionsCall(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3261, dataDir)
  const database = await startEmbedded(join(dataDir, 'postgres')) // adopts the server that the product started
  const bare = new Worker(new URL('./parts/bare-server.ts', import.meta.url), {
    workerData: { port: barePort, connection: database.connection },
  })
  await new Promise((resolve) => bare.once('message', resolve))
  try {
    const { cookie, organizationId } = await someSession(database.connection)
    const ours = { url: `${product.url}/api/Organizations/${organizationId}/options`, headers: { cookie } }
    const anchor = { url: `http://localhost:${barePort}/` }
    const { value, anchor: bareRate } = await alternating(ours, anchor)
    const ratio = Number((value / bareRate).toFixed(3))
    return {
      name: 'optionsCall',
      value,
      anchor: bareRate,
      ratio,
      goal: `ratio >= ${goal}`,
      ok: ratio >= goal,
    }
  } finally {
    await bare.terminate()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
