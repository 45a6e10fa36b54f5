import { expect, test } from 'vitest'
import { electronicDocumentLaws, lawOn } from './law.ts'

test('the law of 2003 counts until 10 July 2026, the Digital Code from the next day', () => {
  expect(lawOn('2003-01-07').number).toBe('370-II')
  expect(lawOn('2026-07-10').number).toBe('370-II')
  expect(lawOn('2026-07-11').number).toBe('255-VIII')
  expect(lawOn('2040-01-01').number).toBe('255-VIII')
})

const dayAfter = (date: string) => new Date(Date.parse(date) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

test('every day has exactly one law', () => {
  for (const [i, { validTo }] of electronicDocumentLaws.entries()) {
    const next = electronicDocumentLaws[i + 1]
    expect(validTo === null).toBe(next === undefined)
    if (next && validTo !== null) expect(next.validFrom).toBe(dayAfter(validTo))
  }
  expect(electronicDocumentLaws[0].validFrom).toBeNull()
})
