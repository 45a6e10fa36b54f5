import { expect, test } from 'vitest'
import { downloadAddress, helpAddress } from './help-address.ts'

const versions = { 'instruction.kk': 'abc123', 'contract-offer.en': 'def456' }

test.each([
  ['instruction', 'kk', '/frame/instruction.pdf?v=abc123'],
  ['contract-offer', 'en', '/frame/contract-offer.pdf?v=def456'],
  ['price-list', 'ru', '/files/price-list.ru.pdf'],
] as const)('the document %s for a reader of %s is at %s', (name, reader, address) => {
  expect(helpAddress(name, reader, versions)).toBe(address)
})

test('the price list is requested for the organisation', () => {
  const address = helpAddress('price-list', 'kk', versions, '01a1')
  expect(address).toBe('/files/price-list.kk.pdf?organizationId=01a1')
  expect(downloadAddress(address)).toBe(`${address}&download`)
  expect(downloadAddress('/files/price-list.kk.pdf')).toBe('/files/price-list.kk.pdf?download')
})
