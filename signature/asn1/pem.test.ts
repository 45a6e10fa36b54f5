import { expect, test } from 'vitest'
import { allDerOf, derOf } from './pem.ts'

const der = Uint8Array.of(0x30, 3, 2, 1, 5)
const bytes = (text: string) => new TextEncoder().encode(text)
const base64 = btoa(String.fromCharCode(...der))
const block = (label: string, body = base64) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`

test('DER, base64 and PEM are read as the same object', () => {
  expect(derOf(der)).toEqual(der)
  expect(derOf(bytes(base64))).toEqual(der)
  expect(derOf(bytes(`\n${base64.slice(0, 3)}\r\n${base64.slice(3)}\n`))).toEqual(der)
  expect(derOf(bytes(block('CMS')))).toEqual(der)
})

test('several objects in one PEM file are read', () => {
  const two = bytes(`some text\n${block('CERTIFICATE')}\n${block('CERTIFICATE')}`)
  expect(allDerOf(two)).toEqual([der, der])
  expect(() => derOf(two)).toThrow('Not one object')
})

test.each([
  '',
  'no base64!',
  'MAMC',
  `${base64}=`,
  block('CMS', '*'),
  '-----BEGIN CMS-----\nMAMC',
  `${block('A')}-----BEGIN B-----`,
])('neither DER, base64 nor PEM, so refused: %j', (text) => {
  expect(() => derOf(bytes(text === 'MAMC' ? 'MAM' : text))).toThrow()
})
