import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLookedThrough, mark, step, unmark, withWaiting, type Queue } from './queue.ts'

const of = (waiting: string) => withWaiting(waiting.split(/(?=.)/))

test('the first document is shown; J and K go on and back, and stop at the ends', () => {
  const queue = of('abc')
  expect(queue.shown).toBe('a')
  expect(step(queue, -1).shown).toBe('a')
  expect(step(step(step(queue, 1), 1), 1).shown).toBe('c')
})

test('Enter marks the shown document and goes on; after the last one it goes back to those that were skipped', () => {
  const skipped = step(of('abc'), 1)
  const one = mark(skipped)
  expect([one.marked, one.shown]).toEqual([['b'], 'c'])
  const two = mark(one)
  expect([two.marked, two.shown]).toEqual([['b', 'c'], 'a'])
  expect(isLookedThrough(two)).toBe(false)
  const all = mark(two)
  expect([all.marked, all.shown, isLookedThrough(all)]).toEqual([['b', 'c', 'a'], 'a', true])
  expect(mark(all).marked).toEqual(['b', 'c', 'a'])
})

test('a mark can be taken back', () => {
  const queue = step(mark(of('ab')), -1)
  expect(unmark(queue)).toMatchObject({ marked: [], shown: 'a' })
})

test('a finished document keeps its place and loses its mark, and a new one comes last', () => {
  const queue = mark(mark(of('abc')))
  const later = withWaiting(['d', 'c'], queue)
  expect(later).toMatchObject({ ids: ['a', 'b', 'c', 'd'], done: ['a', 'b'], marked: [], shown: 'c' })
  expect(mark(step(later, -1)).marked).toEqual([])
})

test('when the shown document is finished the next open one is shown; the last one stays shown', () => {
  expect(withWaiting(['b'], of('ab')).shown).toBe('b')
  const over = withWaiting([], of('a'))
  expect([over.shown, isLookedThrough(over)]).toEqual(['a', true])
})

test('a finished document that the person went back to stays shown after the next refresh', () => {
  const queue = step(withWaiting(['b'], of('ab')), -1)
  expect(withWaiting(['b'], queue).shown).toBe('a')
})

test('whatever keys are pressed, only documents that wait are marked, each once', () => {
  const press = fc.constantFrom<(queue: Queue) => Queue>(
    (queue) => step(queue, 1),
    (queue) => step(queue, -1),
    mark,
    unmark,
    (queue) => withWaiting(queue.ids.slice(1), queue),
  )
  fc.assert(
    fc.property(fc.array(press, { maxLength: 20 }), fc.integer({ min: 0, max: 5 }), (presses, count) => {
      const queue = presses.reduce((now, act) => act(now), of('abcdef'.slice(0, count)))
      expect(new Set(queue.marked).size).toBe(queue.marked.length)
      expect(queue.marked.filter((id) => queue.done.includes(id) || !queue.ids.includes(id))).toEqual([])
      expect(queue.shown === null).toBe(queue.ids.length === 0)
    }),
  )
})
