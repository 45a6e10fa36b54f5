import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskEmail, whyNotAccept } from './invitations.ts'

const now = new Date('2026-11-15T06:00:00Z')
const invitation = { email: 'a@example.kz', expiresAt: new Date('2026-11-15T06:00:01Z') }
const guest = { email: 'a@example.kz', isEmailConfirmed: true }

test.each([
  ['the invited person in time', invitation, guest, null],
  ['another address', invitation, { ...guest, email: 'b@example.kz' }, 'invitation-for-another-email'],
  [
    'an unconfirmed address',
    invitation,
    { ...guest, isEmailConfirmed: false },
    'invitation-for-another-email',
  ],
  ['the moment of expiry', { ...invitation, expiresAt: now }, guest, 'invitation-expired'],
])('accepting an invitation: %s', (_, held, person, expected) =>
  expect(whyNotAccept(held, person, now)).toBe(expected),
)

test('only the first character and the domain of an address are shown', () => {
  expect(maskEmail('aigerim@example.kz')).toBe('a***@example.kz')
  expect(maskEmail('a@example.kz')).toBe('a***@example.kz')
  const email = fc.tuple(fc.stringMatching(/^[a-z0-9.]{4,20}$/), fc.domain())
  fc.assert(
    fc.property(email, ([name, domain]) => {
      expect(maskEmail(`${name}@${domain}`)).toBe(`${name[0]}***@${domain}`)
    }),
  )
})
