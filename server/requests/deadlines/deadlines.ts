/**
 * Tells people of deadlines and withdraws expired requests. Each request is handled in a transaction of its own that
 * locks it and asks the rules again: whatever other processes and people do meanwhile, each piece of news is told
 * once, and a signature that came first counts.
 */
import type { Database } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import type { SystemCommand } from '@kelisim/domain/requests/life-cycle/commands.ts'
import { decide } from '@kelisim/domain/requests/life-cycle/decide.ts'
import { whyNot } from '@kelisim/domain/requests/life-cycle/why-not.ts'
import { saveEvents } from '../core/saving.ts'
import { lockedRequest } from '../core/state.ts'
import { findExpiredRequests, findRequestsWithNews } from './queries.ts'

type DeadlineDependencies = { database: Database; clock: () => Date }

/** How many requests are looked up at once. */
const batch = 200

export async function watchDeadlines(dependencies: DeadlineDependencies): Promise<void> {
  // Expired requests are withdrawn first, so that nobody is reminded of them.
  const failures = [
    ...(await forEach(dependencies, findExpiredRequests, 'expire')),
    ...(await forEach(dependencies, findRequestsWithNews, 'tell-deadlines')),
  ]
  if (failures.length > 0) throw new AggregateError(failures, 'deadlines of some requests were not told')
}

/** Goes on with the other requests if one fails; the next run tries the failed one again. */
async function forEach(
  { database, clock }: DeadlineDependencies,
  find: typeof findExpiredRequests,
  type: 'expire' | 'tell-deadlines',
): Promise<unknown[]> {
  const failures: unknown[] = []
  const today = dateInAlmaty(clock())
  for (let after = emptyId; ;) {
    const ids = await find(database.db, { today, after, limit: batch })
    for (const id of ids) {
      try {
        await act({ database, clock }, id, { type, today })
      } catch (error) {
        failures.push(error)
      }
    }
    if (ids.length < batch) return failures
    after = ids.at(-1)!
  }
}

async function act(
  { database, clock }: DeadlineDependencies,
  requestId: string,
  command: SystemCommand,
): Promise<void> {
  await database.write(async (tx) => {
    const now = clock()
    const loaded = await lockedRequest(tx, requestId)
    // Meanwhile somebody may have signed, or another process may have carried out the command.
    if (!loaded || whyNot(loaded.request, command, now)) return
    const events = decide(loaded.request, command, now)
    await saveEvents(tx, loaded, events, { actor: null, address: null, comment: '' }, now)
  })
}
