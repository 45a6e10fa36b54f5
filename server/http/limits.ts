/**
 * How often one address may call. The general limit is kept in memory: it protects this process. Limits of single
 * endpoints guard against guessing and flooding, so they are kept in the database, where all processes agree.
 */
import { hash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '@kelisim/db/db.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { networkOf } from '@kelisim/domain/network.ts'

export type Limits = {
  overall: (address: string) => void
  /** `caller`: the person, or the address of nobody. */
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

const minute = 60_000

/** A fixed window, the cheapest that does: it stands before every call. */
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

/** Whatever a proxy wrote as an address fits into the table. */
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
