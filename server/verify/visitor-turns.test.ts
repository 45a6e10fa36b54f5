import { expect, test } from 'vitest'
import { createVisitorTurns } from './visitor-turns.ts'

const limits = { atOnce: 8, ofOneAtOnce: 4, ofOneWaiting: 20 }

/** Work that ends when the test says so. */
function openWork() {
  const ends: (() => void)[] = []
  const started: string[] = []
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<void>((end) => ends.push(end))
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { work, started, endAll: () => ends.splice(0).forEach((end) => end()), settle }
}

test('a flood of one visitor leaves places for another, whose work starts at once', async () => {
  const { mayAsk, run } = createVisitorTurns(limits)
  const { work, started, endAll, settle } = openWork()
  const flood = Array.from({ length: 24 }, (_, i) => run('flood', work(`flood ${i}`)))
  await settle()
  expect(started).toHaveLength(4)
  expect(mayAsk('flood')).toBe(false)
  expect(mayAsk('other')).toBe(true)
  const other = run('other', work('other'))
  await settle()
  expect(started.at(-1)).toBe('other')
  for (let i = 0; i < 10; i++) {
    endAll()
    await settle()
  }
  await Promise.all([...flood, other])
  expect(started).toHaveLength(25)
  expect(mayAsk('flood')).toBe(true)
})

test('when every place is taken, visitors take turns', async () => {
  const { run } = createVisitorTurns({ ...limits, atOnce: 1 })
  const { work, started, endAll, settle } = openWork()
  const all = ['a', 'a', 'a', 'b', 'c'].map((visitor) => run(visitor, work(visitor)))
  for (let i = 0; i < 6; i++) {
    await settle()
    endAll()
  }
  await Promise.all(all)
  expect(started).toEqual(['a', 'b', 'c', 'a', 'a'])
})

test('failed work frees its place', async () => {
  const { run } = createVisitorTurns({ atOnce: 1, ofOneAtOnce: 1, ofOneWaiting: 1 })
  await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await run('b', async () => 'done')).toBe('done')
})
