import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayEnd, stateOf, whyNotSubstitute, type Substitution } from './substitution.ts'

const now = new Date('2026-11-15T10:00:00Z')
const away: Substitution = { absentId: 'a', substituteId: 'b', from: '2026-11-20', to: '2026-11-30' }

describe('a substitution', () => {
  test.each<[string, Partial<Substitution>, Substitution[], string | null]>([
    ['is allowed', {}, [], null],
    ['by oneself is refused', { substituteId: 'a' }, [], 'substitute-is-oneself'],
    ['with its end before its beginning is refused', { to: '2026-11-19' }, [], 'substitution-wrong-period'],
    ['in the past is refused', { from: '2026-11-14' }, [], 'substitution-wrong-period'],
    ['from today on is allowed', { from: '2026-11-15' }, [], null],
    ['longer than a year is refused', { to: '2027-11-21' }, [], 'substitution-too-long'],
    ['of a whole year is allowed', { to: '2027-11-20' }, [], null],
    [
      'is refused if there is another for the same days',
      {},
      [{ ...away, substituteId: 'c' }],
      'already-substituted',
    ],
    [
      'by somebody who is absent is refused',
      {},
      [{ ...away, absentId: 'b', substituteId: 'c' }],
      'substitute-is-away',
    ],
    [
      'of somebody who is a substitute then is refused',
      {},
      [{ ...away, absentId: 'c', substituteId: 'a' }],
      'substitutes-another',
    ],
    [
      'is allowed if others are on other days',
      {},
      [
        { absentId: 'a', substituteId: 'c', from: '2026-11-16', to: '2026-11-19' },
        { absentId: 'b', substituteId: 'c', from: '2026-12-01', to: '2026-12-02' },
      ],
      null,
    ],
    [
      'by somebody who is also the substitute of a third person is allowed',
      {},
      [{ ...away, absentId: 'c' }],
      null,
    ],
  ])('%s', (_, change, existing, alias) => {
    expect(whyNotSubstitute({ ...away, ...change }, existing, now)).toBe(alias)
  })
})

test('after any substitutions in any order nobody absent is a substitute', () => {
  const person = fc.constantFrom('a', 'b', 'c', 'd')
  const date = fc.integer({ min: 15, max: 29 }).map((n) => `2026-11-${n}`)
  const wanted = fc.record({ absentId: person, substituteId: person, from: date, to: date })
  fc.assert(
    fc.property(fc.array(wanted, { maxLength: 40 }), (all) => {
      const kept: Substitution[] = []
      for (const one of all) if (whyNotSubstitute(one, kept, now) === null) kept.push(one)
      for (let n = 15; n < 30; n++) {
        const today = kept.filter(({ from, to }) => from <= `2026-11-${n}` && `2026-11-${n}` <= to)
        const absent = today.map(({ absentId }) => absentId)
        expect(new Set(absent).size).toBe(absent.length)
        expect(today.filter(({ substituteId }) => absent.includes(substituteId))).toEqual([])
      }
    }),
  )
})

test('the state follows the date in Almaty and an early end', () => {
  const one = { ...away, endedAt: null }
  expect(stateOf(one, now)).toBe('coming')
  expect(stateOf(one, new Date('2026-11-19T19:00:00Z'))).toBe('now')
  expect(stateOf(one, new Date('2026-11-30T18:59:59Z'))).toBe('now')
  expect(stateOf(one, new Date('2026-11-30T19:00:00Z'))).toBe('past')
  expect(stateOf({ ...one, endedAt: now }, now)).toBe('ended')
})

test('only the absent person and the substitute can end it, and only once', () => {
  const one = { ...away, endedAt: null }
  expect(['a', 'b', 'c'].filter((id) => mayEnd(one, id, now))).toEqual(['a', 'b'])
  expect(mayEnd({ ...one, endedAt: now }, 'a', now)).toBe(false)
  expect(mayEnd(one, 'a', new Date('2026-12-05T00:00:00Z'))).toBe(false)
})
