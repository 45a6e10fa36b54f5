/** Milliseconds of a call, at the 95th percentile. */
export async function percentile95(
  url: string,
  cookie: string,
  { calls, warmUpCalls }: { calls: number; warmUpCalls: number },
): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < warmUpCalls + calls; i++) {
    const began = performance.now()
    const response = await fetch(url, { headers: { cookie } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url} responded ${response.status}`)
    if (i >= warmUpCalls) times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(calls * 0.95)]!
}
