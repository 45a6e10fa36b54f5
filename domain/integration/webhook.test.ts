import { describe, expect, test } from 'vitest'
import { day, hour, second } from '../durations.ts'
import { afterCall, longestFailure, longestTrying, secretsInForce } from './webhook.ts'

const now = new Date('2026-11-16T06:00:00Z')
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const first = { attempts: 0, firstTryAt: null }
const well = { failingSince: null }

describe('after a call', () => {
  test.each([200, 202, 204])('that was answered with %i, nothing is left to do', (status) => {
    expect(afterCall({ status }, first, { failingSince: after(-day) }, now)).toEqual({
      delivery: { state: 'delivered', nextTryAt: null },
      receiver: { failingSince: null, offReason: null },
    })
  })

  test.each([{ status: 500 }, { status: 404 }, { status: 302 }, { status: 101 }, { failure: 'timeout' }])(
    'that resulted in %j, it is tried again',
    (result) => {
      expect(afterCall(result, first, well, now)).toEqual({
        delivery: { state: 'pending', nextTryAt: after(5 * second) },
        receiver: { failingSince: now, offReason: null },
      })
    },
  )

  test('that was answered with 410, the delivery has failed and the receiver is switched off', () => {
    expect(afterCall({ status: 410 }, first, well, now)).toEqual({
      delivery: { state: 'failed', nextTryAt: null },
      receiver: { failingSince: now, offReason: 'gone' },
    })
  })

  test('the pauses grow, and after a day the message is given up', () => {
    let at = now
    const waits: number[] = []
    for (let attempts = 0; ; attempts++) {
      const { delivery } = afterCall({ status: 503 }, { attempts, firstTryAt: now }, well, at)
      if (delivery.nextTryAt === null) break
      waits.push(delivery.nextTryAt.getTime() - at.getTime())
      at = delivery.nextTryAt
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(longestTrying)
    expect(at.getTime() - now.getTime()).toBeGreaterThan(12 * hour)
  })

  test('a receiver that has failed for three days is switched off', () => {
    const since = (failingSince: Date) =>
      afterCall({ failure: 'timeout' }, first, { failingSince }, now).receiver.offReason
    expect(since(after(-longestFailure + 1))).toBeNull()
    expect(since(after(-longestFailure))).toBe('failing')
  })
})

test('messages are signed with both secrets while a receiver changes its secret', () => {
  const rotated = { secret: 'new', previousSecret: 'old', previousUntil: after(1) }
  expect(secretsInForce(rotated, now)).toEqual(['new', 'old'])
  expect(secretsInForce(rotated, after(1))).toEqual(['new'])
  expect(secretsInForce({ secret: 'new', previousSecret: null, previousUntil: null }, now)).toEqual(['new'])
})
