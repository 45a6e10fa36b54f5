/**
 * How many calls a token may make in a minute, over all processes. A process reserves several calls at once from the
 * counter in the database, so that most calls cost no statement.
 */
import { minute } from '@kelisim/domain/durations.ts'

export const callsPerMinuteOfToken = 1200
/** Of the calls that are reserved, at most these are lost when a process ends. */
export const reservedAtOnce = 20

/** Reserves this many calls of the token from the counter that all processes share; refuses if there are not so many left. */
export type Reserve = (tokenId: string, calls: number) => Promise<void>

type Allowance = { left: number; until: number }

/** Tokens beyond this number are not tracked: each of their calls reserves anew. */
const rememberedTokens = 10_000

export function openAllowances(reserve: Reserve, clock: () => Date): (tokenId: string) => Promise<void> {
  const allowances = new Map<string, Allowance>()
  return async (tokenId) => {
    const now = clock().getTime()
    const known = allowances.get(tokenId)
    if (known && known.left > 0 && known.until > now) {
      known.left -= 1
      return
    }
    await reserve(tokenId, reservedAtOnce)
    allowances.delete(tokenId)
    allowances.set(tokenId, { left: reservedAtOnce - 1, until: now + minute })
    if (allowances.size > rememberedTokens) allowances.delete(allowances.keys().next().value!)
  }
}
