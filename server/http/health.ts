import type { FastifyInstance } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'

/** live: the process responds. ready: it also reaches its database, so traffic may be sent here. */
export function healthRoutes(app: FastifyInstance, database: Database): void {
  const route = { config: { access: 'anyone' } } as const
  app.get('/health/live', route, () => ({ status: 'live' }))
  app.get('/health/ready', route, async () => {
    await database.pool.query('select 1').catch(() => refuse('service-unavailable'))
    return { status: 'ready' }
  })
}
