import { describe, expect, test } from 'vitest'
import {
  domainOf,
  isPublicDomain,
  secondsUntilTomorrow,
  strangerLimit,
  strangerLimitKinds,
} from './stranger-limits.ts'

describe('the domain of an address', () => {
  test.each([
    ['a@Gmail.com', 'gmail.com', true],
    ['a@yandex.kz', 'yandex.kz', true],
    ['a@yandex.com.tr', 'yandex.com.tr', true],
    ['a@bk.ru', 'bk.ru', true],
    ['a@altyn-dala.kz', 'altyn-dala.kz', false],
    ['a@yandex.evil.example', 'yandex.evil.example', false],
    ['"a@gmail.com"@firm.kz', 'firm.kz', false],
  ])('of %s', (email, domain, isPublic) => {
    expect(domainOf(email)).toBe(domain)
    expect(isPublicDomain(domain)).toBe(isPublic)
  })
})

test('senders without a proved number have lower limits, and domains of public mail services have higher ones', () => {
  const firm = { domain: 'firm.kz', isConfirmed: true }
  for (const kind of ['person', 'organization'] as const) {
    expect(strangerLimit(kind, { ...firm, isConfirmed: false })).toBeLessThan(strangerLimit(kind, firm))
  }
  expect(strangerLimit('domain', { ...firm, domain: 'gmail.com' })).toBeGreaterThan(
    strangerLimit('domain', firm),
  )
  for (const kind of strangerLimitKinds) expect(strangerLimit(kind, firm)).toBeGreaterThan(0)
})

test.each(['firm.kz', 'gmail.com'])(
  'no sender can use up the daily limit of an address or a domain: %s',
  (domain) => {
    for (const isConfirmed of [true, false]) {
      for (const sender of ['person', 'organization'] as const) {
        for (const target of ['address', 'domain'] as const) {
          const share = strangerLimit(`${sender}-to-${target}`, { domain, isConfirmed })
          expect(share).toBeLessThanOrEqual(strangerLimit(target, { domain, isConfirmed }) / 2)
          expect(Number.isInteger(share)).toBe(true)
        }
      }
    }
  },
)

test.each([
  ['2026-11-15T18:59:59Z', 1],
  ['2026-11-15T19:00:00Z', 24 * 60 * 60],
  ['2026-11-15T06:00:00.500Z', 13 * 60 * 60],
])('at %s the next day begins in %i s', (now, seconds) => {
  expect(secondsUntilTomorrow(new Date(now))).toBe(seconds)
})
