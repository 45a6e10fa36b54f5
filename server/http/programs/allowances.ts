/**
 * How many calls a token may make in a minute, over all processes. A process reserves several calls at once from the
 * counter in the database, so that most calls cost no statement; calls that come meanwhile wait for the same reservation.
 */
import { minute } from '@kelisim/domain/durations.ts'
import { rememberedTokens } from './known-tokens.ts'

export const callsPerMinuteOfToken = 1200

/** Below this limit a statement for each call costs little, and reserved portions would waste much of the limit. */
const smallLimit = 200

/**
 * A process reserves a twentieth of the limit at once: it may hold this many calls unused, and loses them when it
 * ends. Calls of a small limit are counted one by one, so that it is used up exactly, however many processes there
 * are.
 */
export function reservedAtOnce(limit: number): number {
  return limit < smallLimit ? 1 : Math.floor(limit / 20)
}

/**
 * Reserves this many calls of the token from the counter that all processes share; refuses if not so many are left.
 */
export type Reserve = (tokenId: string, calls: number) => Promise<void>

type Allowance = { left: number; until: number }

export function openAllowances(
  reserve: Reserve,
  limit: number,
  clock: () => Date,
): (tokenId: string) => Promise<void> {
  const allowances = new Map<string, Allowance>()
  const reserving = new Map<string, Promise<void>>()
  const calls = reservedAtOnce(limit)

  async function reserveMore(tokenId: string): Promise<void> {
    await reserve(tokenId, calls)
    allowances.delete(tokenId)
    allowances.set(tokenId, { left: calls, until: clock().getTime() + minute })
    if (allowances.size > rememberedTokens) allowances.delete(allowances.keys().next().value!)
  }

  return async (tokenId) => {
    for (;;) {
      const known = allowances.get(tokenId)
      if (known && known.left > 0 && known.until > clock().getTime()) {
        known.left -= 1
        return
      }
      const begun = reserving.get(tokenId) ?? reserveMore(tokenId).finally(() => reserving.delete(tokenId))
      reserving.set(tokenId, begun)
      await begun
    }
  }
}
