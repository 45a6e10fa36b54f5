import { describe, expect, test } from 'vitest'
import { begunTerminations, refusedSignatures, signingWaitsUntil, terminatingWaitsUntil } from './tries.ts'

const now = new Date('2026-11-15T06:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const times = (count: number, minutes: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => minutesAgo(minutes(i)))

describe('refused signatures', () => {
  test('after twenty within an hour the next is accepted when the first is an hour old', () => {
    expect(
      signingWaitsUntil(
        times(19, (i) => i),
        now,
      ),
    ).toBeNull()
    const tries = times(20, (i) => 10 + i)
    expect(signingWaitsUntil(tries, now)).toEqual(new Date(minutesAgo(29).getTime() + 60 * 60_000))
    expect(
      signingWaitsUntil(
        times(20, (i) => 59 + i),
        now,
      ),
    ).toBeNull()
  })

  test('after a hundred in all no other is accepted', () => {
    const slow = times(refusedSignatures.inAll, (i) => 60 * (i + 1))
    expect(signingWaitsUntil(slow.slice(1), now)).toBeNull()
    expect(signingWaitsUntil(slow, now)).toBe('never')
  })

  test('a clock that is set back causes no wait longer than an hour', () => {
    const ahead = times(20, () => -600)
    expect(signingWaitsUntil(ahead, now)).toEqual(new Date(now.getTime() + 60 * 60_000))
  })
})

test('terminations are limited to five a day and thirty in all', () => {
  const tries = times(begunTerminations.day, (i) => i)
  expect(terminatingWaitsUntil(tries.slice(1), now)).toBeNull()
  expect(terminatingWaitsUntil(tries, now)).toEqual(new Date(minutesAgo(4).getTime() + 24 * 60 * 60_000))
  expect(
    terminatingWaitsUntil(
      times(begunTerminations.inAll, (i) => 2000 * (i + 1)),
      now,
    ),
  ).toBe('never')
})
