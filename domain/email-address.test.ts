import { expect, test } from 'vitest'
import { isEmail, looksLikeEmail, looksLikeInternetEmail } from './email-address.ts'
import { Email } from './fields.ts'

test.each([
  ['office@example.kz', [true, true, true]],
  ['first.last+tag@mail.example.kz', [true, true, true]],
  ['root@localhost', [true, false, false]],
  ['a@b.c', [true, false, true]],
  ['a..b@example.kz', [true, true, false]],
  ['900101300017', [false, false, false]],
  ['two@at@example.kz', [false, false, false]],
  ['with space@example.kz', [false, false, false]],
  [`${'a'.repeat(250)}@example.kz`, [true, true, false]],
])('%s', (address, expected) => {
  expect([looksLikeEmail(address), looksLikeInternetEmail(address), isEmail(address)]).toEqual(expected)
})

test('what the server stores is also an address for lists', () => {
  for (const address of ['office@example.kz', "o'brien@example.kz", 'a_b-c@sub.example-1.kz']) {
    expect([Email.safeParse(address).success, isEmail(address)]).toEqual([true, true])
  }
})
