/** Calls per second of two addresses, measured in turn after both have warmed up: the median of each. */
import autocannon from 'autocannon'

const rounds = 5
/** The compiler shares two cores with everything else: it takes a while until both run at full speed. */
const warmUpRounds = 4
const secondsARound = 3

type Target = { url: string; headers?: Record<string, string> }

export async function alternating(ours: Target, anchor: Target): Promise<{ value: number; anchor: number }> {
  for (let i = 0; i < warmUpRounds; i++) {
    await rate(ours)
    await rate(anchor)
  }
  const rates = { ours: [] as number[], anchor: [] as number[] }
  for (let i = 0; i < rounds; i++) {
    rates.ours.push(await rate(ours))
    rates.anchor.push(await rate(anchor))
  }
  return { value: median(rates.ours), anchor: median(rates.anchor) }
}

async function rate(target: Target): Promise<number> {
  const result = await autocannon({ ...target, connections: 16, duration: secondsARound })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${target.url} failed ${result.non2xx} times`)
  return Math.round(result.requests.average)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
