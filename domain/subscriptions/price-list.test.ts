import { expect, test } from 'vitest'
import { monthlyInYear, tariffs, yearly, type Tariff, tariffNames } from './price-list.ts'
import { freeTier } from './tariffs.ts'

test('a year costs exactly ten percent less than twelve months', () => {
  for (const tariff of Object.values<Tariff>(tariffs)) {
    expect(yearly(tariff)).toBe(tariff.monthly * 12 * 0.9)
    expect(monthlyInYear(tariff) * 12).toBe(yearly(tariff))
  }
})

test('every tariff has a price; the free one allows ten documents in all, the most expensive any number', () => {
  expect(Object.keys(tariffs).toSorted()).toEqual([...tariffNames].toSorted())
  expect(freeTier.maxSigningRequestCount).toBe(10)
  expect(tariffs.start).toMatchObject({ monthly: 0, counted: 'in-all' })
  expect(tariffs.premium.outgoing).toBeNull()
})
