/**
 * How often one address may call. The general limit is kept in memory: it protects this process. Limits of single
 * endpoints guard against guessing and flooding, so they are kept in the database, where all processes agree.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '@kelisim/db/db.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'

export type Limits = {
  overall: (address: string) => Promise<void>
  perEndpoint: (e: Endpoint, address: string) => Promise<void>
}

export function limitsIn(database: Database, overallPerMinute: number): Limits {
  const overall = new RateLimiterMemory({ points: overallPerMinute, duration: 60 })
  const byPoints = new Map<number, RateLimiterPostgres>()

  function shared(points: number): RateLimiterPostgres {
    let limiter = byPoints.get(points)
    if (!limiter) {
      limiter = new RateLimiterPostgres({
        storeClient: database.pool,
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: 'endpoint',
        points,
        duration: 60,
      })
      byPoints.set(points, limiter)
    }
    return limiter
  }

  return {
    overall: (address) => consume(overall, address),
    perEndpoint: (e, address) => consume(shared(e.perMinute ?? 60), `${e.method} ${e.path} ${address}`),
  }
}

async function consume(limiter: RateLimiterMemory | RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (problem) {
    if (!(problem instanceof RateLimiterRes)) throw problem
    refuse('too-many-requests', { seconds: Math.ceil(problem.msBeforeNext / 1000) })
  }
}
