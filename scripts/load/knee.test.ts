import { expect, test } from 'vitest'
import { kneeOf, percentile, saturatedOf, tenthsOf } from './knee.ts'

const step = (people: number, actsASecond: number, p95: number) => ({ people, actsASecond, p95 })

test('the knee is the last number of people that still raised throughput', () => {
  expect(kneeOf([step(1, 10, 50), step(2, 19, 55), step(4, 20, 120), step(8, 20, 300)])).toBe(2)
})

test('while throughput grows, or nobody waits longer, there is no knee', () => {
  expect(kneeOf([step(1, 10, 50), step(2, 19, 55), step(4, 37, 60)])).toBeUndefined()
  expect(kneeOf([step(1, 10, 50), step(2, 10, 50)])).toBeUndefined()
  expect(kneeOf([])).toBeUndefined()
})

test('percentiles are measured values', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3)
  expect(percentile([7], 0.95)).toBe(7)
  expect(percentile([], 0.95)).toBe(0)
})

test('averages of tenths tell growth from fluctuation', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i)
  expect(tenthsOf(hundred)).toEqual([4, 14, 24, 34, 44, 54, 64, 74, 84, 94])
  expect(tenthsOf(hundred.map((i) => (i % 10 === 3 ? 900 : 200)))).toEqual(Array(10).fill(200))
  expect(tenthsOf([1, 2])).toEqual([1, 2])
})

test.each([
  [{ product: 1.1, database: 0.5, load: 0.3, cores: 2, connectionsWaitedFor: 4 }, /^the processors/],
  [{ product: 0.2, database: 0.1, load: 0.1, cores: 8, connectionsWaitedFor: 4 }, /^connections/],
  [{ product: 0.2, database: 0.1, load: 0.1, cores: 8, connectionsWaitedFor: 0 }, /^nothing/],
])('the saturated part is named: %j', (used, said) => {
  expect(saturatedOf(used)).toMatch(said)
})
