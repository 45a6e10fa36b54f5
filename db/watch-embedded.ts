/**
 * Restarts the embedded PostgreSQL when it has died (killed, crashed, disk full), with growing pauses. A connection is
 * held open only for this: when it breaks, the server is checked. If another process of ours has restarted it already,
 * that server is adopted.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded, type EmbeddedServer } from './embedded.ts'

export type Recovery = {
  /** How many attempts to start it have failed. */
  attempts: number
}

export type EmbeddedWatch = {
  /** Null: the server runs, as far as is known. */
  recovery: () => Recovery | null
  /** Ends the watch: from now on the server may be stopped on purpose. */
  stop: () => Promise<void>
}

export type WatchListeners = {
  onDeath: () => void
  onFailure: (error: unknown, attempts: number) => void
  onReturn: () => void
}

const shortestPause = 500
const longestPause = 30_000

export function watchEmbedded(
  folder: string,
  { connection }: Pick<EmbeddedServer, 'connection'>,
  { onDeath, onFailure, onReturn }: WatchListeners,
  longest = longestPause,
): EmbeddedWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let recovery: Recovery | null = null

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await connectionLost(connection, signal, () => {
        if (recovery) onReturn()
        recovery = null
      })
      if (signal.aborted) return
      if (!recovery) onDeath()
      recovery ??= { attempts: 0 }
      await bringBack(recovery)
    }
  }

  async function bringBack(state: Recovery): Promise<void> {
    for (;;) {
      await pause(Math.min(longest, shortestPause * 2 ** state.attempts), null, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        await startEmbedded(folder, [], { mayBeNew: false })
        return
      } catch (error) {
        state.attempts++
        onFailure(error, state.attempts)
      }
    }
  }

  const watching = watch()
  return {
    recovery: () => recovery,
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

/** Holds a connection until it breaks, or cannot be made. */
async function connectionLost(
  connection: EmbeddedServer['connection'],
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'kelisim-watch' })
  const lost = Promise.withResolvers<void>()
  const leave = () => lost.resolve()
  client.on('error', leave)
  client.on('end', leave)
  signal.addEventListener('abort', leave, { once: true })
  try {
    await client.connect()
    onConnected()
    if (!signal.aborted) await lost.promise
  } catch {
    // A server that cannot be reached counts as a broken connection.
  } finally {
    signal.removeEventListener('abort', leave)
    await client.end().catch(() => {})
  }
}
