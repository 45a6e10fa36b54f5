import { describe, expect, test } from 'vitest'
import { endsLock, extendLock, isHeld, isWorn, releaseLock, type Held, type Lock } from './lock.ts'

const start = new Date('2026-11-15T06:00:00Z')
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

/** Extends the lock every minute, as an open dialog does, until it is refused. */
function heldWithoutEnd(by: string, held: Held | null, from: number): { minutes: number; held: Held } {
  let lock: Lock | null = null
  let kept = held
  for (let now = from; ; now++) {
    const next = extendLock(lock, kept, { turn: '0.1', by, now: at(now) })
    kept = next.held
    if (next.until === null) return { minutes: now - from, held: next.held }
    lock = { by, until: next.until }
  }
}

describe('a lock', () => {
  test('lasts five minutes and can be extended', () => {
    const first = extendLock(null, null, { turn: '0.1', by: 'a', now: at(0) })
    expect(first.until).toEqual(at(5))
    const again = extendLock({ by: 'a', until: at(5) }, first.held, { turn: '0.1', by: 'a', now: at(2) })
    expect(again.until).toEqual(at(7))
    expect(again.held.by).toEqual({ a: 7 * 60_000 })
  })

  test('ends after half an hour of one turn', () => {
    const { minutes, held } = heldWithoutEnd('a', null, 0)
    expect(minutes).toBe(30)
    expect(heldWithoutEnd('a', held, 600).minutes).toBe(0)
    expect(extendLock(null, held, { turn: '0.2', by: 'a', now: at(40) }).until).toEqual(at(45))
  })

  test('returns unused time when released', () => {
    let held: Held | null = null
    for (let i = 0; i < 100; i++) {
      const { until, held: taken } = extendLock(null, held, { turn: '0.1', by: 'a', now: at(i * 10) })
      expect(until).toEqual(at(i * 10 + 5))
      held = releaseLock({ by: 'a', until: until! }, taken, new Date(at(i * 10).getTime() + 10_000))
    }
    expect(held?.by['a']).toBe(100 * 10_000)
  })

  test('of several people in a row does not block a withdrawal longer than half an hour', () => {
    const first = heldWithoutEnd('a', null, 0)
    expect(isWorn(first.held, '0.1')).toBe(false)
    const { held } = extendLock(null, first.held, { turn: '0.1', by: 'b', now: at(31) })
    expect(isWorn(held, '0.1')).toBe(true)
    expect(isWorn(held, '0.2')).toBe(false)
  })

  test('set by a clock running ahead is void after the clock is corrected', () => {
    const lock = { by: 'a', until: at(65) }
    expect(isHeld(lock, at(61))).toBe(true)
    expect(isHeld(lock, at(0))).toBe(false)
    expect(isHeld(lock, at(65))).toBe(false)
    expect(extendLock(lock, null, { turn: '0.1', by: 'a', now: at(0) }).until).toEqual(at(5))
  })
})

describe('ends a lock, or not:', () => {
  test.each([
    ['the act of its holder', { actor: 'holder', turns: { before: '0.1', after: '0.1' } }, true],
    [
      'the act of somebody else in the same turn',
      { actor: 'other', turns: { before: '0.1', after: '0.1' } },
      false,
    ],
    ['the next turn', { actor: 'other', turns: { before: '0.1', after: '0.2' } }, true],
    ['the end of the request', { actor: 'other', turns: { before: '0.1', after: null } }, true],
    ['the check of a signature', { actor: null, turns: { before: '0.1', after: '0.1' } }, false],
  ])('%s', (_, happened, ends) => {
    expect(endsLock({ by: 'holder' }, happened)).toBe(ends)
  })
})
