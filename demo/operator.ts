/** Harmless failed jobs, so that the operator of the demo has something to look at and to retry. */
import { sql } from 'kysely'
import type { Database } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { deadLetters } from '@kelisim/server/jobs/queue.ts'
import { hour } from '@kelisim/domain/durations.ts'

const reasons = [
  'Connection terminated unexpectedly',
  'canceling statement due to statement timeout',
  'timeout exceeded when trying to connect',
]

export async function seedDeadLetters(database: Database, now: Date): Promise<void> {
  await database.write(async (tx) => {
    for (const [hours, message] of reasons.entries()) {
      const diedAt = new Date(now.getTime() - (hours + 1) * hour)
      const queuedAt = new Date(diedAt.getTime() - 17 * hour)
      // A group that does not exist, so that the job finds nothing to do.
      const data = JSON.stringify({ groupId: newId() })
      await sql`
        insert into pgboss.job (id, name, data, created_on, start_after, keep_until, source_name, source_id,
          source_created_on, source_retry_count, source_output)
        values (${newId()}, ${deadLetters}, ${data}, ${diedAt}, ${diedAt}, ${diedAt}::timestamptz + interval '1 year',
          'settle-requests', ${newId()}, ${queuedAt}, 10, ${JSON.stringify({ message })})`.execute(tx)
    }
  })
}
