/**
 * Tells open pages that a request has changed. The transaction that changes a request notifies the database channel, to
 * which every process listens; the pages then fetch the request themselves.
 */
import type pg from 'pg'
import type { Database } from '@kelisim/db/db.ts'
import { second } from '@kelisim/domain/durations.ts'
import { watchRequest } from '@kelisim/domain/requests/contract.ts'
import type { Streams } from '../../http/streams.ts'
import { partyOf, visibleRequest } from './party.ts'
import { changesChannel } from './queries/changes.ts'

type Listener = (currentVersion: number) => void
type Change = { signingRequestId: string; currentVersion: number }

export type Changes = {
  /** Returns a function that stops listening. */
  on: (signingRequestId: string, listener: Listener) => () => void
}

const reconnectAfter = 2 * second

/** Holds a database connection while at least one page is open. */
export function openChanges(database: Database, onError: (error: Error) => void): Changes {
  const listeners = new Map<string, Set<Listener>>()
  let client: pg.Client | undefined
  let isConnecting = false

  async function listen(): Promise<void> {
    if (client || isConnecting || listeners.size === 0) return
    isConnecting = true
    try {
      const connected = await database.connect()
      client = connected
      connected.on('error', reconnect)
      connected.on('notification', ({ payload }) => notify(payload ?? ''))
      await connected.query(`listen ${changesChannel}`)
      // Notifications sent before are not repeated, so every page fetches its request again.
      for (const some of listeners.values()) for (const listener of some) listener(0)
    } catch (error) {
      reconnect(error instanceof Error ? error : new Error(String(error)))
    } finally {
      isConnecting = false
      if (listeners.size === 0) release()
    }
  }

  function reconnect(error: Error): void {
    onError(error)
    release()
    setTimeout(() => void listen(), reconnectAfter).unref()
  }

  function release(): void {
    client?.removeAllListeners('notification')
    // Closing a connection that is already broken fails, which does not matter.
    client?.end().catch(() => {})
    client = undefined
  }

  function notify(payload: string): void {
    const { signingRequestId, currentVersion } = JSON.parse(payload) as Change
    for (const listener of listeners.get(signingRequestId) ?? []) listener(currentVersion)
  }

  return {
    on(signingRequestId, listener) {
      const ofRequest = listeners.get(signingRequestId) ?? new Set()
      listeners.set(signingRequestId, ofRequest.add(listener))
      void listen()
      return () => {
        ofRequest.delete(listener)
        if (ofRequest.size === 0) listeners.delete(signingRequestId)
        if (listeners.size === 0 && !isConnecting) release()
      }
    },
  }
}

export function changeStreams(streams: Streams, changes: Changes): void {
  streams.give(watchRequest, async ({ input, who, db, now }, send) => {
    const { signingRequestId } = input
    const party = await partyOf(db, who, now)
    // Listens before reading, so that no change in between is missed.
    const leave = changes.on(signingRequestId, (currentVersion) => send({ signingRequestId, currentVersion }))
    try {
      const { row } = await visibleRequest(db, signingRequestId, party)
      send({ signingRequestId, currentVersion: row.version })
      return leave
    } catch (error) {
      leave()
      throw error
    }
  })
}
