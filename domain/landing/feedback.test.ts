import { expect, test } from 'vitest'
import { isPhone } from './feedback.ts'

test.each(['+7 (701) 123-45-67', '87011234567', '7011234567', ' +44 20 7946 0958 '])(
  '%s is a phone number',
  (text) => {
    expect(isPhone(text)).toBe(true)
  },
)

test.each([
  '',
  '123',
  'позвоните',
  '+7 701 123 45 67 доб. 5',
  '1234567890123456',
  '7+7011234567',
  '((((((((((',
])('«%s» is not a phone number', (text) => {
  expect(isPhone(text)).toBe(false)
})
