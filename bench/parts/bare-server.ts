/** The anchor: the framework, the driver and one `select 1`. */
import { parentPort, workerData } from 'node:worker_threads'
import Fastify from 'fastify'
import pg from 'pg'

const { port, connection } = workerData as { port: number; connection: pg.PoolConfig }
const pool = new pg.Pool({ ...connection, max: 10 })
const app = Fastify()
app.get('/', async () => {
  await pool.query('select 1')
  return { ok: true }
})
await app.listen({ port })
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage('listening')
