import { expect, test } from 'vitest'
import { helpNameOf, writtenIn } from './documents.ts'

test.each([
  ['instruction', 'instruction'],
  ['Price-List', 'price-list'],
  ['terms-of-use', 'service-rules'],
  ['constructor', null],
  ['../instruction', null],
])('%s is called %s', (requested, name) => {
  expect(helpNameOf(requested)).toBe(name)
})

test('a document is shown in the language of the reader, or in Russian', () => {
  expect(writtenIn('instruction', 'en')).toBe('en')
  expect(writtenIn('contract-offer', 'kk')).toBe('kk')
  expect(writtenIn('contract-offer', 'en')).toBe('ru')
})
