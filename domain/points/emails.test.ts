import { expect, test } from 'vitest'
import { splitEmails, wrongEmails } from './emails.ts'

test('several addresses in one text are separated', () => {
  expect(splitEmails(['one@y.kz,two@y.kz'])).toEqual(['one@y.kz', 'two@y.kz'])
  expect(splitEmails(['a@y.kz; b@y.kz\nc@y.kz\td@y.kz'])).toEqual(['a@y.kz', 'b@y.kz', 'c@y.kz', 'd@y.kz'])
  expect(splitEmails(['a@y.kz', 'A@Y.kz', ' '])).toEqual(['a@y.kz'])
})

test('texts that are not addresses are listed', () => {
  expect(wrongEmails(['a@y.kz', 'bad', 'mail@'])).toEqual(['bad', 'mail@'])
  expect(wrongEmails(['A@Y.KZ'])).toEqual([])
})
