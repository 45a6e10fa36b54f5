import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalformedError, tags } from '../asn1/read.ts'
import { joined, toHex } from '../asn1/values.ts'
import {
  bitString,
  boolean,
  element,
  explicit,
  generalizedTime,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  time,
  unsignedInteger,
} from '../asn1/write.ts'
import { extension, makeName } from '../signer/extensions.ts'
import { invalidSince, makeCrl, writtenReason, type Party } from '../signer/issue.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { findEntry, hashOf } from './crl-entries.ts'
import { crlOids, readCrl, type Crl } from './crl.ts'

const issuer: Party = {
  subject: makeName({ commonName: 'Centre' }),
  keys: await makeKeys('gost-kz-2004', 'centre'),
}
const thisUpdate = new Date('2026-01-01T00:00:00Z')
const nextUpdate = new Date('2026-02-01T00:00:00Z')
const revokedAt = new Date('2025-05-05T05:05:05Z')

const find = ({ entries }: Crl, serial: number | Uint8Array) =>
  findEntry(entries, typeof serial === 'number' ? Uint8Array.of(serial) : serial, () => true)

/** An unsigned CRL around the given entries. */
function listOf(entries: Uint8Array, { version = 2, extensions = [] as Uint8Array[] } = {}): Uint8Array {
  const { signatureAlgorithm } = issuer.keys
  const tbs = sequence(
    ...(version === 2 ? [integer(1)] : []),
    signatureAlgorithm,
    issuer.subject,
    time(thisUpdate),
    time(nextUpdate),
    element(tags.sequence, entries),
    ...(version === 2 ? [explicit(0, sequence(...extensions))] : []),
  )
  return sequence(tbs, signatureAlgorithm, bitString(new Uint8Array(64)))
}

test('a list is read as it was made', async () => {
  const der = await makeCrl({
    issuer,
    thisUpdate,
    nextUpdate,
    number: 14,
    entries: [
      { serial: 5, revokedAt },
      { serial: 6, revokedAt, reason: 'certificateHold' },
      {
        serial: 7,
        revokedAt,
        reason: 'keyCompromise',
        extensions: [invalidSince(new Date('2025-01-01T00:00:00Z'))],
      },
    ],
  })
  const crl = readCrl(der)
  expect(crl).toMatchObject({
    thisUpdate,
    nextUpdate,
    number: 14n,
    baseNumber: null,
    hasUnknownCritical: false,
  })
  expect(crl.issuer).toEqual(issuer.subject)
  expect(crl.entries.count).toBe(3)
  expect(find(crl, 5)).toEqual({ revokedAt, reason: 'unspecified', invalidSince: null })
  expect(find(crl, 6)).toEqual({ revokedAt, reason: 'certificateHold', invalidSince: null })
  expect(find(crl, 7)).toEqual({
    revokedAt,
    reason: 'keyCompromise',
    invalidSince: new Date('2025-01-01T00:00:00Z'),
  })
  expect(find(crl, 8)).toBeNull()
})

test('an empty list and a list of version 1 are read', async () => {
  const empty = readCrl(await makeCrl({ issuer, thisUpdate, nextUpdate, entries: [] }))
  expect(empty.entries.count).toBe(0)
  expect(find(empty, 5)).toBeNull()
  expect(find(readCrl(listOf(sequence(integer(5), time(revokedAt)), { version: 1 })), 5)).not.toBeNull()
})

test('a list that is passed to a worker works as well', async () => {
  const der = await makeCrl({ issuer, thisUpdate, nextUpdate, entries: [{ serial: 5, revokedAt }] })
  const crl = structuredClone(readCrl(der))
  expect(find(crl, 5)).not.toBeNull()
  expect(crl.entries.slots.buffer).toBeInstanceOf(SharedArrayBuffer)
})

