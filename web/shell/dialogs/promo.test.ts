import { expect, test } from 'vitest'
import { isPromoDue, promoDownloadedKey, promoShownKey } from './promo.ts'

const storage = (kept: Record<string, string>) => ({ getItem: (key: string) => kept[key] ?? null })
const inTime = new Date('2025-02-10T08:00:00Z')

test('the promo is shown once a day', () => {
  expect(isPromoDue(inTime, storage({}))).toBe(true)
  expect(isPromoDue(inTime, storage({ [promoShownKey]: '2025-02-10' }))).toBe(false)
  expect(isPromoDue(inTime, storage({ [promoShownKey]: '2025-02-09' }))).toBe(true)
})

test('the promo is never shown again once downloaded', () => {
  expect(isPromoDue(inTime, storage({ [promoDownloadedKey]: 'true' }))).toBe(false)
})

test('the promo is not shown after 1 March 2025 in the time zone of Almaty', () => {
  expect(isPromoDue(new Date('2025-03-01T18:59:00Z'), storage({}))).toBe(true)
  expect(isPromoDue(new Date('2025-03-01T19:01:00Z'), storage({}))).toBe(false)
})
