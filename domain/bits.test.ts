import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flags } from './bits.ts'

const sizes = flags({ Small: 1, Large: 4, Huge: 8 })

test.each([
  2,
  16,
  15,
  8192,
  -1,
  1.5,
  2 ** 31,
  2 ** 32 + 1,
  2 ** 53,
  NaN,
  Infinity,
  '3',
  '1',
  null,
  undefined,
  [1],
  true,
])('%j is refused as a set of flags', (mask) => expect(sizes.schema.safeParse(mask).success).toBe(false))

test('every sum of known flags is accepted, and nothing else', () => {
  for (let mask = 0; mask < 64; mask++) {
    expect(sizes.schema.safeParse(mask).success).toBe((mask & ~13) === 0)
  }
})

test('a set is the same after encoding and decoding', () => {
  const subset = fc.subarray(['Small', 'Large', 'Huge'] as const)
  fc.assert(
    fc.property(subset, (names) => {
      expect(sizes.list(sizes.of(...names))).toEqual(names)
    }),
  )
})

test('a set contains exactly its members', () => {
  const mask = sizes.of('Small', 'Huge')
  expect(sizes.names.map((name) => sizes.has(mask, name))).toEqual([true, false, true])
})
