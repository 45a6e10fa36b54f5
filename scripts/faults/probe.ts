/** Reads and writes ten times a second at the address for people, to see when the service is unavailable. */
import { setTimeout as pause } from 'node:timers/promises'

export type Probe = { begunAt: number; endedAt: number; failure: string | undefined }

export type Prober = {
  probes: Probe[]
  /** Milliseconds from the moment to the end of the last failure after it; 0: nobody noticed anything. */
  awayAfter: (moment: number) => number
  failuresAfter: (moment: number) => string[]
  countAfter: (moment: number) => number
  stop: () => Promise<void>
}

export function startProber(url: string, cookie: string): Prober {
  const probes: Probe[] = []
  const over = new AbortController()

  async function probe(): Promise<void> {
    const begunAt = Date.now()
    const failure = await fetch(`${url}/api-user/language`, {
      method: 'PUT',
      body: JSON.stringify({ language: 'ru' }),
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(5_000),
    }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok ? undefined : String(response.status)
      },
      (error: unknown) => String(error),
    )
    probes.push({ begunAt, endedAt: Date.now(), failure })
  }

  const loop = (async () => {
    const running = new Set<Promise<void>>()
    while (!over.signal.aborted) {
      const one = probe().finally(() => running.delete(one))
      running.add(one)
      await pause(100)
    }
    await Promise.all(running)
  })()

  const failed = (moment: number) => probes.filter(({ endedAt, failure }) => failure && endedAt >= moment)
  return {
    probes,
    awayAfter: (moment) => Math.max(0, ...failed(moment).map(({ endedAt }) => endedAt - moment)),
    failuresAfter: (moment) => failed(moment).map(({ failure }) => failure!),
    countAfter: (moment) => probes.filter(({ endedAt }) => endedAt >= moment).length,
    async stop() {
      over.abort()
      await loop
    },
  }
}
