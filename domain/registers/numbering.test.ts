import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countingYear, exampleNumber, firstOfYear, formatNumber, yearPlaces } from './numbering.ts'

const rules = fc.record({
  prefix: fc.string({ maxLength: 20 }),
  yearPlace: fc.constantFrom(...yearPlaces),
  width: fc.integer({ min: 1, max: 8 }),
  firstNumber: fc.integer({ min: 1, max: 9_999_999 }),
})
const counters = fc.integer({ min: 1, max: 99_999_999 })
const years = fc.integer({ min: 2020, max: 2100 })

describe('a registration number', () => {
  test.each([
    ['none', 'ИСХ-0015'],
    ['before', 'ИСХ-2026-0015'],
    ['after', 'ИСХ-0015/2026'],
  ] as const)('has the year %s the counter', (yearPlace, number) => {
    expect(formatNumber({ prefix: 'ИСХ-', yearPlace, width: 4 }, 2026, 15)).toBe(number)
  })

  test('is written in full when it outgrows its digits', () => {
    expect(formatNumber({ prefix: '', yearPlace: 'none', width: 2 }, 0, 12_345)).toBe('12345')
  })

  test('never repeats in a journal', () => {
    fc.assert(
      fc.property(rules, years, counters, years, counters, (rule, year, counter, otherYear, otherCounter) => {
        const [one, other] = rule.yearPlace === 'none' ? ([0, 0] as const) : ([year, otherYear] as const)
        fc.pre(one !== other || counter !== otherCounter)
        expect(formatNumber(rule, one, counter)).not.toBe(formatNumber(rule, other, otherCounter))
      }),
    )
  })
})

describe('the year of a registration number', () => {
  const dated = { yearPlace: 'after' } as const

  test('begins at midnight in Almaty, not in London', () => {
    expect(countingYear(dated, new Date('2026-12-31T18:59:59.999Z'))).toBe(2026)
    expect(countingYear(dated, new Date('2026-12-31T19:00:00.000Z'))).toBe(2027)
  })

  test('does not matter to numbers without a year', () => {
    expect(countingYear({ yearPlace: 'none' }, new Date('2026-12-31T19:00:00Z'))).toBe(0)
  })

  test('starts with number one, and only the first year where the paper journal ended', () => {
    const first = { firstNumber: 120, firstYear: 2026 }
    expect(firstOfYear(first, 2026)).toBe(120)
    expect(firstOfYear(first, 2027)).toBe(1)
  })
})

test('the example is the first number', () => {
  const rule = { prefix: 'ВХ-', yearPlace: 'after', width: 3, firstNumber: 41 } as const
  expect(exampleNumber(rule, new Date('2026-11-16T00:00:00Z'))).toBe('ВХ-041/2026')
})
