import { expect, test } from 'vitest'
import { assertionOf, hasGoneBack, siteOf } from './ceremony.ts'

test.each([
  [0, 0, false],
  [0, 1, false],
  [7, 8, false],
  [7, 7, true],
  [7, 3, true],
  [7, 0, true],
])('with the counter %i stored and %i received, copied is %s', (stored, told, isCopied) => {
  expect(hasGoneBack(stored, told)).toBe(isCopied)
})

test('the id of the site is the configured host without its port', () => {
  expect(siteOf(new URL('https://docs.example.kz:8443/'), 'Келісім')).toEqual({
    id: 'docs.example.kz',
    origin: 'https://docs.example.kz:8443',
    name: 'Келісім',
  })
})

test('a response without the user handle is not accepted: such a key is no passkey', () => {
  const parts = { id: 'a', authenticatorData: 'b', clientDataJSON: 'c', signature: 'd' }
  expect(assertionOf(JSON.stringify({ ...parts, userHandle: '' }))).toBeNull()
  expect(assertionOf(JSON.stringify({ ...parts, userHandle: 'e' }))).toMatchObject({ userHandle: 'e' })
})
