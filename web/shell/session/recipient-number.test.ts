import { expect, test } from 'vitest'
import { recipientNumber } from './recipient-number.ts'

test.each([
  ['?number=260140020007', '260140020007'],
  // as the router serialises a text that looks like a number
  ['?code=1&number=%22060140020007%22', '060140020007'],
  ['', null],
  ['?number=', null],
  ['?number=26014002000', null],
  ['?number=2601400200071', null],
  ['?number=Call+870012345678', null],
])('%s', (search, number) => {
  expect(recipientNumber(search)).toBe(number)
})
