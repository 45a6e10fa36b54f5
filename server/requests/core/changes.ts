/**
 * Tells open pages that a request is not what it was. Every process listens to the database, where whoever changes a
 * request says so in the transaction that does; the pages ask for the rest themselves.
 */
import type pg from 'pg'
import type { Database } from '@kelisim/db/db.ts'
import { watchRequest } from '@kelisim/domain/requests/contract.ts'
import type { Streams } from '../../http/streams.ts'
import { partyOf, seenRequest } from './party.ts'
import { changesChannel } from './state.ts'

type Change = { signingRequestId: string; currentVersion: number }

export type Changes = {
  on: (signingRequestId: string, hear: (currentVersion: number) => void) => () => void
}

const againAfter = 2_000

/** A connection of its own for as long as anybody has a page open, and none otherwise. */
export function openChanges(database: Database, onError: (error: Error) => void): Changes {
  const hearing = new Map<string, Set<(currentVersion: number) => void>>()
  let client: pg.PoolClient | undefined
  let isConnecting = false

  async function listen(): Promise<void> {
    if (client || isConnecting || hearing.size === 0) return
    isConnecting = true
    try {
      const connected = await database.pool.connect()
      client = connected
      connected.on('error', lost)
      connected.on('notification', ({ payload }) => tell(payload ?? ''))
      await connected.query(`listen ${changesChannel}`)
      // What was said while nobody listened is not repeated: everybody looks again.
      for (const ears of hearing.values()) for (const hear of ears) hear(0)
    } catch (error) {
      lost(error instanceof Error ? error : new Error(String(error)))
    } finally {
      isConnecting = false
      if (hearing.size === 0) letGo()
    }
  }

  function lost(error: Error): void {
    onError(error)
    letGo()
    setTimeout(() => void listen(), againAfter).unref()
  }

  function letGo(): void {
    client?.removeAllListeners('notification')
    client?.release(true)
    client = undefined
  }

  function tell(payload: string): void {
    const { signingRequestId, currentVersion } = JSON.parse(payload) as Change
    for (const hear of hearing.get(signingRequestId) ?? []) hear(currentVersion)
  }

  return {
    on(signingRequestId, hear) {
      const ears = hearing.get(signingRequestId) ?? new Set()
      hearing.set(signingRequestId, ears.add(hear))
      void listen()
      return () => {
        ears.delete(hear)
        if (ears.size === 0) hearing.delete(signingRequestId)
        if (hearing.size === 0 && !isConnecting) letGo()
      }
    },
  }
}

export function changeStreams(streams: Streams, changes: Changes): void {
  streams.give(watchRequest, async ({ input, who, db, now }, say) => {
    const { signingRequestId } = input
    const party = await partyOf(db, who, now)
    // Listening begins before the look: what changes in between is told twice rather than never.
    const leave = changes.on(signingRequestId, (currentVersion) => say({ signingRequestId, currentVersion }))
    try {
      const { row } = await seenRequest(db, signingRequestId, party)
      say({ signingRequestId, currentVersion: row.version })
      return leave
    } catch (error) {
      leave()
      throw error
    }
  })
}
