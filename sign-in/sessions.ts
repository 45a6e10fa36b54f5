/** The end of provider sessions, and telling the applications about it (OpenID Connect Back-Channel Logout 1.0). */
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import type { Database, Tx } from '@kelisim/db/db.ts'

export type Log = {
  info: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

type Ended = { accountId: string; clientId: string; sid: string }

export type SessionEnder = {
  endOne: (uid: string) => Promise<void>
  /** All sessions of the account; `exceptUid` names the one that stays. */
  endAll: (accountId: string, exceptUid?: string) => Promise<void>
}

export function sessionEnder(provider: Provider, { write }: Database, log: Log): SessionEnder {
  const end = async (find: (tx: Tx) => Promise<{ payload: unknown }[]>) => {
    const ended = await write(async (tx) => {
      const sessions = (await find(tx)).map((row) => storedSession.parse(row.payload))
      await revokeGrants(tx, sessions.flatMap(grantsOf))
      return sessions.flatMap(clientsOf)
    })
    // After the commit: an application that asks back must already find the session gone.
    await Promise.all(ended.map((session) => tell(provider, session, log)))
  }
  return {
    endOne: (uid) => end((tx) => removeSessions(tx).where('uid', '=', uid).execute()),
    endAll: (accountId, exceptUid) =>
      end((tx) => {
        const sessions = removeSessions(tx).where('accountId', '=', accountId)
        return (exceptUid ? sessions.where('uid', '<>', exceptUid) : sessions).execute()
      }),
  }
}

function removeSessions(tx: Tx) {
  return tx.deleteFrom('signInPayloads').where('model', '=', 'Session').returning('payload')
}

/** Codes and tokens given out under a grant go with it. */
async function revokeGrants(tx: Tx, grantIds: string[]): Promise<void> {
  if (grantIds.length === 0) return
  await tx
    .deleteFrom('signInPayloads')
    .where((row) =>
      row.or([
        row('grantId', 'in', grantIds),
        row.and([row('model', '=', 'Grant'), row('id', 'in', grantIds)]),
      ]),
    )
    .execute()
}

const storedSession = z.object({
  accountId: z.string().optional(),
  authorizations: z
    .record(z.string(), z.object({ sid: z.string().optional(), grantId: z.string().optional() }))
    .default({}),
})
type StoredSession = z.infer<typeof storedSession>

function grantsOf({ authorizations }: StoredSession): string[] {
  return Object.values(authorizations).flatMap(({ grantId }) => grantId ?? [])
}

function clientsOf({ accountId, authorizations }: StoredSession): Ended[] {
  if (!accountId) return []
  return Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    sid ? { accountId, clientId, sid } : [],
  )
}

/** The provider's client can do this; its published types leave the method out. */
type Notifiable = { backchannelLogout: (accountId: string, sid: string) => Promise<void> }

async function tell(provider: Provider, { accountId, clientId, sid }: Ended, log: Log): Promise<void> {
  try {
    const client = await provider.Client.find(clientId)
    if (client?.backchannelLogoutUri)
      await (client as unknown as Notifiable).backchannelLogout(accountId, sid)
  } catch (error) {
    log.error({ err: error, clientId }, 'An application could not be told that a session has ended')
  }
}
