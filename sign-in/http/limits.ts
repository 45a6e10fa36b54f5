/** How many letters anybody may cause. Counted in the database: the limits hold over all processes. */
import { createHash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '@kelisim/db/db.ts'
import { networkOf } from '@kelisim/domain/network.ts'

export type Limits = {
  /** Forms that send letters, from one network address. */
  mayAskFrom: (address: string) => Promise<boolean>
  /** Letters to one mailbox: few for one asker, so that nobody uses up what the mailbox's owner may ask for. */
  mayWrite: (kind: EmailKind, email: string, address: string) => Promise<boolean>
}

type EmailKind = 'register' | 'forgot'

const hour = 60 * 60
const day = 24 * hour

export function emailLimits({ pool }: Database): Limits {
  const limiter = (name: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false, // sweep() does it
      keyPrefix: name,
      points,
      duration,
    })
  // An office behind one address is many people.
  const byAddress = limiter('sign-in-address', 60, hour)
  const byAsker = limiter('sign-in-asker', 3, hour)
  // Only against a flood from many addresses at once.
  const byMailbox = limiter('sign-in-mailbox', 40, day)
  return {
    mayAskFrom: (address) => isWithin(byAddress, networkOf(address)),
    mayWrite: async (kind, email, address) =>
      (await isWithin(byAsker, hash(`${kind}\n${networkOf(address)}\n${email}`))) &&
      (await isWithin(byMailbox, hash(`${kind}\n${email}`))),
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

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
