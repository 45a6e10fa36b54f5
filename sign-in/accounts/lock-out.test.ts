import { describe, expect, test } from 'vitest'
import {
  accountPolicy,
  addressPolicy,
  afterFailure,
  afterSuccess,
  delayAfter,
  isBlocked,
  pairPolicy,
  waitOf,
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

  test('failures are forgotten after a day', () => {
    expect(afterFailure(failing(9), pairPolicy, minutesLater(25 * 60)).failures).toBe(1)
  })

  test('an office behind one network address is not blocked by a dozen mistakes', () => {
    expect(isBlocked(failing(12, addressPolicy), start)).toBe(false)
    expect(isBlocked(failing(50, addressPolicy), start)).toBe(true)
  })

  test('a success leaves the counter as it was', () => {
    const before = failing(60, addressPolicy)
    const now = minutesLater(61)
    expect(afterSuccess(afterFailure(before, addressPolicy, now), before, addressPolicy, now)).toBe(before)
  })

  test('a success takes back its own count, not those of others who failed in the meantime', () => {
    const before = failing(49, addressPolicy)
    const own = afterFailure(before, addressPolicy, start)
    const other = afterFailure(own, addressPolicy, start)
    expect(afterSuccess(other, before, addressPolicy, start)).toEqual(failing(50, addressPolicy))
    const two = failing(3)
    expect(afterSuccess(two, none, pairPolicy, start).failures).toBe(2)
  })

  test('an office that mistypes now and then all day is never blocked', () => {
    let state = none
    for (let minute = 0; minute < 600; minute += 2) {
      state = afterFailure(state, addressPolicy, minutesLater(minute))
      expect(state.blockedUntil).toBeNull()
    }
  })
})

describe('who has to wait because of whose guesses', () => {
  const stranger = { ...none, lastSucceededAt: null }
  const known = { ...none, lastSucceededAt: minutesLater(-60 * 24) }

  test('an account tried from everywhere, or an address that tries all accounts, blocks only those unknown there', () => {
    for (const counter of [failing(30, accountPolicy), failing(50, addressPolicy)]) {
      expect(waitOf(stranger, [counter], start)).toEqual(minutesLater(1))
      expect(waitOf(known, [counter], start)).toBeNull()
    }
  })

  test('a sign-in more than a month ago does not make a person known', () => {
    const old = { ...none, lastSucceededAt: minutesLater(-60 * 24 * 31) }
    expect(waitOf(old, [failing(30, accountPolicy)], start)).not.toBeNull()
  })

  test('a known pair of account and address also waits after its own guesses', () => {
    expect(waitOf({ ...known, ...failing(5) }, [], start)).toEqual(minutesLater(1))
  })
})
