import { beforeEach, expect, test } from 'vitest'
import { createFreshCache, type Fresh } from './fresh-cache.ts'

let now = 0
const clock = () => new Date(now)
beforeEach(() => void (now = 0))

const answer = (size: number, freshUntil = 1000): Fresh => ({
  bytes: new Uint8Array(size),
  freshUntil: new Date(freshUntil),
})

/** A cache, and the keys that were loaded through it, in order. */
function observed(bounds: { maxBytes?: number; maxEntries?: number } = {}) {
  const cache = createFreshCache({ maxBytes: 100, maxEntries: 10, ...bounds, clock })
  const loads: string[] = []
  const read = (key: string, entry: Fresh = answer(10)) =>
    cache.read(key, async () => {
      loads.push(key)
      return entry
    })
  return { cache, loads, read }
}

test('a response is cached until just before its end', async () => {
  const { read, loads } = observed()
  await read('a')
  now = 999
  await read('a')
  expect(loads).toEqual(['a'])
  now = 1000
  await read('a')
  expect(loads).toEqual(['a', 'a'])
})

test('a response that is already stale, or has no end, is returned but not cached', async () => {
  const { read, loads } = observed()
  now = 5000
  expect(await read('a', answer(3, 4000))).toMatchObject({ bytes: new Uint8Array(3) })
  await read('a', answer(3, NaN))
  await read('a')
  expect(loads).toEqual(['a', 'a', 'a'])
})

test('simultaneous reads of one key share one call', async () => {
  const { cache } = observed()
  const { promise, resolve } = Promise.withResolvers<Fresh>()
  let calls = 0
  const ask = () => cache.read('a', () => (calls++, promise))
  const all = Promise.all([ask(), ask(), ask()])
  resolve(answer(1))
  expect(new Set(await all).size).toBe(1)
  expect(calls).toBe(1)
})

test('a failure rejects all waiting reads, and the next read tries again', async () => {
  const { cache, read, loads } = observed()
  const fail = () =>
    cache.read('a', () => {
      throw new Error('no')
    })
  const outcomes = await Promise.allSettled([fail(), fail()])
  expect(outcomes.map((o) => o.status)).toEqual(['rejected', 'rejected'])
  await read('a')
  expect(loads).toEqual(['a'])
})

test('the least recently used entries are dropped above the largest number', async () => {
  const { read, loads } = observed({ maxEntries: 2 })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await read(key)
  expect(loads).toEqual(['a', 'b', 'c', 'b'])
})

test('the least recently used entries are dropped above the largest size; larger ones are not cached', async () => {
  const { read, loads } = observed({ maxBytes: 25 })
  for (const key of ['a', 'b', 'c', 'b', 'c']) await read(key)
  expect(loads).toEqual(['a', 'b', 'c'])
  await read('big', answer(26))
  await read('b')
  await read('big', answer(26))
  expect(loads).toEqual(['a', 'b', 'c', 'big', 'big'])
})
