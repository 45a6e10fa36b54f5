import type { Tx } from '@kelisim/db/db.ts'
import { forgetExpiredPayloads } from './provider/adapter.ts'
import { forgetOldFailures } from './accounts/attempt-queries.ts'
import { forgetOldChallenges } from './accounts/challenge-queries.ts'
import { forgetOldTokens } from './accounts/token-queries.ts'

/** Removes what has run out; to be called now and then, by any process. */
export async function sweep(tx: Tx, now: Date): Promise<void> {
  await forgetExpiredPayloads(tx, now)
  await forgetOldTokens(tx, now)
  await forgetOldChallenges(tx, now)
  await forgetOldFailures(tx, now)
  await tx.deleteFrom('rateLimits').where('expire', '<', now.getTime()).execute()
}
