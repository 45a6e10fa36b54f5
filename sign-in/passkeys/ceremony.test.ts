import { expect, test } from 'vitest'
import { assertionOf, hasGoneBack, siteOf } from './ceremony.ts'

test.each([
  [0, 0, false],
  [0, 1, false],
  [7, 8, false],
  [7, 7, true],
  [7, 3, true],
  [7, 0, true],
])('stored %i, told %i: copied is %s', (stored, told, isCopied) => {
  expect(hasGoneBack(stored, told)).toBe(isCopied)
})

test('the site is that of the configuration, without its port', () => {
  expect(siteOf(new URL('https://docs.example.kz:8443/'), 'Келісім')).toEqual({
    id: 'docs.example.kz',
    origin: 'https://docs.example.kz:8443',
    name: 'Келісім',
  })
})

test('an answer without the name of the person is none: such a key is no passkey', () => {
  const parts = { id: 'a', authenticatorData: 'b', clientDataJSON: 'c', signature: 'd' }
  expect(assertionOf(JSON.stringify({ ...parts, userHandle: '' }))).toBeNull()
  expect(assertionOf(JSON.stringify({ ...parts, userHandle: 'e' }))).toMatchObject({ userHandle: 'e' })
})
