import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayGo, waitsFor, whyNotInAct, type Keeper } from './destruction.ts'
import { keepingOf, stateOfKeeping, termOn, type RetentionTerm } from './terms.ts'

const term = (
  kindId: string | null,
  years: number | null,
  validFrom = '2000-01-01',
  addedOn = validFrom,
): RetentionTerm => ({ kindId, years, validFrom, addedOn })

describe('the term of a kind', () => {
  const terms = [term(null, 5), term('contract', 10), term('contract', 3, '2026-01-01')]

  test('is its own, otherwise the common one', () => {
    expect(termOn(terms, 'contract', '2025-12-31')?.years).toBe(10)
    expect(termOn(terms, 'order', '2025-12-31')?.years).toBe(5)
    expect(termOn(terms, null, '2025-12-31')?.years).toBe(5)
    expect(termOn([term('contract', 10)], 'order', '2025-12-31')).toBeNull()
  })

  test('is the one that is in force on that day', () => {
    expect(termOn(terms, 'contract', '2026-01-01')?.years).toBe(3)
    expect(termOn(terms, 'contract', '1999-12-31')).toBeNull()
    // Corrected on the same day: the rule that was added later counts.
    expect(termOn([term(null, 5), term(null, 7)], null, '2026-01-01')?.years).toBe(7)
  })
})

describe('keeping', () => {
  const ended = { kindId: null, endedOn: '2020-03-05' }

  test('is counted from the end of the year', () => {
    expect(keepingOf([term(null, 5)], ended, '2026-06-01')?.until).toBe('2025-12-31')
    expect(keepingOf([term(null, 0)], ended, '2026-06-01')?.until).toBe('2020-12-31')
    expect(keepingOf([term(null, null)], ended, '2026-06-01')).toMatchObject({ until: null })
    expect(keepingOf([], ended, '2026-06-01')).toBeNull()
  })

  test('never becomes shorter by a new rule, and becomes longer by one', () => {
    const shorter = [term(null, 10), term(null, 3, '2024-01-01')]
    expect(keepingOf(shorter, ended, '2026-06-01')?.until).toBe('2030-12-31')
    const longer = [term(null, 3), term(null, 10, '2024-01-01')]
    expect(keepingOf(longer, ended, '2026-06-01')?.until).toBe('2030-12-31')
    const forever = [term(null, 3), term(null, null, '2024-01-01')]
    expect(keepingOf(forever, ended, '2026-06-01')?.until).toBeNull()
  })

  test('is not shortened by a backdated rule; a mistake can be corrected on the same day', () => {
    const backdated = [term(null, 10), term(null, 0, '2000-01-01', '2026-05-01')]
    expect(keepingOf(backdated, ended, '2026-06-01')?.until).toBe('2030-12-31')
    const promisedLater = [
      term(null, 10, '2000-01-01', '2024-01-01'),
      term(null, 0, '2000-01-01', '2026-05-01'),
    ]
    expect(keepingOf(promisedLater, ended, '2026-06-01')?.until).toBe('2030-12-31')
    const corrected = [term(null, 100, '2000-01-01', '2026-05-01'), term(null, 7, '2000-01-01', '2026-05-01')]
    expect(keepingOf(corrected, ended, '2026-06-01')?.until).toBe('2027-12-31')
    const replacedBefore = [term(null, 10), term(null, 3, '2015-01-01')]
    expect(keepingOf(replacedBefore, ended, '2026-06-01')?.until).toBe('2023-12-31')
  })

  test('is over after its last day, and never while it is held', () => {
    const keeping = keepingOf([term(null, 5)], ended, '2026-01-01')
    expect(stateOfKeeping(keeping, false, '2025-12-31')).toBe('kept')
    expect(stateOfKeeping(keeping, false, '2026-01-01')).toBe('due')
    expect(stateOfKeeping(keeping, true, '2026-01-01')).toBe('held')
    expect(stateOfKeeping(null, false, '2026-01-01')).toBe('unknown')
    expect(stateOfKeeping({ until: null }, false, '2026-01-01')).toBe('forever')
  })

  test('with one more term ends at the same time or later', () => {
    const day = fc.integer({ min: 2000, max: 2030 }).map((year) => `${year}-01-01`)
    const one = fc.record({
      kindId: fc.constantFrom(null, 'contract'),
      years: fc.option(fc.nat(100)),
      validFrom: day,
    })
    const of = { kindId: 'contract', endedOn: '2010-05-05' }
    const lastDay = (terms: readonly RetentionTerm[]) => {
      const keeping = keepingOf(terms, of, '2031-02-02')
      return keeping && (keeping.until ?? 'for ever')
    }
    fc.assert(
      fc.property(fc.array(fc.record({ term: one, addedOn: day })), one, (added, next) => {
        const terms = added
          .map(({ term: fields, addedOn }) => ({ ...fields, addedOn }))
          .toSorted((x, y) => x.addedOn.localeCompare(y.addedOn))
        const [before, after] = [lastDay(terms), lastDay([...terms, { ...next, addedOn: '2031-01-01' }])]
        // A rule for the kind may replace the common one, but the term promised when the document ended stays.
        if (before !== null && terms.every(({ validFrom }) => validFrom <= of.endedOn))
          expect(after! >= before).toBe(true)
      }),
    )
  })
})

describe('destruction', () => {
  const keeper = (organizationId: string | null, change: Partial<Keeper> = {}): Keeper => ({
    organizationId,
    name: organizationId ?? 'outside',
    isHeld: false,
    hasOrdered: true,
    ...change,
  })

  test('an act of destruction may name only documents that are due and that no side without an organisation has', () => {
    const both = [keeper('ours', { hasOrdered: false }), keeper('theirs', { hasOrdered: false })]
    expect(whyNotInAct('due', both, 'ours')).toBeNull()
    expect(whyNotInAct('kept', both, 'ours')).toBe('document-not-due')
    expect(whyNotInAct('forever', both, 'ours')).toBe('document-not-due')
    expect(whyNotInAct('unknown', both, 'ours')).toBe('document-not-due')
    expect(whyNotInAct('held', both, 'ours')).toBe('document-held')
    expect(whyNotInAct('due', [...both, keeper(null)], 'ours')).toBe('document-shared-outside')
    expect(whyNotInAct('due', [keeper('ours')], 'ours')).toBe('document-in-act')
    expect(whyNotInAct('destroyed', both, 'ours')).toBe('document-in-act')
  })

  test('a file is destroyed exactly when all sides have ordered it and nobody holds it', () => {
    const keepers = fc.array(fc.record({ hasOrdered: fc.boolean(), isHeld: fc.boolean() }), { minLength: 1 })
    fc.assert(
      fc.property(keepers, (states) => {
        const all = states.map((state, i) => keeper(String(i), state))
        expect(mayGo(all)).toBe(waitsFor(all).length === 0)
        expect(mayGo(all)).toBe(states.every(({ hasOrdered, isHeld }) => hasOrdered && !isHeld))
      }),
    )
    expect(mayGo([])).toBe(false)
  })
})
