/**
 * Notifies the applications that a session has ended (OpenID Connect Back-Channel Logout 1.0). Notifications are saved
 * in the transaction that ends the session and deleted when the application has confirmed.
 */
import type { Provider } from 'oidc-provider'
import type { Database } from '@kelisim/db/db.ts'
import { deleteAbandoned, deletePendingLogout, takeDue, type EndedSession } from './logout-queries.ts'

export type Log = {
  info: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** Sends what is due. Concurrent processes take different notifications. */
export async function deliverPendingLogouts(
  provider: Provider,
  database: Database,
  log: Log,
  now: Date,
): Promise<void> {
  const { due, givenUp } = await database.write(async (tx) => ({
    givenUp: await deleteAbandoned(tx, now),
    due: await takeDue(tx, now),
  }))
  for (const { clientId, attempts } of givenUp)
    log.error({ clientId, attempts }, 'An application was not told in a day that a session has ended')
  await Promise.all(
    due.map(async ({ id, ...ended }) => {
      if (!(await notify(provider, ended, log))) return
      await database.write((tx) => deletePendingLogout(tx, id))
    }),
  )
}

/** The provider's client has this method, but its published types leave it out. */
type Notifiable = { backchannelLogout: (accountId: string, sid: string) => Promise<void> }

/** Returns whether nothing is left to send. */
async function notify(
  provider: Provider,
  { accountId, clientId, sid }: EndedSession,
  log: Log,
): Promise<boolean> {
  try {
    const client = await provider.Client.find(clientId)
    if (client?.backchannelLogoutUri)
      await (client as unknown as Notifiable).backchannelLogout(accountId, sid)
    return true
  } catch (error) {
    log.error({ err: error, clientId }, 'An application could not be told yet that a session has ended')
    return false
  }
}
