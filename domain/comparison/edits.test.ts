import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsBetween, type Run } from './edits.ts'

const items = fc.array(fc.constantFrom('а', 'б', 'в', 'г'), { maxLength: 14 })
const sideOf = (runs: readonly Run[], other: Run['kind']) =>
  runs.flatMap(({ kind, items: of }) => (kind === other ? [] : of))

/** The length of the longest common subsequence, by the textbook dynamic programming table. */
function commonLength(before: readonly string[], after: readonly string[]): number {
  const table = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  )
  for (let i = 1; i <= before.length; i++) {
    for (let j = 1; j <= after.length; j++) {
      table[i][j] =
        before[i - 1] === after[j - 1] ? table[i - 1][j - 1] + 1 : Math.max(table[i - 1][j], table[i][j - 1])
    }
  }
  return table[before.length][after.length]
}

test('both lists can be rebuilt from the runs, with as few edits as possible', () => {
  fc.assert(
    fc.property(items, items, (before, after) => {
      const runs = runsBetween(before, after, 100)!
      expect(sideOf(runs, 'added')).toEqual(before)
      expect(sideOf(runs, 'removed')).toEqual(after)
      const kept = runs.flatMap(({ kind, items: of }) => (kind === 'same' ? of : []))
      expect(kept).toHaveLength(commonLength(before, after))
      expect(runs.every((run, i) => run.items.length > 0 && run.kind !== runs[i + 1]?.kind)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('more edits than are allowed are not searched for', () => {
  fc.assert(
    fc.property(items, items, fc.integer({ min: 0, max: 20 }), (before, after, most) => {
      const needed = before.length + after.length - 2 * commonLength(before, after)
      expect(runsBetween(before, after, most) === null).toBe(needed > most)
    }),
  )
})

test('equal items at both ends of long lists cost nothing', () => {
  const long = Array.from({ length: 200_000 }, (_, i) => `${i}`)
  const changed = long.with(100_000, 'x')
  expect(runsBetween(long, changed, 2)?.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same'])
})
