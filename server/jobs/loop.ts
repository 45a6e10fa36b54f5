/** Work that a process does all the time, beside the queue: it looks for something to do, and pauses when there is nothing. */
import { setTimeout } from 'node:timers/promises'

export type Loop = {
  /** Waits for the current round. */
  stop: () => Promise<void>
}

/** A round that says that there is more is followed by the next one at once. */
export function startLoop(
  round: (signal: AbortSignal) => Promise<boolean | void>,
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = (async () => {
    while (!signal.aborted) {
      const isMore = await round(signal).catch(onError)
      if (isMore !== true) await setTimeout(everyMs, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
