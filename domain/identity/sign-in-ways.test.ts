import { expect, test } from 'vitest'
import { acrOf, signInWays, wayIn } from './sign-in-ways.ts'

test('a way to sign in is read back from the OpenID parameter, alone or among other values', () => {
  for (const way of signInWays) {
    expect(wayIn(acrOf(way))).toBe(way)
    expect(wayIn(`urn:other:1 ${acrOf(way)}`)).toBe(way)
  }
})

test('any other value is no way to sign in', () => {
  for (const value of [
    undefined,
    null,
    3,
    '',
    'desktop',
    'urn:kelisim:signature:',
    'urn:kelisim:signature:phones',
  ]) {
    expect(wayIn(value)).toBeNull()
  }
})
