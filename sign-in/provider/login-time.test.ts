import { expect, test } from 'vitest'
import { isLoginCurrent, loginSecond, validFromAfter } from './login-time.ts'

const at = (time: string) => new Date(`2026-11-01T${time}Z`)

test('a login before all sessions were ended does not count, one after it does, even in the same second', () => {
  const before = loginSecond(null, at('10:00:00.100'))
  const validFrom = validFromAfter(null, at('10:00:00.300'))
  const after = loginSecond(validFrom, at('10:00:00.600'))
  expect([isLoginCurrent(before, validFrom), isLoginCurrent(after, validFrom)]).toEqual([false, true])
})

test('if all sessions are ended twice in one second, the login between does not count either', () => {
  const first = validFromAfter(null, at('10:00:00.100'))
  const between = loginSecond(first, at('10:00:00.200'))
  const second = validFromAfter(first, at('10:00:00.300'))
  expect([isLoginCurrent(between, first), isLoginCurrent(between, second)]).toEqual([true, false])
})

test('if sessions were never ended every login counts', () => {
  expect(isLoginCurrent(0, null)).toBe(true)
})
