// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { changeLanguage, loadTexts, startTexts, textOf } from '../i18n/language.ts'
import type { Text } from '../i18n/use-texts.ts'
import { formatHours, monthName } from './wording.ts'

await startTexts()
await loadTexts('insight')
const t = ((key: string, values?: Record<string, string>) =>
  textOf(`insight:${key}`, values)) as Text<'insight'>

test.each([
  ['ru', 0.001, '1 мин'],
  ['ru', 0.5, '30 мин'],
  ['ru', 1.5, '1,5 ч'],
  ['ru', 47, '47 ч'],
  ['ru', 24 * 14, '14 дн.'],
  ['kk', 1.5, '1,5 сағ'],
  ['kk', 48, '2 күн'],
  ['en', 48, '2 days'],
] as const)('in %s %s hours are %s', async (language, hours, written) => {
  await changeLanguage(language)
  expect(formatHours(hours, t)).toBe(written)
})

test.each([
  ['ru', 'ноябрь 2026 г.'],
  ['kk', '2026 ж. қараша'],
  ['en', 'November 2026'],
] as const)('in %s the month is %s', async (language, written) => {
  await changeLanguage(language)
  expect(monthName('2026-11', t)).toBe(written)
})
