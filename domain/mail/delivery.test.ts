import { describe, expect, test } from 'vitest'
import { deliveryResultOf, reasonOf, withoutAddresses, type DeliveryFailure } from './delivery.ts'

const failure = (change: Partial<DeliveryFailure>): DeliveryFailure => ({
  code: null,
  command: 'CONN',
  isHandedOver: false,
  isAddressWrong: false,
  ...change,
})

describe('what becomes of an e-mail', () => {
  test.each([
    ['the server is away', {}, 'again'],
    ['the connection broke before it was let go of', { command: 'DATA' }, 'again'],
    ['the connection broke after that', { command: 'DATA', isHandedOver: true }, 'uncertain'],
    ['the server is busy', { code: 421, command: 'MAIL FROM' }, 'again'],
    ['the mailbox is not to be had for now', { code: 450, command: 'RCPT TO' }, 'again'],
    [
      'it is not taken for now, after all of it came',
      { code: 451, command: 'DATA', isHandedOver: true },
      'again',
    ],
    ['there is no such mailbox', { code: 550, command: 'RCPT TO' }, 'refused'],
    ['its contents are refused', { code: 554, command: 'DATA', isHandedOver: true }, 'refused'],
    ['we are not let in', { code: 535, command: 'AUTH PLAIN' }, 'again'],
    ['we may not write in this name', { code: 550, command: 'MAIL FROM' }, 'again'],
    ['the address is none', { isAddressWrong: true, command: 'API' }, 'refused'],
  ] satisfies [string, Partial<DeliveryFailure>, string][])('%s', (_, change, outcome) => {
    expect(deliveryResultOf(failure(change))).toBe(outcome)
  })
})

test('what a server said is told without the address it repeats', () => {
  expect(withoutAddresses('550 5.1.1 <a.b+c@example.kz>: unknown; to x@y.kz, bye')).toBe(
    '550 5.1.1 <…>: unknown; to …, bye',
  )
})

describe('why, in words', () => {
  test.each([
    [null, 'connect ECONNREFUSED', 'unreachable'],
    [550, '550 5.1.1 User unknown', 'no-such-address'],
    [550, '550 no mailbox here', 'no-such-address'],
    [550, '550 5.7.1 Blocked by policy', 'not-accepted'],
    [554, '554 Transaction failed', 'not-accepted'],
    [552, '552 5.2.2 Over quota', 'mailbox-full'],
    [452, '452 4.2.2 Over quota', 'mailbox-full'],
    [451, '451 Greylisted, come again', 'not-now'],
  ] as const)('%s %s', (code, answer, reason) => {
    expect(reasonOf(code, answer)).toBe(reason)
  })
})
