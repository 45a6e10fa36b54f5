import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { isAddressAllowed, isNetwork } from './addresses.ts'

describe('what is a network', () => {
  test.each([
    '10.0.0.5',
    '10.0.0.0/8',
    '203.0.113.64/26',
    '2a00:1450::1',
    '2a00:1450::/32',
    '::ffff:1.2.3.4',
    '::1',
  ])('%s is a network', (text) => expect(isNetwork(text)).toBe(true))

  test.each([
    '',
    'example.kz',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.1/8',
    '10.0.0.0/8/8',
    '2a00::1::2',
    '2a00:1450::1/32',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'fe80::1%eth0',
  ])('%j is not a network', (text) => expect(isNetwork(text)).toBe(false))
})

describe('who may call', () => {
  test('everybody, if no network is named', () => {
    expect(isAddressAllowed([], '203.0.113.7')).toBe(true)
  })

  test('only those in one of the networks', () => {
    const networks = ['203.0.113.64/26', '2a00:1450::/32']
    expect(isAddressAllowed(networks, '203.0.113.64')).toBe(true)
    expect(isAddressAllowed(networks, '203.0.113.127')).toBe(true)
    expect(isAddressAllowed(networks, '203.0.113.128')).toBe(false)
    expect(isAddressAllowed(networks, '2a00:1450:4010::5')).toBe(true)
    expect(isAddressAllowed(networks, '2a00:1451::5')).toBe(false)
  })

  test('an IPv4 address written as IPv6 is the same caller', () => {
    expect(isAddressAllowed(['203.0.113.7'], '::ffff:203.0.113.7')).toBe(true)
    expect(isAddressAllowed(['203.0.113.7'], '::ffff:cb00:7107')).toBe(true)
    expect(isAddressAllowed(['::ffff:203.0.113.7'], '203.0.113.7')).toBe(true)
  })

  test('nobody, if the network or the address cannot be read', () => {
    expect(isAddressAllowed(['broken'], '203.0.113.7')).toBe(false)
    expect(isAddressAllowed(['203.0.113.7'], 'broken')).toBe(false)
  })

  test('an address is in its own block of any size, and outside once a bit of the prefix differs', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.integer({ min: 1, max: 32 }),
        fc.integer({ min: 0, max: 31 }),
        (address, bits, flipped) => {
          const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
          const size = 2 ** (32 - bits)
          const block = `${dotted(Math.floor(number / size) * size)}/${bits}`
          expect(isAddressAllowed([block], address)).toBe(true)
          const weight = 2 ** (31 - flipped)
          const other = Math.floor(number / weight) % 2 === 1 ? number - weight : number + weight
          expect(isAddressAllowed([block], dotted(other))).toBe(flipped >= bits)
        },
      ),
    )
  })
})

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
}
