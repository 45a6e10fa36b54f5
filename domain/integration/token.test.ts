import { describe, expect, test } from 'vitest'
import { day } from '../durations.ts'
import { bearerOf, longestTokenLife, mostTokens, tokenState, whyNotAdmit, whyNotMake } from './token.ts'

const now = new Date('2026-11-16T06:00:00Z')
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const secret = `kls_${'x'.repeat(43)}`

describe('the token of a call', () => {
  test.each([`Bearer ${secret}`, `bearer  ${secret} `])('is read from %j', (header) => {
    expect(bearerOf(header)).toBe(secret)
  })

  test.each([
    undefined,
    '',
    secret,
    `Basic ${secret}`,
    'Bearer x',
    `Bearer ${secret}x`,
    `Bearer ${secret} ${secret}`,
  ])('is not read from %j', (header) => expect(bearerOf(header)).toBeNull())
})

const valid = { expiresAt: later(day), revokedAt: null, isMemberThere: true }

test('a token ends when it is revoked, when its term is over and when its member has left', () => {
  expect(tokenState(valid, now)).toBe('valid')
  expect(tokenState({ ...valid, expiresAt: now }, now)).toBe('expired')
  expect(tokenState({ ...valid, revokedAt: now }, now)).toBe('revoked')
  expect(tokenState({ ...valid, isMemberThere: false }, now)).toBe('member-left')
})

describe('a call', () => {
  const token = { ...valid, scopes: ['requests.read'] as const, addresses: ['203.0.113.0/24'] }
  const call = { scope: 'requests.read', address: '203.0.113.7', now } as const

  test('is admitted with its scope from an allowed address', () => {
    expect(whyNotAdmit(token, call)).toBeNull()
    expect(whyNotAdmit(token, { ...call, scope: null })).toBeNull()
  })

  test('is told the reason when it is not admitted', () => {
    expect(whyNotAdmit({ ...token, revokedAt: now }, call)).toEqual({
      alias: 'token-not-accepted',
      parameters: { reason: 'revoked' },
    })
    expect(whyNotAdmit(token, { ...call, address: '203.0.114.7' })).toEqual({
      alias: 'token-address-not-allowed',
      parameters: { address: '203.0.114.7' },
    })
    expect(whyNotAdmit(token, { ...call, scope: 'requests.send' })).toEqual({
      alias: 'token-scope-missing',
      parameters: { scope: 'requests.send' },
    })
  })
})

describe('making a token', () => {
  const token = { scopes: ['requests.sign'] as const, actsAs: 'me', expiresAt: later(day) }
  const maker = { userId: 'me', tokens: 0, now }

  test('is allowed for a term of at most a year, and for a limited number of tokens', () => {
    expect(whyNotMake(token, maker)).toBeNull()
    expect(whyNotMake({ ...token, expiresAt: later(longestTokenLife) }, maker)).toBeNull()
    expect(whyNotMake({ ...token, expiresAt: later(longestTokenLife + 1) }, maker)).toBe(
      'token-term-not-allowed',
    )
    expect(whyNotMake({ ...token, expiresAt: now }, maker)).toBe('token-term-not-allowed')
    expect(whyNotMake(token, { ...maker, tokens: mostTokens })).toBe('too-many-tokens')
  })

  test('is refused if it would submit signatures in the name of a colleague', () => {
    expect(whyNotMake({ ...token, actsAs: 'colleague' }, maker)).toBe('token-signs-for-another')
    expect(whyNotMake({ ...token, scopes: ['requests.send'], actsAs: 'colleague' }, maker)).toBeNull()
  })
})
