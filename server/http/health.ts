import type { FastifyInstance } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Stopping } from './stopping.ts'

/** How many attempts to restart the embedded database have failed; null: it is running, or is not embedded. */
export type DatabaseRecovery = () => { attempts: number } | null

export type Health = {
  /**
   * Watches a part without which the process can still serve: if it fails, it is named and the status is "degraded".
   */
  watch: (name: string, isFailing: () => boolean) => void
}

/** live: the process responds. ready: it also reaches its database, so it may get traffic. */
export function healthRoutes(
  app: FastifyInstance,
  database: Database,
  { recovery, isStopping }: { recovery: DatabaseRecovery } & Stopping,
): Health {
  const route = { config: { access: 'anyone' } } as const
  const watched = new Map<string, () => boolean>()
  app.get('/health/live', route, () => ({ status: 'live' }))
  app.get('/health/ready', route, async () => {
    // Not ready, so that proxies send calls elsewhere before the server closes.
    if (isStopping()) refuse('service-unavailable', { process: 'stopping' })
    await database.pool
      .query('select 1')
      .catch(() => refuse('service-unavailable', { database: stateOf(recovery()) }))
    const failing = [...watched].filter(([, isFailing]) => isFailing()).map(([name]) => name)
    return failing.length === 0 ? { status: 'ready' } : { status: 'degraded', failing }
  })
  return { watch: (name, isFailing) => void watched.set(name, isFailing) }
}

/** Tells whoever watches the service whether the database will recover by itself. */
function stateOf(recovery: ReturnType<DatabaseRecovery>): object {
  if (recovery === null) return { state: 'unreachable' }
  return { state: recovery.attempts === 0 ? 'starting-again' : 'cannot-start', ...recovery }
}
