/** Ends provider sessions. The applications are notified after the commit, see logouts.ts. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '@kelisim/db/db.ts'
import { storedId } from './adapter.ts'
import { emptySessions } from './payload-queries.ts'
import { validFromAfter } from './login-time.ts'
import { queueLogouts, type EndedSession } from './logout-queries.ts'

export async function endSession(tx: Tx, uid: string, now: Date): Promise<void> {
  await end(tx, await openSessions(tx).where('uid', '=', uid).execute(), now)
}

/**
 * Ends all sessions of the account and the sign-ins in progress, except the session `keptUid`. The clock is read while
 * the account is locked, so that no later login can have seen the old state.
 */
export async function endAllSessions(
  tx: Tx,
  accountId: string,
  clock: () => Date,
  keptUid?: string,
): Promise<void> {
  const { sessionsValidFrom } = await tx
    .selectFrom('signInAccounts')
    .select('sessionsValidFrom')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const now = clock()
  const validFrom = validFromAfter(sessionsValidFrom, now)
  await tx
    .updateTable('signInAccounts')
    .set({ sessionsValidFrom: validFrom })
    .where('id', '=', accountId)
    .execute()
  const sessions = await openSessions(tx).where('accountId', '=', accountId).execute()
  await end(
    tx,
    sessions.filter(({ uid }) => uid !== keptUid),
    now,
  )
  if (keptUid) await renewLogin(tx, keptUid, validFrom)
  await forgetInteractions(tx, accountId)
}

type Row = { id: string; uid: string | null; payload: Record<string, unknown> }

function openSessions(tx: Tx) {
  return tx
    .selectFrom('signInPayloads')
    .select(['id', 'uid', 'payload'])
    .where('model', '=', 'Session')
    .where('consumedAt', 'is', null)
    .forUpdate()
}

async function end(tx: Tx, rows: Row[], now: Date): Promise<void> {
  const sessions = rows.map(({ payload }) => StoredSession.parse(payload))
  await emptySessions(
    tx,
    rows.map(({ id }) => id),
    now,
  )
  await revokeGrants(tx, sessions.flatMap(grantsOf))
  await queueLogouts(tx, sessions.flatMap(endedAt), now)
}

/** Changing the password required the old one, which counts as a new login of this session. */
async function renewLogin(tx: Tx, uid: string, validFrom: Date): Promise<void> {
  const loginTs = validFrom.getTime() / 1000
  await tx
    .updateTable('signInPayloads')
    .set({ payload: sql`jsonb_set(payload, '{loginTs}', to_jsonb(${loginTs}::bigint))` })
    .where('model', '=', 'Session')
    .where('uid', '=', uid)
    .where('consumedAt', 'is', null)
    .execute()
}

async function forgetInteractions(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('signInPayloads')
    .where('model', '=', 'Interaction')
    .where(
      sql<boolean>`${accountId} in (payload #>> '{result,login,accountId}', payload #>> '{session,accountId}')`,
    )
    .execute()
}

/** Deletes the codes and tokens issued under a grant with it. */
async function revokeGrants(tx: Tx, grantIds: string[]): Promise<void> {
  if (grantIds.length === 0) return
  await tx
    .deleteFrom('signInPayloads')
    .where((row) =>
      row.or([
        row('grantId', 'in', grantIds),
        row.and([row('model', '=', 'Grant'), row('id', 'in', grantIds.map(storedId))]),
      ]),
    )
    .execute()
}

const StoredSession = z.object({
  accountId: z.string().optional(),
  authorizations: z
    .record(z.string(), z.object({ sid: z.string().optional(), grantId: z.string().optional() }))
    .default({}),
})
type StoredSession = z.infer<typeof StoredSession>

function grantsOf({ authorizations }: StoredSession): string[] {
  return Object.values(authorizations).flatMap(({ grantId }) => grantId ?? [])
}

function endedAt({ accountId, authorizations }: StoredSession): EndedSession[] {
  if (!accountId) return []
  return Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    sid ? { accountId, clientId, sid } : [],
  )
}
