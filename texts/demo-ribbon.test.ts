import { expect, test } from 'vitest'
import { languages } from './languages.ts'
import { textsOf } from './server.ts'

test.each(languages)('the ribbon of the demo has the same text on every page in %s', (language) => {
  const said = [
    textsOf(language, 'common')('demo.banner'),
    textsOf(language, 'sign-in')('demo.line'),
    textsOf(language, 'landing')('demo'),
    textsOf(language, 'verify')('demo'),
  ]
  expect(new Set(said).size).toBe(1)
  // one line on a phone
  expect(said[0]!.length).toBeLessThanOrEqual(40)
})
