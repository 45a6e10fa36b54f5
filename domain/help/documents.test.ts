import { expect, test } from 'vitest'
import { helpNameOf } from './documents.ts'

test.each([
  ['instruction', 'instruction'],
  ['Price-List', 'price-list'],
  ['terms-of-use', 'service-rules'],
  ['constructor', null],
  ['../instruction', null],
])('the requested name %s means the help document %s', (requested, name) => {
  expect(helpNameOf(requested)).toBe(name)
})
