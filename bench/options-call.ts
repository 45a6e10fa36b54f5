/**
 * Requests per second of GET /api/Organizations/{id}/options, signed in, against a bare server of the same framework
 * that responds after one `select 1` on the same database. Alternating, so that both run under the same conditions.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import autocannon from 'autocannon'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { startProduct, temporaryData } from './parts/product.ts'
import { someSession } from './parts/session.ts'
import type { Measure } from './parts/measure.ts'

const goal = 0.5
const rounds = 5
/** The compiler shares two cores with everything else: it takes a while until both run at full speed. */
const warmUpRounds = 4
const secondsARound = 3
/** Away from the product's port, whose next ones are used by the stand-ins of the demo. */
const barePort = 3270

export async function optionsCall(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3261, dataDir)
  const database = await startEmbedded(join(dataDir, 'postgres')) // adopts the one the product started
  const bare = new Worker(new URL('./parts/bare-server.ts', import.meta.url), {
    workerData: { port: barePort, connection: database.connection },
  })
  await new Promise((resolve) => bare.once('message', resolve))
  try {
    const { cookie, organizationId } = await someSession(database.connection)
    const ours = { url: `${product.url}/api/Organizations/${organizationId}/options`, headers: { cookie } }
    const anchor = { url: `http://localhost:${barePort}/` }
    for (let i = 0; i < warmUpRounds; i++) {
      await rate(ours)
      await rate(anchor)
    }
    const rates = { ours: [] as number[], anchor: [] as number[] }
    for (let i = 0; i < rounds; i++) {
      rates.ours.push(await rate(ours))
      rates.anchor.push(await rate(anchor))
    }
    const value = median(rates.ours)
    const bareRate = median(rates.anchor)
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

async function rate(target: { url: string; headers?: Record<string, string> }): Promise<number> {
  const result = await autocannon({ ...target, connections: 16, duration: secondsARound })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${target.url} failed ${result.non2xx} times`)
  return Math.round(result.requests.average)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
