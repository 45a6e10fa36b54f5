import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayEnd, stateOf, whyNotSubstitute, type Substitution } from './substitution.ts'

const now = new Date('2026-11-15T10:00:00Z')
const away: Substitution = { absentId: 'a', substituteId: 'b', from: '2026-11-20', to: '2026-11-30' }

describe('a substitute is refused', () => {
  test.each<[string, Partial<Substitution>, Substitution[], string | null]>([
    ['when nothing speaks against it: not', {}, [], null],
    ['oneself', { substituteId: 'a' }, [], 'substitute-is-oneself'],
    ['the end before the beginning', { to: '2026-11-19' }, [], 'substitution-wrong-period'],
    ['a day that is gone', { from: '2026-11-14' }, [], 'substitution-wrong-period'],
    ['today: not', { from: '2026-11-15' }, [], null],
    ['more than a year', { to: '2027-11-21' }, [], 'substitution-too-long'],
    ['a whole year: not', { to: '2027-11-20' }, [], null],
    ['a second one for the same days', {}, [{ ...away, substituteId: 'c' }], 'already-substituted'],
    ['who is away then', {}, [{ ...away, absentId: 'b', substituteId: 'c' }], 'substitute-is-away'],
    [
      'by whom somebody counts on then',
      {},
      [{ ...away, absentId: 'c', substituteId: 'a' }],
      'substitutes-another',
    ],
    [
      'on other days: not',
      {},
      [
        { absentId: 'a', substituteId: 'c', from: '2026-11-16', to: '2026-11-19' },
        { absentId: 'b', substituteId: 'c', from: '2026-12-01', to: '2026-12-02' },
      ],
      null,
    ],
    ['who stands in for a third: not', {}, [{ ...away, absentId: 'c' }], null],
  ])('%s', (_, change, existing, alias) => {
    expect(whyNotSubstitute({ ...away, ...change }, existing, now)).toBe(alias)
  })
})

test('whatever is asked for in whatever order, nobody who is away ever stands in for anybody', () => {
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

test('its state follows the days of Almaty, and its end', () => {
  const one = { ...away, endedAt: null }
  expect(stateOf(one, now)).toBe('coming')
  expect(stateOf(one, new Date('2026-11-19T19:00:00Z'))).toBe('now')
  expect(stateOf(one, new Date('2026-11-30T18:59:59Z'))).toBe('now')
  expect(stateOf(one, new Date('2026-11-30T19:00:00Z'))).toBe('past')
  expect(stateOf({ ...one, endedAt: now }, now)).toBe('ended')
})

test('either of the two may end it, nobody else, and only once', () => {
  const one = { ...away, endedAt: null }
  expect(['a', 'b', 'c'].filter((id) => mayEnd(one, id, now))).toEqual(['a', 'b'])
  expect(mayEnd({ ...one, endedAt: now }, 'a', now)).toBe(false)
  expect(mayEnd(one, 'a', new Date('2026-12-05T00:00:00Z'))).toBe(false)
})
