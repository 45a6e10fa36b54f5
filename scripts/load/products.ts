/** Several processes of the product on one database and one folder, as behind a proxy; the first has the address that people know. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startProduct, temporaryData, type Product } from '@kelisim/bench/parts/product.ts'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { startStandIns } from '../start-stand-ins.ts'

/** The three ports after the first product's are those of the stand-ins. */
const portOf = (port: number, process: number) => (process === 0 ? port : port + 3 + process)

export type Products = { products: Product[]; client: pg.Client; dataDir: string }

export async function withProducts(
  port: number,
  count: number,
  settings: Record<string, string>,
  measure: (started: Products) => Promise<void>,
): Promise<void> {
  const dataDir = temporaryData()
  const env: Record<string, string> = { ...settings, PUBLIC_URL: `http://localhost:${port}` }
  await startStandIns(Object.assign(env, { PORT: String(port), DATA_DIR: dataDir, MODE: 'demo' }))
  const products: Product[] = []
  try {
    for (let i = 0; i < count; i++) products.push(await startProduct(portOf(port, i), dataDir, { env }))
    const { connection } = await startEmbedded(join(dataDir, 'postgres')) // adopts the product's own server
    const client = new pg.Client(connection)
    await client.connect()
    try {
      await measure({ products, client, dataDir })
    } finally {
      await client.end()
    }
  } finally {
    for (const product of products) await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
