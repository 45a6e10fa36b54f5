import { expect, test } from 'vitest'
import { fullNameFlaw, tidyName } from './form-checks.ts'

test.each([
  ['  Серікова\u00a0 Айгерім ', 'Серікова Айгерім'],
  ['Иван\u202eов', 'Иван ов'],
  ['Иванов\u3164', 'Иванов'],
  ['\u3164\u2800\u{e0041}', ''],
])('the name %j is kept as %j', (typed, kept) => {
  expect(tidyName(typed)).toBe(kept)
})

test('a name of only invisible characters counts as missing', () => {
  expect(fullNameFlaw(tidyName('\u3164'))).toBe('full-name-missing')
})
