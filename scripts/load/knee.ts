/** What can be concluded from a series of steps with growing concurrency. */

export type Step = {
  people: number
  actsASecond: number
  /** The 95th percentile of the duration of all acts, in milliseconds. */
  p95: number
}

/** A step with longer waiting is a gain only if its throughput grows by this factor. */
const gain = 1.1

/** The number of people beyond which more of them only wait longer; undefined: it was not reached. */
export function kneeOf(steps: readonly Step[]): number | undefined {
  return steps.find((step, i) => {
    const next = steps[i + 1]
    return next !== undefined && next.actsASecond < step.actsASecond * gain && next.p95 > step.p95
  })?.people
}

export function percentile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? 0
}

export type Used = {
  product: number
  database: number
  load: number
  cores: number
  connectionsWaitedFor: number
}

/** What ran out first, judged by the processor seconds per second of each part. */
export function saturatedOf({ product, database, load, cores, connectionsWaitedFor }: Used): string {
  const share = (used: number) => used.toFixed(2)
  const parts = `product ${share(product)}, database ${share(database)}, this program ${share(load)} of ${cores} cores`
  if (product + database + load >= 0.9 * cores) return `the processors (${parts})`
  if (connectionsWaitedFor > 0) return `connections to the database (${parts})`
  return `nothing of these (${parts}); others may use the machine`
}

/** The rounded median of each tenth of the values: they show steady growth, but not peaks that come and go. */
export function tenthsOf(values: readonly number[]): number[] {
  const at = (tenth: number) => Math.round((values.length * tenth) / 10)
  return Array.from({ length: 10 }, (_, i) => values.slice(at(i), at(i + 1)))
    .filter((some) => some.length > 0)
    .map((some) => Math.round(percentile(some, 0.5)))
}
