/**
 * Long texts that differ in many places: what stands exactly once in both, in the same order, stayed where it was. Between two such
 * places the texts are short enough to be compared exactly (the idea of "patience diff").
 */
import { joined, runsBetween, type Run } from './edits.ts'

/** So many items in a row hardly stand somewhere else by chance. */
const together = 4

/** Where too much differs even between two anchors, it counts as replaced. */
export function runsByAnchors(before: readonly string[], after: readonly string[], most: number): Run[] {
  const runs: Run[] = []
  let [x, y] = [0, 0]
  const end = { x: before.length, y: after.length }
  for (const anchor of [...anchorsOf(before, after), end]) {
    const [left, right] = [before.slice(x, anchor.x), after.slice(y, anchor.y)]
    const between = runsBetween(left, right, most) ?? [
      { kind: 'removed' as const, items: left },
      { kind: 'added' as const, items: right },
    ]
    for (const run of between) runs.push(run)
    x = anchor.x
    y = anchor.y
  }
  return joined(runs)
}

type Anchor = { x: number; y: number }

function anchorsOf(before: readonly string[], after: readonly string[]): Anchor[] {
  const [left, right] = [placesOf(before), placesOf(after)]
  const common: Anchor[] = []
  for (const [words, x] of left) {
    const y = right.get(words)
    if (x !== null && y !== undefined && y !== null) common.push({ x, y })
  }
  return longestRising(common)
}

/** Where these items stand; null: at several places. */
function placesOf(items: readonly string[]): Map<string, number | null> {
  const places = new Map<string, number | null>()
  for (let i = 0; i + together <= items.length; i++) {
    const words = items.slice(i, i + together).join(' ')
    places.set(words, places.has(words) ? null : i)
  }
  return places
}

/** The most of them, in their order, whose places rise in the second text as well. */
function longestRising(anchors: readonly Anchor[]): Anchor[] {
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [i, { y }] of anchors.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (anchors[ends[middle]!]!.y < y) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1])
    ends[low] = i
  }
  const rising: Anchor[] = []
  for (let i = ends.at(-1); i !== undefined; i = previous[i]) rising.push(anchors[i]!)
  return rising.toReversed()
}