describe('entries of every form', () => {
  const utcTime = (text: string) => element(tags.utcTime, new TextEncoder().encode(text))
  const reason = (number: number, isCritical = false) =>
    sequence(
      oid('2.5.29.21'),
      ...(isCritical ? [boolean(true)] : []),
      octetString(element(tags.enumerated, Uint8Array.of(number))),
    )
  const good = sequence(integer(1), time(revokedAt))

  test.each<[string, Uint8Array]>([
    ['the end of a long month', sequence(integer(5), utcTime('251231235959Z'))],
    ['a leap day', sequence(integer(5), utcTime('240229000000Z'))],
    ['a time of the other kind', sequence(integer(5), generalizedTime(revokedAt))],
    ['a critical reason', sequence(integer(5), time(revokedAt), sequence(reason(1, true)))],
    [
      'a long entry',
      sequence(integer(5), time(revokedAt), sequence(extension('1.2.3', octetString(new Uint8Array(300))))),
    ],
  ])('read: %s', (_, entry) => {
    expect(find(readCrl(listOf(joined([good, entry, good]))), 5)).not.toBeNull()
  })

  test.each<[string, Uint8Array]>([
    ['no day of the calendar', sequence(integer(5), utcTime('250230000000Z'))],
    ['no month', sequence(integer(5), utcTime('251301000000Z'))],
    ['no second', sequence(integer(5), utcTime('250101000060Z'))],
    ['no digits', sequence(integer(5), utcTime('2501010000:0Z'))],
    ['without a zone', sequence(integer(5), utcTime('250101000000'))],
    ['without a time', sequence(integer(5))],
    ['without a number', sequence(time(revokedAt))],
    ['a number of nothing', sequence(element(tags.integer), time(revokedAt))],
    ['a padded number', sequence(element(tags.integer, Uint8Array.of(0, 5)), time(revokedAt))],
    ['a padded negative number', sequence(element(tags.integer, Uint8Array.of(0xff, 0x85)), time(revokedAt))],
    ['a length written too long', joined([Uint8Array.of(0x30, 0x81, 18), integer(5), time(revokedAt)])],
    ['longer than the list', Uint8Array.of(0x30, 0x7f, 2, 1, 5)],
    [
      'a length left open',
      joined([Uint8Array.of(0x30, 0x80), integer(5), time(revokedAt), Uint8Array.of(0, 0)]),
    ],
    ['the seventh reason', sequence(integer(5), time(revokedAt), sequence(reason(7)))],
    ['a reason beyond the last', sequence(integer(5), time(revokedAt), sequence(reason(11)))],
    ['a reason twice', sequence(integer(5), time(revokedAt), sequence(reason(1), reason(1)))],
    ['something after the extensions', sequence(integer(5), time(revokedAt), sequence(reason(1)), nothing())],
    ['no sequence', integer(5)],
    [
      'another issuer, in a list of one',
      sequence(integer(5), time(revokedAt), sequence(extension('2.5.29.29', sequence()))),
    ],
  ])('refused: %s', (_, entry) => {
    expect(() => readCrl(listOf(joined([good, entry, good])))).toThrow(MalformedError)
  })

  test('extensions are refused in version 1', () => {
    const entry = sequence(integer(5), time(revokedAt), sequence(extension('1.2.3', nothing())))
    expect(() => readCrl(listOf(entry, { version: 1 }))).toThrow(MalformedError)
  })

  test('an unknown critical extension is found wherever it is', () => {
    const entry = sequence(integer(5), time(revokedAt), sequence(extension('1.2.3', nothing(), true)))
    expect(readCrl(listOf(joined([good, entry, good]))).hasUnknownCritical).toBe(true)
    expect(
      readCrl(listOf(good, { extensions: [extension('1.2.3', nothing(), true)] })).hasUnknownCritical,
    ).toBe(true)
    expect(readCrl(listOf(good, { extensions: [extension('1.2.3', nothing())] })).hasUnknownCritical).toBe(
      false,
    )
  })
})

describe('a certificate listed twice', () => {
  const entry = (day: number, reason: 'superseded' | 'removeFromCRL' = 'superseded') =>
    sequence(
      integer(5),
      time(new Date(Date.UTC(2025, 0, day))),
      sequence(extension('2.5.29.21', writtenReason(reason))),
    )

  test('the earlier entry counts, in any order', () => {
    for (const days of [
      [3, 1, 2],
      [1, 2, 3],
      [2, 3, 1],
    ]) {
      const crl = readCrl(listOf(joined(days.map((day) => entry(day)))))
      expect(find(crl, 5)?.revokedAt).toEqual(new Date('2025-01-01T00:00:00Z'))
    }
  })

  test('an entry that revokes counts before one that takes it back', () => {
    for (const entries of [
      [entry(1, 'removeFromCRL'), entry(2)],
      [entry(2), entry(1, 'removeFromCRL')],
    ]) {
      expect(find(readCrl(listOf(joined(entries))), 5)?.reason).toBe('superseded')
    }
  })
})

