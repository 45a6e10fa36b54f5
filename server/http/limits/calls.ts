/**
 * Rate limits. The general limit is kept in memory, because it protects this process. Limits of single endpoints guard
 * against guessing and flooding, so they are kept in the database and shared by all processes.
 */
import { hash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '@kelisim/db/db.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse, type Alias } from '@kelisim/domain/errors.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { minute, second } from '@kelisim/domain/durations.ts'
import { openAllowances } from '../programs/allowances.ts'

export type Limits = {
  overall: (address: string) => void
  /** `caller`: the person, or the network of an anonymous caller. `body`: the unchecked input. */
  perEndpoint: (e: Endpoint, caller: string, body?: unknown) => Promise<void>
  /** All members and programs of an organisation together, in all processes. */
  perOrganization: (organizationId: string) => Promise<void>
}

export type LimitSettings = {
  /** Calls from one network, in this process. */
  callsPerMinute: number
  /** Calls of one organisation; undefined: any number. */
  organizationCallsPerMinute?: number | undefined
}

export function limitsIn(database: Database, settings: LimitSettings, clock: () => Date): Limits {
  const byPoints = new Map<number, SharedLimit>()

  function shared(points: number): SharedLimit {
    let limit = byPoints.get(points)
    if (!limit) {
      limit = sharedLimit(database, { name: 'endpoint', points, duration: minute })
      byPoints.set(points, limit)
    }
    return limit
  }

  return {
    overall: overallLimit(settings.callsPerMinute),
    async perEndpoint(e, caller, body) {
      const apart = e.limitApart?.(isRecord(body) ? body : {})
      const perMinute = apart?.perMinute ?? e.perMinute
      if (perMinute === undefined) return
      const counter = apart ? ` ${apart.counter}` : ''
      await shared(perMinute)(`${e.method} ${e.path}${counter} ${caller}`)
    },
    perOrganization: organizationLimit(database, settings.organizationCallsPerMinute, clock),
  }
}

function organizationLimit(
  database: Database,
  limit: number | undefined,
  clock: () => Date,
): Limits['perOrganization'] {
  if (limit === undefined) return async () => {}
  const alias = 'organization-too-many-requests'
  const reserve = sharedLimit(database, { name: 'organization', points: limit, duration: minute, alias })
  return openAllowances(reserve, limit, clock)
}

/** Counts one more call of the key, or several at once; refuses if there were too many. */
export type SharedLimit = (key: string, calls?: number) => Promise<void>

type SharedLimitSettings = { name: string; points: number; duration: number; alias?: Alias }

/** A limit that all processes share; `duration` is in milliseconds. */
export function sharedLimit(
  database: Database,
  { name, points, duration, alias = 'too-many-requests' }: SharedLimitSettings,
): SharedLimit {
  const limiter = new RateLimiterPostgres({
    storeClient: database.pool,
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: duration / second,
  })
  return (key, calls) => consume(limiter, keyOf(key), alias, calls)
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null
}

/** A fixed window: the cheapest sufficient algorithm, because it runs before every call. */
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

/** Keys are hashed, so that an address of any length written by a proxy fits the column. */
function keyOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

async function consume(limiter: RateLimiterPostgres, key: string, alias: Alias, calls = 1): Promise<void> {
  try {
    await limiter.consume(key, calls)
  } catch (problem) {
    if (!(problem instanceof RateLimiterRes)) throw problem
    refuse(alias, { seconds: Math.ceil(problem.msBeforeNext / 1000) })
  }
}
