/** Names are compared as RFC 5280, 7.1 says. */
import { describe, expect, test } from 'vitest'
import { hash } from '../algorithms/hash.ts'
import { tags } from '../asn1/read.ts'
import { element, oid, sequence, setOf } from '../asn1/write.ts'
import { isReferredTo } from '../cms/signing-certificate.ts'
import { foundNation } from '../testing/nation.ts'
import { isSameName, nameOids } from './names.ts'

type Part = [kind: keyof typeof nameOids, text: string, tag?: number]

const name = (...parts: Part[]) =>
  sequence(
    ...parts.map(([kind, text, tag = tags.utf8String]) =>
      setOf([sequence(oid(nameOids[kind]), element(tag, new TextEncoder().encode(text)))]),
    ),
  )

describe('names that count as the same', () => {
  test.each<[string, Uint8Array, Uint8Array]>([
    [
      'another kind of string',
      name(['commonName', 'Centre']),
      name(['commonName', 'Centre', tags.printableString]),
    ],
    ['capitals', name(['commonName', 'ОРТАЛЫҚ Centre']), name(['commonName', 'орталық CENTRE'])],
    ['spaces', name(['commonName', ' Test  Centre ']), name(['commonName', 'Test Centre'])],
    ['composed and decomposed letters', name(['commonName', 'Й']), name(['commonName', 'И\u0306'])],
  ])('%s', (_, one, other) => expect(isSameName(one, other)).toBe(true))
})

describe('names that count as different', () => {
  const plain = name(['commonName', 'Centre'], ['country', 'KZ'])
  test.each<[string, Uint8Array]>([
    ['another order', name(['country', 'KZ'], ['commonName', 'Centre'])],
    ['a part more', name(['commonName', 'Centre'], ['country', 'KZ'], ['organization', ''])],
    ['another attribute', name(['organization', 'Centre'], ['country', 'KZ'])],
    ['a word joined', name(['commonName', 'Cen tre'], ['country', 'KZ'])],
    ['an invisible character', name(['commonName', 'Cen\u200btre'], ['country', 'KZ'])],
    ['a similar letter', name(['commonName', 'Сentre'], ['country', 'KZ'])],
    ['unreadable', Uint8Array.of(0x30, 1, 0)],
  ])('%s', (_, other) => expect(isSameName(plain, other)).toBe(false))
})

test('a reference to the certificate may have its issuer in another kind of string', async () => {
  const { person } = await foundNation('gost-kz-512')
  const { certificate } = person
  const issuer = name(
    ['commonName', 'TEST  centre', tags.printableString],
    ['country', 'KZ', tags.printableString],
  )
  const digest = hash('sha-256', certificate.der)
  const reference = { hash: 'sha-256', digest, issuerSerial: { issuer, serial: certificate.serial } } as const
  expect(isReferredTo(certificate, reference)).toBe(true)
  const other = name(['commonName', 'Other centre'], ['country', 'KZ'])
  expect(
    isReferredTo(certificate, { ...reference, issuerSerial: { issuer: other, serial: certificate.serial } }),
  ).toBe(false)
})
