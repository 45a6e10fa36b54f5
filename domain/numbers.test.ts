import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkDigit,
  hasRightCheckDigit,
  inGroups,
  isPersonNumber,
  isTwelveDigits,
  typedNumber,
} from './numbers.ts'

describe('the check digit of a BIN or IIN', () => {
  test.each(['000740000728', '191240020942', '180140005198', '140241009172', '890403400050', '000307550325'])(
    '%s is right',
    (number) => expect(hasRightCheckDigit(number)).toBe(true),
  )

  test.each([
    '123456789012',
    '',
    '00074000072',
    '0007400007288',
    '00074000072x',
    '٠٠٠٧٤٠٠٠٠٧٢٨',
    ' 00740000728',
  ])('%j is wrong', (number) => expect(hasRightCheckDigit(number)).toBe(false))

  const elevenDigits = fc.stringMatching(/^[0-9]{11}$/)

  test('at most one twelfth digit is right', () => {
    fc.assert(
      fc.property(elevenDigits, (eleven) => {
        const right = '0123456789'.split('').filter((digit) => hasRightCheckDigit(eleven + digit))
        const expected = checkDigit(eleven)
        expect(right).toEqual(expected === null ? [] : [String(expected)])
      }),
    )
  })

  test('a typing error in the first ten digits changes the check digit if the first row of weights is used', () => {
    const slip = fc.tuple(elevenDigits, fc.nat(9), fc.integer({ min: 1, max: 9 }))
    const weigh = (digits: string) =>
      digits.split('').reduce((sum, d, i) => sum + Number(d) * (i + 1), 0) % 11
    fc.assert(
      fc.property(slip, ([eleven, place, shift]) => {
        const slipped =
          eleven.slice(0, place) + ((Number(eleven[place]) + shift) % 10) + eleven.slice(place + 1)
        fc.pre(weigh(eleven) < 10 && weigh(slipped) < 10)
        expect(checkDigit(slipped)).not.toBe(checkDigit(eleven))
      }),
    )
  })
})

test('the fifth digit distinguishes persons from organisations', () => {
  expect(['890403400050', '000307550325'].map(isPersonNumber)).toEqual([true, true])
  expect(['000740000728', '140241009172', '191250020942', '191260020942'].map(isPersonNumber)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('twelve digits are twelve ASCII digits', () => {
  fc.assert(fc.property(fc.string(), (text) => isTwelveDigits(text) === /^[0-9]{12}$/.test(text)))
})

test('a number is shown in groups of three', () => expect(inGroups('000740000728')).toBe('000 740 000 728'))

test.each([
  ['260 140 020 007', '260140020007'],
  ['БИН: 260-140-020-007', '260140020007'],
  ['26014002000712', '260140020007'],
  ['abc', ''],
])('of the typed %j at most twelve digits are kept', (typed, kept) => expect(typedNumber(typed)).toBe(kept))
