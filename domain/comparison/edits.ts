/**
 * The fewest removals and additions that turn one list into another (Myers, "An O(ND) difference algorithm", 1986).
 */

export type EditKind = 'same' | 'removed' | 'added'
export type Run = { kind: EditKind; items: string[] }

/**
 * Runs in order; neighbours differ in kind. Null if more than `most` edits are needed: the work grows with their
 * square.
 */
export function runsBetween(before: readonly string[], after: readonly string[], most: number): Run[] | null {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const shorter = Math.min(before.length, after.length) - start
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const middle = middleRuns(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
    most,
  )
  if (middle === null) return null
  return joined([
    { kind: 'same', items: before.slice(0, start) },
    ...middle,
    { kind: 'same', items: before.slice(before.length - end) },
  ])
}

function middleRuns(before: readonly string[], after: readonly string[], most: number): Run[] | null {
  const [a, b] = numbered(before, after)
  const bound = Math.min(most, a.length + b.length)
  // The furthest position on each diagonal; a diagonal is how many more items were removed than added.
  const reached = new Int32Array(2 * bound + 3)
  const centre = bound + 1
  const steps: Int32Array[] = []
  for (let edits = 0; edits <= bound; edits++) {
    steps.push(reached.slice(centre - edits - 1, centre + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isAddition = comesByAddition(reached, centre, diagonal, edits)
      let x = isAddition ? reached[centre + diagonal + 1]! : reached[centre + diagonal - 1]! + 1
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      reached[centre + diagonal] = x
      if (x >= a.length && x - diagonal >= b.length) return traced(before, after, steps)
    }
  }
  return null
}

function comesByAddition(reached: Int32Array, centre: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && reached[centre + diagonal - 1]! < reached[centre + diagonal + 1]!
}

/** Replaces equal texts by equal numbers, which are compared faster. */
function numbered(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>()
  const of = (items: readonly string[]) =>
    Int32Array.from(items, (item) => {
      const known = numbers.get(item) ?? numbers.size
      numbers.set(item, known)
      return known
    })
  return [of(before), of(after)]
}

/** Traces the path from the end back to the beginning, through the positions reached with each number of edits. */
function traced(before: readonly string[], after: readonly string[], steps: readonly Int32Array[]): Run[] {
  const runs: Run[] = []
  let [x, y] = [before.length, after.length]
  for (let edits = steps.length - 1; edits > 0; edits--) {
    const reached = steps[edits]!
    const centre = edits + 1
    const diagonal = x - y
    const isAddition = comesByAddition(reached, centre, diagonal, edits)
    const from = diagonal + (isAddition ? 1 : -1)
    const startX = reached[centre + from]!
    const startY = startX - from
    const [afterX, afterY] = isAddition ? [startX, startY + 1] : [startX + 1, startY]
    runs.push({ kind: 'same', items: before.slice(afterX, x) })
    runs.push(
      isAddition
        ? { kind: 'added', items: after.slice(startY, afterY) }
        : { kind: 'removed', items: before.slice(startX, afterX) },
    )
    x = startX
    y = startY
  }
  runs.push({ kind: 'same', items: before.slice(0, x) })
  return runs.toReversed()
}

/** Joins runs and drops empty ones; between two equal runs, removals come before additions. */
export function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = []
  let removed: Run = { kind: 'removed', items: [] }
  let added: Run = { kind: 'added', items: [] }
  let same: Run = { kind: 'same', items: [] }
  const flush = (isSame: boolean) => {
    for (const run of isSame ? [removed, added] : [same]) if (run.items.length > 0) result.push(run)
    if (isSame) {
      removed = { kind: 'removed', items: [] }
      added = { kind: 'added', items: [] }
    } else same = { kind: 'same', items: [] }
  }
  for (const { kind, items } of runs) {
    if (items.length === 0) continue
    flush(kind === 'same')
    const open = kind === 'same' ? same : kind === 'removed' ? removed : added
    for (const item of items) open.items.push(item)
  }
  flush(true)
  flush(false)
  return result
}
