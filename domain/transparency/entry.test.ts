import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, type Fact } from './canonical.ts'
import { isOpen, logEntry, type LoggedEvent } from './entry.ts'

describe('canonical JSON', () => {
  test('is the same for any order of keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'ә"' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"ә\\"","d":null}]}',
    )
    expect(canonicalJson({ a: true, b: [1, { c: 'ә"', d: null }] })).toBe(
      canonicalJson({ b: [1, { d: null, c: 'ә"' }], a: true }),
    )
  })

  test('contains exactly the given value', () => {
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

  test('refuses fractions, which have several spellings', () => {
    expect(() => canonicalJson({ price: 0.1 })).toThrow('not a whole number')
  })
})

const event: LoggedEvent = {
  requestId: 'r',
  number: 1,
  at: new Date('2026-11-15T10:00:00Z'),
  type: 'approved',
  attempt: 0,
  pointId: 'p',
  actor: { id: 'a', fullName: 'Айгерім', iin: '900101300123' },
  address: '10.0.0.1',
  comment: '',
  data: {},
  before: 2,
  after: 2,
  document: 'd',
  signature: null,
  timestampedSignature: null,
  salt: '00ff',
}

/** Not a real hash, but like one it gives different values for different texts. */
const sha256 = (text: string) => `${text.length}:${Buffer.from(text).toString('base64')}`

test.each([['with a salt', '00ff'] as const, ['from before there were salts', null] as const])(
  'an entry %s changes with every field of the event',
  (_, salt) => {
    const others: Partial<LoggedEvent>[] = [
      { number: 2 },
      { at: new Date('2026-11-15T10:00:00.001Z') },
      { type: 'rejected' },
      { attempt: 1 },
      { pointId: null },
      { actor: { id: 'a', fullName: 'Айгерим', iin: '900101300123' } },
      { actor: { id: 'a', fullName: 'Айгерім' } },
      { actor: { id: 'b', fullName: 'Айгерім', iin: '900101300123' } },
      { address: null },
      { comment: ' ' },
      { data: { code: 'DS-101' } },
      { before: 64 },
      { after: 4 },
      { document: 'e' },
      { signature: 's' },
      { timestampedSignature: 't' },
      { requestId: 'q' },
      ...(salt === null ? [] : [{ salt: '00fe' }]),
    ]
    const entries = [{}, ...others].map((change) => logEntry({ ...event, salt, ...change }, sha256))
    expect(new Set(entries).size).toBe(entries.length)
  },
)

test('an entry contains names of people, but no personal numbers and no IP addresses', () => {
  const insteadOf = { id: 'absent', fullName: 'Болат' }
  const entry = logEntry({ ...event, actor: { ...event.actor!, insteadOf } }, () => 'h')
  expect(JSON.parse(entry)).toMatchObject({
    version: 2,
    actor: { fullName: 'Айгерім', insteadOf: 'Болат' },
    hidden: 'h',
  })
  for (const secret of ['900101300123', '10.0.0.1', '00ff', 'absent']) expect(entry).not.toContain(secret)
  expect(isOpen(event)).toBe(true)
  expect(isOpen({ ...event, salt: null })).toBe(false)
  expect(isOpen({ salt: null, actor: null, address: null })).toBe(true)
})
