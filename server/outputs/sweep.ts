/** Removes outputs that nobody has asked for in a month; they can be made again. */
import type { Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { findOutputsAskedBefore, removeOutput } from './core/queries.ts'

const month = 30 * day
const batch = 500

export async function sweepOutputs(tx: Tx, now: Date): Promise<void> {
  const old = await findOutputsAskedBefore(tx, new Date(now.getTime() - month), batch)
  for (const output of old) await removeOutput(tx, output, now)
}
