import { describe, expect, test } from 'vitest'
import {
  addressPolicy,
  afterFailure,
  delayAfter,
  isBlocked,
  pairPolicy,
  withoutLast,
  type Failures,
} from './lock-out.ts'

const start = new Date('2026-11-01T10:00:00Z')
const minutesLater = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
const none: Failures = { failures: 0, lastFailedAt: start, blockedUntil: null }

function failing(times: number, policy = pairPolicy, now = start): Failures {
  let state = none
  for (let i = 0; i < times; i++) state = afterFailure(state, policy, now)
  return state
}

describe('waiting after wrong passwords', () => {
  test.each([
    [1, 0],
    [4, 0],
    [5, 1],
    [6, 5],
    [7, 15],
    [8, 30],
    [9, 60],
    [40, 60],
  ])('after %i failures it is %i minutes', (failures, minutes) => {
    expect(delayAfter(failures, pairPolicy)).toBe(minutes * 60_000)
  })

  test('the wait ends by itself', () => {
    expect(isBlocked(failing(5), start)).toBe(true)
    expect(isBlocked(failing(5), minutesLater(0.9))).toBe(true)
    expect(isBlocked(failing(5), minutesLater(1))).toBe(false)
  })

  test('a failure after the wait makes the next wait longer', () => {
    const again = afterFailure(failing(5), pairPolicy, minutesLater(2))
    expect(again.blockedUntil).toEqual(minutesLater(7))
  })

  test('failures of yesterday are forgotten', () => {
    expect(afterFailure(failing(9), pairPolicy, minutesLater(25 * 60)).failures).toBe(1)
  })

  test('an office behind one address is not stopped by a dozen mistakes', () => {
    expect(isBlocked(failing(12, addressPolicy), start)).toBe(false)
    expect(isBlocked(failing(50, addressPolicy), start)).toBe(true)
  })

  test('a success takes its own count back and no more', () => {
    expect(withoutLast(failing(50, addressPolicy), addressPolicy)).toMatchObject({
      failures: 49,
      blockedUntil: null,
    })
    expect(withoutLast(failing(52, addressPolicy), addressPolicy).blockedUntil).not.toBeNull()
  })
})
