import { describe, expect, test } from 'vitest'
import { circuitAfter, closedCircuit, passage, type Circuit } from './circuit.ts'

const rule = { failures: 5, openMs: 30_000 }
const failed = (times: number, now = 0, from: Circuit = closedCircuit) =>
  Array.from({ length: times }).reduce<Circuit>((c) => circuitAfter(c, 'failed', now, rule), from)

test('five failures in a row open the circuit, four do not', () => {
  expect(passage(failed(4), 0, rule)).toBe('free')
  expect(passage(failed(5), 0, rule)).toBe('shut')
})

test('a response in between restarts the count of failures', () => {
  const answered = circuitAfter(failed(4), 'answered', 0, rule)
  expect(passage(failed(4, 0, answered), 0, rule)).toBe('free')
})

describe('a circuit open for thirty seconds', () => {
  const open = failed(5, 1000)
  const trying = circuitAfter(open, 'trial-began', 31_000, rule)

  test('lets one call through, and not before', () => {
    expect(passage(open, 30_999, rule)).toBe('shut')
    expect(passage(open, 31_000, rule)).toBe('trial')
    expect(passage(trying, 31_000, rule)).toBe('shut')
  })

  test('closes when that call gets a response', () => {
    expect(circuitAfter(trying, 'answered', 31_500, rule)).toEqual(closedCircuit)
  })

  test('opens for thirty seconds more when that call fails', () => {
    const again = circuitAfter(trying, 'failed', 31_500, rule)
    expect(passage(again, 61_499, rule)).toBe('shut')
    expect(passage(again, 61_500, rule)).toBe('trial')
  })
})

test('calls begun before the circuit opened do not make its pause longer, and may close it', () => {
  const late = failed(3, 20_000, failed(5, 0))
  expect(passage(late, 30_000, rule)).toBe('trial')
  expect(circuitAfter(failed(5), 'answered', 1, rule)).toEqual(closedCircuit)
})

test('a clock that is set back does not keep the circuit open', () => {
  expect(passage(failed(5, 1_000_000), 0, rule)).toBe('trial')
})
