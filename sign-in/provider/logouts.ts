/**
 * Telling the applications that a session has ended (OpenID Connect Back-Channel Logout 1.0). What is to be told
 * is written down in the transaction that ends the session and crossed out when the application has said yes.
 */
import type { Provider } from 'oidc-provider'
import type { Database, Tx } from '@kelisim/db/db.ts'

export type Log = {
  info: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** One application's part of an ended session. */
export type EndedSession = { accountId: string; clientId: string; sid: string }

const second = 1000
/** Long enough for an application to answer: nobody else tries in the meantime. */
const retryDelay = 25 * second
const lifetime = 24 * 60 * 60 * second

export async function queueLogouts(tx: Tx, ended: EndedSession[], now: Date): Promise<void> {
  if (ended.length === 0) return
  await tx
    .insertInto('signInPendingLogouts')
    .values(ended.map((session) => ({ ...session, createdAt: now, attempts: 0, nextAttemptAt: now })))
    .execute()
}

/** Tells whatever is due. Several processes may do so at once: each takes what no other has taken. */
export async function deliverPendingLogouts(
  provider: Provider,
  database: Database,
  log: Log,
  now: Date,
): Promise<void> {
  const { due, givenUp } = await database.write(async (tx) => ({
    givenUp: await giveUpOld(tx, now),
    due: await takeDue(tx, now),
  }))
  for (const { clientId, attempts } of givenUp)
    log.error({ clientId, attempts }, 'An application was not told in a day that a session has ended')
  await Promise.all(
    due.map(async ({ id, ...ended }) => {
      if (!(await notify(provider, ended, log))) return
      await database.write((tx) => tx.deleteFrom('signInPendingLogouts').where('id', '=', id).execute())
    }),
  )
}

function giveUpOld(tx: Tx, now: Date) {
  return tx
    .deleteFrom('signInPendingLogouts')
    .where('createdAt', '<', new Date(now.getTime() - lifetime))
    .returning(['clientId', 'attempts'])
    .execute()
}

function takeDue(tx: Tx, now: Date) {
  return tx
    .updateTable('signInPendingLogouts')
    .set((row) => ({
      attempts: row('attempts', '+', 1),
      nextAttemptAt: new Date(now.getTime() + retryDelay),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('signInPendingLogouts')
        .select('id')
        .where('nextAttemptAt', '<=', now)
        .orderBy('nextAttemptAt')
        .limit(50)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'accountId', 'clientId', 'sid'])
    .execute()
}

/** The provider's client can do this; its published types leave the method out. */
type Notifiable = { backchannelLogout: (accountId: string, sid: string) => Promise<void> }

/** Whether there is nothing left to tell. */
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
