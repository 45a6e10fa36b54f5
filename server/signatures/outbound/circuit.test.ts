import { describe, expect, test } from 'vitest'
import { circuitAfter, closedCircuit, passage, type Circuit } from './circuit.ts'

const rule = { failures: 5, openMs: 30_000 }
const failed = (times: number, now = 0, from: Circuit = closedCircuit) =>
  Array.from({ length: times }).reduce<Circuit>((c) => circuitAfter(c, 'failed', now, rule), from)

test('five failures in a row open it, four do not', () => {
  expect(passage(failed(4), 0, rule)).toBe('free')
  expect(passage(failed(5), 0, rule)).toBe('shut')
})

test('an answer in between starts the count anew', () => {
  const answered = circuitAfter(failed(4), 'answered', 0, rule)
  expect(passage(failed(4, 0, answered), 0, rule)).toBe('free')
})

describe('after thirty seconds', () => {
  const open = failed(5, 1000)
  const trying = circuitAfter(open, 'trial-began', 31_000, rule)

  test('and not before, one call is let through', () => {
    expect(passage(open, 30_999, rule)).toBe('shut')
    expect(passage(open, 31_000, rule)).toBe('trial')
    expect(passage(trying, 31_000, rule)).toBe('shut')
  })

  test('its answer closes', () => {
    expect(circuitAfter(trying, 'answered', 31_500, rule)).toEqual(closedCircuit)
  })

  test('its failure opens for thirty seconds more', () => {
    const again = circuitAfter(trying, 'failed', 31_500, rule)
    expect(passage(again, 61_499, rule)).toBe('shut')
    expect(passage(again, 61_500, rule)).toBe('trial')
  })
})

test('calls that began before it opened do not make the pause longer, and may close it', () => {
  const late = failed(3, 20_000, failed(5, 0))
  expect(passage(late, 30_000, rule)).toBe('trial')
  expect(circuitAfter(failed(5), 'answered', 1, rule)).toEqual(closedCircuit)
})

test('a clock that is set back does not keep it open', () => {
  expect(passage(failed(5, 1_000_000), 0, rule)).toBe('trial')
})
