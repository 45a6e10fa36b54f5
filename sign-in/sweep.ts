import type { Tx } from '@kelisim/db/db.ts'
import { forgetExpiredPayloads } from './provider/payload-queries.ts'
import { forgetOldFailures, forgetOldRateLimits } from './accounts/attempt-queries.ts'
import { forgetOldChallenges } from './accounts/challenge-queries.ts'
import { forgetOldSecondSteps } from './accounts/second-factor-queries.ts'
import { forgetOldPasskeyChallenges } from './passkeys/passkey-queries.ts'
import { forgetOldTokens } from './accounts/token-queries.ts'

/** Deletes what has expired; to be called periodically, by any process. */
export async function sweep(tx: Tx, now: Date): Promise<void> {
  await forgetExpiredPayloads(tx, now)
  await forgetOldTokens(tx, now)
  await forgetOldChallenges(tx, now)
  await forgetOldSecondSteps(tx, now)
  await forgetOldPasskeyChallenges(tx, now)
  await forgetOldFailures(tx, now)
  await forgetOldRateLimits(tx, now)
}
