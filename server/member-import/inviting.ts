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

/** For so many rows the members, groups and invitations of the organisation are read once. */
const batch = 50

/** Invites everybody who is queued; safe to repeat. */
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
      // The person was invited by somebody else meanwhile, or their group is gone: the row shows its problem again.
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

/**
 * Whether the limit concerns the sender, which pauses the import; the limit of one address fails its own row only.
 */
function isOfSender({ limit }: Readonly<Record<string, unknown>>): boolean {
  return typeof limit === 'string' && !limit.endsWith('address')
}

/** Continues the imports whose pause is over: after midnight the e-mails of a new day may be sent. */
export async function goOnWithImports(
  tx: Tx,
  queueImport: (importId: string) => Promise<void>,
  now: Date,
): Promise<void> {
  for (const id of await takePaused(tx, now)) await queueImport(id)
}
