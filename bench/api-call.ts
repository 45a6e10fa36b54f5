/**
 * Calls per second of GET /api/v1/connection by a program with a token, against a bare server of the same framework that
 * responds after one `select 1` on the same database. Alternating, so that both run under the same conditions.
 */
import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { alternating } from './parts/alternating.ts'
import { startProduct, temporaryData } from './parts/product.ts'
import type { Measure } from './parts/measure.ts'

const goal = 0.5
/** Away from the product's port, whose next ones are used by the stand-ins of the demo. */
const barePort = 3290

export async function apiCall(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3281, dataDir)
  const database = await startEmbedded(join(dataDir, 'postgres')) // adopts the server that the product started
  const bare = new Worker(new URL('./parts/bare-server.ts', import.meta.url), {
    workerData: { port: barePort, connection: database.connection },
  })
  await new Promise((resolve) => bare.once('message', resolve))
  try {
    const authorization = `Bearer ${await someToken(database.connection)}`
    const ours = { url: `${product.url}/api/v1/connection`, headers: { authorization } }
    const { value, anchor } = await alternating(ours, { url: `http://localhost:${barePort}/` })
    const ratio = Number((value / anchor).toFixed(3))
    return { name: 'apiCall', value, anchor, ratio, goal: `ratio >= ${goal}`, ok: ratio >= goal }
  } finally {
    await bare.terminate()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A token of a member, inserted into the table: making it is not measured. */
async function someToken(connection: pg.ClientConfig): Promise<string> {
  const token = `kls_${randomBytes(32).toString('base64url')}`
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `insert into program_tokens (id, organization_id, name, token_hash, ending, acts_as, scopes, addresses, expires_at, made_by,
       made_at)
     select gen_random_uuid(), organization_id, 'bench', $1, $2, user_id, '{requests.read}', '{}', now() + interval '1 hour',
       user_id, now()
     from memberships limit 1`,
    [createHash('sha256').update(token).digest(), token.slice(-4)],
  )
  await client.end()
  return token
}
