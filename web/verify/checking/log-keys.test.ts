import { expect, test } from 'vitest'
import { logKeysOf, stateOfKey, withPublished, type SeenKey } from './log-keys.ts'

const first = btoa('the first key')
const second = btoa('the second key')
const dayOf = (day: number) => new Date(Date.UTC(2026, 10, day))
const [monday, tuesday, friday] = [dayOf(2), dayOf(3), dayOf(6)]

const fingerprintOf = (key: string) => logKeysOf(withPublished([], [key], monday), [key]).keys[0].fingerprint
const stateOf = (key: string, seen: SeenKey[], published: string[] | null) =>
  stateOfKey(fingerprintOf(key), logKeysOf(seen, published))

test('a key that is seen again keeps the day it was first seen', () => {
  const seen = withPublished(withPublished([], [first], monday), [first], friday)
  expect(seen).toEqual([{ key: first, firstSeenAt: monday, lastSeenAt: friday }])
  expect(stateOf(first, seen, [first])).toEqual({ state: 'published' })
})

test('a changed key is added beside the former one, and both are reported', () => {
  const seen = withPublished(withPublished([], [first], monday), [second], friday)
  expect(seen.map(({ key }) => key)).toEqual([first, second])
  expect(stateOf(second, seen, [second])).toEqual({ state: 'replacing', formerSeenAt: monday })
  expect(stateOf(first, seen, [second])).toEqual({ state: 'former', firstSeenAt: monday, lastSeenAt: monday })
})

test('the return of a former key is reported too', () => {
  const back = withPublished(
    withPublished(withPublished([], [first], monday), [second], tuesday),
    [first],
    friday,
  )
  expect(stateOf(second, back, [first])).toMatchObject({ state: 'former', lastSeenAt: tuesday })
  expect(stateOf(first, back, [first])).toEqual({ state: 'published' })
})

test('a new key is not reported as a change if the service publishes its former keys too', () => {
  const seen = withPublished(withPublished([], [first], monday), [first, second], friday)
  expect(stateOf(second, seen, [first, second])).toEqual({ state: 'published' })
})

test('without the service, keys that were seen are remembered, and other keys stay unknown', () => {
  const seen = withPublished([], [first], monday)
  expect(stateOf(first, seen, null)).toEqual({ state: 'remembered', lastSeenAt: monday })
  expect(stateOf(second, seen, null)).toEqual({ state: 'unknown' })
  expect(stateOf(second, [], null)).toEqual({ state: 'unknown' })
  expect(stateOf(second, seen, [first])).toEqual({ state: 'other' })
})

test('values that are not keys are not kept', () => {
  expect(withPublished([], ['не ключ', '', 'A'], monday)).toEqual([])
})
