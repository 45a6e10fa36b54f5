/** A loop: work that a process does all the time beside the queue, with a pause whenever there is nothing to do. */
import { setTimeout } from 'node:timers/promises'

export type Loop = {
  /** Waits for the current round. */
  stop: () => Promise<void>
}

/** A round that returns true, because there is more to do, is followed by the next one without a pause. */
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
