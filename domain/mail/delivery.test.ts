import { describe, expect, test } from 'vitest'
import { deliveryResultOf, reasonOf, withoutAddresses, type DeliveryFailure } from './delivery.ts'

const failure = (change: Partial<DeliveryFailure>): DeliveryFailure => ({
  code: null,
  command: 'CONN',
  isHandedOver: false,
  isAddressWrong: false,
  ...change,
})

describe('the result of a delivery when', () => {
  test.each([
    ['the server cannot be reached', {}, 'again'],
    ['the connection broke before the message was sent', { command: 'DATA' }, 'again'],
    ['the connection broke after the message was sent', { command: 'DATA', isHandedOver: true }, 'uncertain'],
    ['the server is busy', { code: 421, command: 'MAIL FROM' }, 'again'],
    ['the mailbox is temporarily unavailable', { code: 450, command: 'RCPT TO' }, 'again'],
    [
      'the message is temporarily refused after it was sent',
      { code: 451, command: 'DATA', isHandedOver: true },
      'again',
    ],
    ['there is no such mailbox', { code: 550, command: 'RCPT TO' }, 'refused'],
    ['the content is refused', { code: 554, command: 'DATA', isHandedOver: true }, 'refused'],
    ['our login is refused', { code: 535, command: 'AUTH PLAIN' }, 'again'],
    ['our sender address is refused', { code: 550, command: 'MAIL FROM' }, 'again'],
    ['the address is invalid', { isAddressWrong: true, command: 'API' }, 'refused'],
  ] satisfies [string, Partial<DeliveryFailure>, string][])('%s', (_, change, outcome) => {
    expect(deliveryResultOf(failure(change))).toBe(outcome)
  })
})

test('addresses are removed from replies of the server', () => {
  expect(withoutAddresses('550 5.1.1 <a.b+c@example.kz>: unknown; to x@y.kz, bye')).toBe(
    '550 5.1.1 <…>: unknown; to …, bye',
  )
})

describe('the reason of a reply', () => {
  test.each([
    [null, 'connect ECONNREFUSED', 'unreachable'],
    [550, '550 5.1.1 User unknown', 'no-such-address'],
    [550, '550 no mailbox here', 'no-such-address'],
    [550, '550 5.7.1 Blocked by policy', 'not-accepted'],
    [554, '554 Transaction failed', 'not-accepted'],
    [552, '552 5.2.2 Over quota', 'mailbox-full'],
    [452, '452 4.2.2 Over quota', 'mailbox-full'],
    [451, '451 Greylisted, come again', 'not-now'],
  ] as const)('%s %s', (code, reply, reason) => {
    expect(reasonOf(code, reply)).toBe(reason)
  })
})
