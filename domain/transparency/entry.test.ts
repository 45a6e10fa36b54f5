import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, type Fact } from './canonical.ts'
import { logEntry, type LoggedEvent } from './entry.ts'

describe('canonical JSON', () => {
  test('has one spelling, whatever the order of the keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'ә"' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"ә\\"","d":null}]}',
    )
    expect(canonicalJson({ a: true, b: [1, { c: 'ә"', d: null }] })).toBe(
      canonicalJson({ b: [1, { d: null, c: 'ә"' }], a: true }),
    )
  })

  test('says all and nothing but what it was given', () => {
    const fact = fc.anything({
      key: fc.string().filter((name) => name !== '__proto__'),
      values: [fc.string(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)],
      maxDepth: 3,
    })
    fc.assert(
      fc.property(fact, (value) => {
        expect(JSON.parse(canonicalJson(value as Fact))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('knows no half numbers: they have several spellings', () => {
    expect(() => canonicalJson({ price: 0.1 })).toThrow('not a whole number')
  })
})

test('an entry differs when anything about the event does', () => {
  const event: LoggedEvent = {
    requestId: 'r',
    number: 1,
    at: new Date('2026-11-15T10:00:00Z'),
    type: 'approved',
    attempt: 0,
    pointId: 'p',
    actor: { id: 'a', fullName: 'Айгерім' },
    address: '10.0.0.1',
    comment: '',
    data: {},
    before: 2,
    after: 2,
    document: 'd',
    signature: null,
    timestampedSignature: null,
  }
  const others: Partial<LoggedEvent>[] = [
    { number: 2 },
    { at: new Date('2026-11-15T10:00:00.001Z') },
    { type: 'rejected' },
    { attempt: 1 },
    { pointId: null },
    { actor: { id: 'a', fullName: 'Айгерим' } },
    { address: null },
    { comment: ' ' },
    { data: { code: 'DS-101' } },
    { before: 64 },
    { after: 4 },
    { document: 'e' },
    { signature: 's' },
    { timestampedSignature: 't' },
    { requestId: 'q' },
  ]
  expect(new Set([event, ...others.map((change) => ({ ...event, ...change }))].map(logEntry)).size).toBe(16)
})
