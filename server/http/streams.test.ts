import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startHeartbeat } from './streams.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each stream gets a heartbeat every twenty seconds after its own start, until it closes', () => {
  const beaten: string[] = []
  const heartbeat = startHeartbeat((one: string) => beaten.push(one))
  heartbeat.add('first')
  vi.advanceTimersByTime(5_000)
  heartbeat.add('second')
  vi.advanceTimersByTime(14_999)
  expect(beaten).toEqual([])
  vi.advanceTimersByTime(1)
  expect(beaten).toEqual(['first'])
  vi.advanceTimersByTime(5_000)
  expect(beaten).toEqual(['first', 'second'])
  heartbeat.delete('first')
  vi.advanceTimersByTime(40_000)
  expect(beaten).toEqual(['first', 'second', 'second', 'second'])
  heartbeat.stop()
  vi.advanceTimersByTime(40_000)
  expect(beaten).toHaveLength(4)
})
