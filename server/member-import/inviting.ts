/**
 * Invites the people of a table, one transaction for each: a process that dies leaves a row either invited or queued, and the
 * job runs again. When the e-mails of the day are used up, the rest goes on after midnight.
 */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { second } from '@kelisim/domain/durations.ts'
import { Refusal } from '@kelisim/domain/errors.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { secondsUntilTomorrow } from '@kelisim/domain/mail/stranger-limits.ts'
import type { PersonRow } from '@kelisim/domain/member-import/rows.ts'
import { invitePerson, type InvitationDependencies } from '../portal/invitation-handlers.ts'
import { peopleOf } from './people.ts'
import {
  findImportById,
  findQueued,
  lockQueued,
  pauseImport,
  saveRowFailed,
  saveRowState,
  takePaused,
  type ImportRow,
  type StoredImport,
} from './queries.ts'

export type QueueImport = (tx: Tx, importId: string) => Promise<void>

export type InvitingDependencies = InvitationDependencies & { database: Database; clock: () => Date }

/** What the organisation has is read once for so many rows. */
const batch = 50

/** Safe to repeat. */
export async function inviteQueued(dependencies: InvitingDependencies, importId: string): Promise<void> {
  const { database, clock } = dependencies
  for (;;) {
    const found = await findImportById(database.db, importId)
    const rows = found ? await findQueued(database.db, importId, batch) : []
    if (!found || found.pausedUntil !== null || rows.length === 0) return
    const people = await peopleOf(database.db, found, rows, clock())
    for (const [i, row] of rows.entries()) {
      if ((await inviteRow(dependencies, found, row, people[i]!)) === 'limit-reached') return
    }
  }
}

async function inviteRow(
  dependencies: InvitingDependencies,
  memberImport: StoredImport,
  row: ImportRow,
  person: PersonRow,
): Promise<'done' | 'limit-reached'> {
  const { database, clock } = dependencies
  const now = clock()
  const { organizationId, authorId: userId, language } = memberImport
  try {
    await database.write(async (tx) => {
      if (!(await lockQueued(tx, row))) return
      // Somebody else has invited them meanwhile, or their group is gone: the row says so again.
      if (person.problems.length > 0) return saveRowState(tx, row, 'new')
      const { email, groupIds } = person
      const invited = { email, groupIds, language, roles: roles.of('Employee') }
      await invitePerson(tx, dependencies, { organizationId, userId }, invited, now)
      await saveRowState(tx, row, 'invited')
    })
    return 'done'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { alias, parameters } = error
    if (alias === 'email-limit-reached' && isOfSender(parameters)) {
      const tomorrow = new Date(now.getTime() + secondsUntilTomorrow(now) * second)
      await database.write((tx) => pauseImport(tx, memberImport.id, tomorrow))
      return 'limit-reached'
    }
    await database.write((tx) => saveRowFailed(tx, row, { alias, parameters }))
    return 'done'
  }
}

/** An address that has had enough e-mails today stops its own row only. */
function isOfSender({ limit }: Readonly<Record<string, unknown>>): boolean {
  return typeof limit === 'string' && !limit.endsWith('address')
}

/** After midnight the e-mails of a new day may be sent. */
export async function goOnWithImports(
  tx: Tx,
  queueImport: (importId: string) => Promise<void>,
  now: Date,
): Promise<void> {
  for (const id of await takePaused(tx, now)) await queueImport(id)
}
