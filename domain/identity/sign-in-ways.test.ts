import { expect, test } from 'vitest'
import { acrOf, signInWays, wayIn } from './sign-in-ways.ts'

test('a way survives the OpenID parameter, alone or among other values', () => {
  for (const way of signInWays) {
    expect(wayIn(acrOf(way))).toBe(way)
    expect(wayIn(`urn:other:1 ${acrOf(way)}`)).toBe(way)
  }
})

test('anything else is no way', () => {
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
