/** What was made of requests and nobody has asked for in a month: it can be made again. */
import type { Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { forget } from './core/asking.ts'

const month = 30 * day
const atOnce = 500

export async function sweepOutputs(tx: Tx, now: Date): Promise<void> {
  const old = await tx
    .selectFrom('requestOutputs')
    .selectAll()
    .where('askedAt', '<', new Date(now.getTime() - month))
    .limit(atOnce)
    .execute()
  for (const output of old) await forget(tx, output, now)
}
