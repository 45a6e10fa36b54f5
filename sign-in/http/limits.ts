/** Limits of e-mails. Counted in the database, so that they hold across all processes. */
import { createHash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '@kelisim/db/db.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { day, hour, second } from '@kelisim/domain/durations.ts'

export type Limits = {
  /** Submitted forms that send e-mails, by network address. */
  mayAskFrom: (address: string) => Promise<boolean>
  /**
   * E-mails to one mailbox, few for each network address, so that others cannot use up the limit of the mailbox's
   * owner.
   */
  mayWrite: (kind: EmailKind, email: string, address: string) => Promise<boolean>
}

type EmailKind = 'register' | 'forgot'

export function emailLimits({ pool }: Database): Limits {
  const limiter = (name: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false, // done by sweep()
      keyPrefix: name,
      points,
      duration,
    })
  // An office behind one address is many people.
  const byAddress = limiter('sign-in-address', 60, hour / second)
  const byAsker = limiter('sign-in-asker', 3, hour / second)
  // A high limit, only against a flood from many addresses at once.
  const byMailbox = limiter('sign-in-mailbox', 40, day / second)
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
