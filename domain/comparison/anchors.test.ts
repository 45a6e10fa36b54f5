import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsByAnchors } from './anchors.ts'
import type { Run } from './edits.ts'

const sideOf = (runs: readonly Run[], other: Run['kind']) =>
  runs.flatMap(({ kind, items }) => (kind === other ? [] : items))

test('both lists can be rebuilt from the runs, whatever is moved, repeated or replaced', () => {
  const items = fc.array(fc.integer({ min: 0, max: 12 }).map(String), { maxLength: 60 })
  fc.assert(
    fc.property(items, items, fc.integer({ min: 0, max: 8 }), (before, after, most) => {
      const runs = runsByAnchors(before, after, most)
      expect(sideOf(runs, 'added')).toEqual(before)
      expect(sideOf(runs, 'removed')).toEqual(after)
      expect(runs.every((run, i) => run.items.length > 0 && run.kind !== runs[i + 1]?.kind)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('many changes in a long text are found one by one, each with few edits', () => {
  const before = Array.from({ length: 50_000 }, (_, i) => `${i}`)
  const after = before.map((item, i) => (i % 20 === 7 ? `x${item}` : item))
  const runs = runsByAnchors(before, after, 10)
  expect(runs.filter(({ kind }) => kind === 'added')).toHaveLength(2500)
  expect(runs.flatMap(({ kind, items }) => (kind === 'same' ? items : []))).toHaveLength(47_500)
})
