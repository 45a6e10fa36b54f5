/** People who look at requests or act on them. */
import { sql } from 'kysely'
import { byKey, type Db } from '@kelisim/db/db.ts'
import { absentOf } from '../../../substitutions/queries.ts'

/** The person, and the colleagues of this organisation they stand in for today. */
export function getPersonWithAbsent(
  db: Db,
  userId: string,
  organizationId: string | null,
  now: Date,
): Promise<{ fullName: string; iin: string | null; signingIin: string | null; absent: string[] }> {
  return db
    .selectFrom('users')
    .select(['fullName', 'iin', 'signingIin'])
    .select(
      organizationId === null
        ? sql<string[]>`'{}'::uuid[]`.as('absent')
        : sql<string[]>`array(${absentOf(db, { organizationId, userId }, now)})`.as('absent'),
    )
    .where('id', '=', userId)
    .modifyEnd(byKey)
    .executeTakeFirstOrThrow()
}

export type SendingOrganization = { bin: string; shortName: string; confirmedAt: Date | null }

export function getOrganization(db: Db, organizationId: string): Promise<SendingOrganization> {
  return db
    .selectFrom('organizations')
    .select(['bin', 'shortName', 'confirmedAt'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
}
