/**
 * Rate limits. The general limit is kept in memory, because it protects this process. Limits of single endpoints guard
 * against guessing and flooding, so they are kept in the database and shared by all processes.
 */
import { hash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '@kelisim/db/db.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { minute } from '@kelisim/domain/durations.ts'

export type Limits = {
  overall: (address: string) => void
  /** `caller`: the person, or the IP address of an anonymous caller. */
  perEndpoint: (e: Endpoint, caller: string) => Promise<void>
}

export function limitsIn(database: Database, overallPerMinute: number): Limits {
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
    overall: overallLimit(overallPerMinute),
    perEndpoint: (e, caller) => consume(shared(e.perMinute ?? 60), keyOf(`${e.method} ${e.path} ${caller}`)),
  }
}

/** A fixed window: the cheapest algorithm that is enough, since it runs before every call. */
function overallLimit(perMinute: number): Limits['overall'] {
  let calls = new Map<string, number>()
  let until = 0
  return (address) => {
    const network = networkOf(address)
    const now = Date.now()
    if (now >= until) {
      calls = new Map()
      until = now + minute
    }
    const count = (calls.get(network) ?? 0) + 1
    calls.set(network, count)
    if (count > perMinute) refuse('too-many-requests', { seconds: Math.ceil((until - now) / 1000) })
  }
}

/** Hashed, so that an address of any length written by a proxy fits the column. */
function keyOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (problem) {
    if (!(problem instanceof RateLimiterRes)) throw problem
    refuse('too-many-requests', { seconds: Math.ceil(problem.msBeforeNext / 1000) })
  }
}
