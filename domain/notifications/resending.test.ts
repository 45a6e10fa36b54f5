import { describe, expect, test } from 'vitest'
import { emailStates } from './emails-contract.ts'
import { isReminderDue, mayRemind, whyNotResend } from './resending.ts'

const now = new Date('2026-11-15T06:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000)

describe('an e-mail is sent again', () => {
  test('when its delivery has ended, successfully or not', () => {
    const may = emailStates.filter((state) => whyNotResend({ state, resentAt: null }, now) === null)
    expect(may).toEqual(['sent', 'refused', 'failed', 'uncertain', 'kept'])
  })

  test('not while it is being delivered, nor to people who have turned it off', () => {
    expect(whyNotResend({ state: 'queued', resentAt: null }, now)).toBe('letter-on-its-way')
    expect(whyNotResend({ state: 'off', resentAt: null }, now)).toBe('letter-not-found')
  })

  test('once an hour', () => {
    const minutes = (n: number) => new Date(now.getTime() - n * 60_000)
    expect(whyNotResend({ state: 'sent', resentAt: minutes(59) }, now)).toBe('letter-resent-recently')
    expect(whyNotResend({ state: 'sent', resentAt: minutes(60) }, now)).toBeNull()
  })
})

test('manual reminders are sent once a day', () => {
  expect(mayRemind(null, now)).toBe(true)
  expect(mayRemind(ago(0.99), now)).toBe(false)
  expect(mayRemind(ago(1), now)).toBe(true)
})

describe('scheduled reminders', () => {
  test.each([
    ['nothing for ten weeks', 70, null, true],
    ['a day less', 69, null, false],
    ['reminded six days ago', 80, 6, false],
    ['reminded a week ago', 80, 7, true],
    ['reminded before the status changed', 71, 75, true],
  ])('%s', (_, changed, last, due) => {
    const lastScheduled = last === null ? null : ago(last)
    expect(isReminderDue({ statusChangedAt: ago(changed), lastScheduled }, now)).toBe(due)
  })

  test.each([
    ['the seventh day, a little earlier than the week before', '2026-11-08T06:00:28Z', true],
    ['the seventh day in Almaty, where the last one was sent after midnight', '2026-11-07T19:30:00Z', true],
    ['the sixth day in Almaty, though the seventh in UTC', '2026-11-08T20:00:00Z', false],
  ])('%s', (_, last, due) => {
    const reminded = { statusChangedAt: ago(80), lastScheduled: new Date(last) }
    expect(isReminderDue(reminded, now)).toBe(due)
  })
})
