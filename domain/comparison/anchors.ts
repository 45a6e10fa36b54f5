/**
 * Compares long texts that differ in many places: sequences that occur exactly once in both texts, in the same order,
 * are anchors. Between two anchors the texts are short enough to be compared exactly (the idea of "patience diff").
 */
import { joined, runsBetween, type Run } from './edits.ts'

/** The length of an anchor: so many equal items in a row hardly occur by chance. */
const together = 4

/** If too much differs even between two anchors, the text between them counts as replaced. */
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

/** The place of each sequence of items; null: it occurs at several places. */
function placesOf(items: readonly string[]): Map<string, number | null> {
  const places = new Map<string, number | null>()
  for (let i = 0; i + together <= items.length; i++) {
    const words = items.slice(i, i + together).join(' ')
    places.set(words, places.has(words) ? null : i)
  }
  return places
}

/** The longest subsequence of anchors whose places also increase in the second text. */
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
