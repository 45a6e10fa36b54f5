/** How many letters anybody may cause. Counted in the database: the limits hold over all processes. */
import { createHash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '@kelisim/db/db.ts'
import { networkOf } from './attempts.ts'

export type Limits = {
  /** Forms that send letters, from one network address. */
  mayAskFrom: (address: string) => Promise<boolean>
  /** Letters to one mailbox. */
  mayWriteTo: (email: string) => Promise<boolean>
}

const hour = 60 * 60

export function letterLimits({ pool }: Database): Limits {
  const limiter = (name: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false, // sweep() does it
      keyPrefix: name,
      points,
      duration: hour,
    })
  const byAddress = limiter('sign-in-address', 20)
  const byMailbox = limiter('sign-in-mailbox', 3)
  return {
    mayAskFrom: (address) => isWithin(byAddress, networkOf(address)),
    mayWriteTo: (email) => isWithin(byMailbox, createHash('sha256').update(email).digest('base64url')),
  }
}

async function isWithin(limiter: RateLimiterPostgres, key: string): Promise<boolean> {
  try {
    await limiter.consume(key)
    return true
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return false
    throw reason
  }
}