test('a list of several issuers keeps their serial numbers apart', () => {
  const of = (name: Uint8Array) => extension('2.5.29.29', sequence(explicit(4, name)), true)
  const [one, other] = [makeName({ commonName: 'One' }), makeName({ commonName: 'Other' })]
  const at = (day: number) => time(new Date(Date.UTC(2025, 0, day)))
  const entries = joined([
    sequence(integer(5), at(1)),
    sequence(integer(5), at(2), sequence(of(one))),
    sequence(integer(6), at(3)),
    sequence(integer(5), at(4), sequence(of(other))),
    sequence(integer(7), at(5), sequence(of(one))),
  ])
  const indirect = extension(crlOids.issuingPoint, sequence(element(0x84, Uint8Array.of(0xff))), true)
  const crl = readCrl(listOf(entries, { extensions: [indirect] }))
  const dayOf = (serial: number, name: Uint8Array | null) =>
    findEntry(crl.entries, Uint8Array.of(serial), (names) =>
      name === null
        ? names === null
        : names?.some((one) => one.form === 'directory' && toHex(one.name) === toHex(name)) === true,
    )?.revokedAt.getUTCDate()
  expect([dayOf(5, null), dayOf(5, one), dayOf(5, other)]).toEqual([1, 2, 4])
  expect([dayOf(6, null), dayOf(6, one), dayOf(7, one), dayOf(7, other)]).toEqual([
    undefined,
    3,
    5,
    undefined,
  ])
})

test('the table finds what a plain map finds', () => {
  const serials = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3 }), { maxLength: 200 })
  fc.assert(
    fc.property(serials, serials, (listed, asked) => {
      const crl = readCrl(
        listOf(joined(listed.map((serial) => sequence(unsignedInteger(serial), time(revokedAt))))),
      )
      const contents = (serial: Uint8Array) => unsignedInteger(serial).subarray(2)
      const known = new Set(listed.map((serial) => toHex(contents(serial))))
      for (const serial of [...listed, ...asked]) {
        expect(find(crl, contents(serial)) !== null).toBe(known.has(toHex(contents(serial))))
      }
    }),
    { numRuns: 100 },
  )
})

/** As the national centre writes them: a serial number of twenty bytes, a time, a reason. */
function nationalEntries(count: number): Uint8Array {
  const pattern = sequence(
    unsignedInteger(new Uint8Array(20).fill(0x11)),
    time(revokedAt),
    sequence(extension('2.5.29.21', writtenReason('superseded'))),
  )
  const bytes = new Uint8Array(pattern.length * count)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) {
    bytes.set(pattern, i * pattern.length)
    view.setUint32(i * pattern.length + 8, i)
  }
  return bytes
}

test('a list of the national size takes a table of two megabytes', () => {
  const count = 390_000
  const der = listOf(nationalEntries(count))
  const { entries } = readCrl(der)
  expect(der.length).toBeGreaterThan(19_000_000)
  expect(entries.count).toBe(count)
  expect(entries.slots.byteLength + entries.issuerChanges.byteLength).toBeLessThan(3_000_000)
  const serial = new Uint8Array(20).fill(0x11)
  new DataView(serial.buffer).setUint32(4, count - 1)
  expect(findEntry(entries, serial, () => true)?.reason).toBe('superseded')
  new DataView(serial.buffer).setUint32(4, count)
  expect(findEntry(entries, serial, () => true)).toBeNull()
})

test('serial numbers chosen to collide are refused, and soon', () => {
  const colliding: Uint8Array[] = []
  for (let i = 0; colliding.length < 1000; i++) {
    const serial = Uint8Array.of(1, i >> 24, i >> 16, i >> 8, i)
    if ((hashOf(serial, 0, serial.length) & 2047) === 0) colliding.push(serial)
  }
  const entries = joined(colliding.map((serial) => sequence(unsignedInteger(serial), time(revokedAt))))
  expect(() => readCrl(listOf(entries))).toThrow('Serial numbers chosen to be slow')
})

test('no byte of a list can be changed without changing its meaning or its validity', async () => {
  const entries = [1, 2, 3].map((serial) => ({ serial, revokedAt, reason: 'superseded' as const }))
  const der = await makeCrl({ issuer, thisUpdate, nextUpdate, number: 1, entries })
  const original = readCrl(der)
  fc.assert(
    fc.property(fc.nat({ max: der.length - 1 }), fc.integer({ min: 1, max: 255 }), (place, flip) => {
      const changed = der.map((byte, i) => (i === place ? byte ^ flip : byte))
      try {
        const crl = readCrl(changed)
        expect(toHex(crl.tbs) + toHex(crl.signature)).not.toBe(
          toHex(original.tbs) + toHex(original.signature),
        )
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedError)
      }
    }),
    { numRuns: 500 },
  )
})
