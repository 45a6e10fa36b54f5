import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PointType } from '../points/point-types.ts'
import { conditionText } from './condition-words.ts'
import {
  askedBy,
  askedFacts,
  factsInText,
  joinedFacts,
  judge,
  mayEndUnsigned,
  numberIn,
  sameCondition,
  wayOf,
  type Condition,
  type Facts,
  type Term,
  type Verdict,
} from './condition.ts'

const contract = { id: 'k1', name: 'Договор' }
const order = { id: 'k2', name: 'Приказ' }
const steppe = { bin: '240540017348', name: 'Алтын Дала' }
const nothing: Facts = { kind: null, amount: null, variables: {}, counterparties: [] }

const overFive: Term = { subject: 'amount', test: 'over', amount: 5_000_000 }
const isContract: Term = { subject: 'kind', test: 'is', kinds: [contract] }
const isSteppe: Term = { subject: 'counterparty', test: 'is', counterparties: [steppe] }
const isAstana: Term = { subject: 'variable', test: 'is', name: 'Город', value: 'Астана' }

const only = (...terms: Term[]): Condition => ({ join: 'and', terms })
const either = (...terms: Term[]): Condition => ({ join: 'or', terms })

describe('one term', () => {
  const cases: [string, Term, Partial<Facts>, Verdict][] = [
    ['an amount above the bound', overFive, { amount: 5_000_000.01 }, 'met'],
    ['the bound itself is not above it', overFive, { amount: 5_000_000 }, 'notMet'],
    ['an unknown amount', overFive, {}, 'unknown'],
    ['the bound is at most the bound', { ...overFive, test: 'upTo' }, { amount: 5_000_000 }, 'met'],
    ['a chosen kind', isContract, { kind: contract }, 'met'],
    ['another kind', isContract, { kind: order }, 'notMet'],
    ['no kind', isContract, {}, 'unknown'],
    ['a kind that must not be', { ...isContract, test: 'isNot' }, { kind: order }, 'met'],
    ['a named counterparty', isSteppe, { counterparties: ['880315300123', steppe.bin] }, 'met'],
    ['a document that leaves nobody has none of them', isSteppe, {}, 'notMet'],
    ['and surely not the named one', { ...isSteppe, test: 'isNot' }, {}, 'met'],
    [
      'a stranger beside the named one is not the named one',
      { ...isSteppe, test: 'isNot' },
      { counterparties: ['880315300123', steppe.bin] },
      'met',
    ],
    ['the named one alone', { ...isSteppe, test: 'isNot' }, { counterparties: [steppe.bin] }, 'notMet'],
    ['a name in other capitals', isAstana, { variables: { город: 'Алматы' } }, 'notMet'],
    ['a value in other capitals', isAstana, { variables: { Город: ' астана ' } }, 'met'],
    ['another value', isAstana, { variables: { Город: 'Алматы' } }, 'notMet'],
    ['a value that is not filled in', isAstana, { variables: { Город: ' ' } }, 'unknown'],
    ['a name of every object', { ...isAstana, name: 'constructor' }, {}, 'unknown'],
    [
      'a number as people write it',
      { subject: 'variable', test: 'over', name: 'Срок', value: '30' },
      { variables: { Срок: '1 030,5' } },
      'met',
    ],
    [
      'what is no number cannot be compared',
      { subject: 'variable', test: 'over', name: 'Срок', value: '30' },
      { variables: { Срок: 'год' } },
      'unknown',
    ],
  ]
  test.each(cases)('%s', (_, term, facts, verdict) => {
    expect(judge(only(term), { ...nothing, ...facts })).toBe(verdict)
    expect(judge(either(term), { ...nothing, ...facts })).toBe(verdict)
  })
})

describe('several terms', () => {
  /** Terms with a given verdict, whatever else is known. */
  const known: Facts = { ...nothing, amount: 6_000_000 }
  const withVerdict: Record<Verdict, Term> = {
    met: overFive,
    notMet: { ...overFive, test: 'upTo' },
    unknown: isContract,
  }
  const every = ['met', 'notMet', 'unknown'] as const

  test('all pairs and triples are judged as three-valued logic does', () => {
    const rank = { notMet: 0, unknown: 1, met: 2 } as const
    const byRank = ['notMet', 'unknown', 'met'] as const
    for (const a of every) {
      for (const b of every) {
        for (const c of every) {
          const terms = [a, b, c].map((verdict) => withVerdict[verdict])
          const ranks = [rank[a], rank[b], rank[c]]
          expect(judge(only(...terms), known)).toBe(byRank[Math.min(...ranks)])
          expect(judge(either(...terms), known)).toBe(byRank[Math.max(...ranks)])
        }
      }
    }
  })

  test('more facts never reverse a decided condition', () => {
    const terms = fc.constantFrom(
      overFive,
      { ...overFive, test: 'upTo' } as Term,
      isContract,
      { ...isContract, test: 'isNot' } as Term,
      isAstana,
      { ...isAstana, test: 'isNot' } as Term,
    )
    const condition = fc.record({
      join: fc.constantFrom('and' as const, 'or' as const),
      terms: fc.array(terms, { minLength: 1, maxLength: 5 }),
    })
    const full = fc.record({
      kind: fc.constantFrom(contract, order),
      amount: fc.constantFrom(1, 5_000_000, 9_000_000),
      variables: fc.constantFrom({ Город: 'Астана' }, { Город: 'Алматы' }),
    })
    const forgets = fc.record({ kind: fc.boolean(), amount: fc.boolean(), variables: fc.boolean() })
    fc.assert(
      fc.property(condition, full, forgets, (one, facts, forget) => {
        const less = {
          counterparties: [],
          kind: forget.kind ? null : facts.kind,
          amount: forget.amount ? null : facts.amount,
          variables: forget.variables ? {} : facts.variables,
        }
        const before = judge(one, less)
        const after = judge(one, { ...facts, counterparties: [] })
        expect(after).not.toBe('unknown')
        if (before !== 'unknown') expect(after).toBe(before)
      }),
    )
  })
})

type Point = { pointId: string; type: PointType; bin: string; condition: Condition | null }
const point = (
  pointId: string,
  type: PointType,
  condition: Condition | null,
  bin = '990140000001',
): Point => ({
  pointId,
  type,
  bin,
  condition,
})
const ids = (points: readonly Point[]) => points.map(({ pointId }) => pointId)

describe('the points that a document takes', () => {
  const route = [
    point('lawyers', 'InternalApprove', only(isContract)),
    point('board', 'InternalApprove', only(overFive)),
    point('security', 'InternalApprove', only(isSteppe)),
    point('director', 'CompanyInternalSign', null),
    point('them', 'ExternalSign', null, steppe.bin),
  ]

  test('do not include points whose conditions are not met', () => {
    const way = wayOf(route, { kind: order, amount: 100, variables: {} })
    expect(ids(way.taken)).toEqual(['security', 'director', 'them'])
    expect(way.judged.map(({ point: { pointId }, verdict }) => [pointId, verdict])).toEqual([
      ['lawyers', 'notMet'],
      ['board', 'notMet'],
      ['security', 'met'],
    ])
  })

  test('include points whose conditions cannot be judged', () => {
    const way = wayOf(route, { kind: null, amount: null, variables: {} })
    expect(ids(way.taken)).toEqual(ids(route))
  })

  test('a side that is passed over is no counterparty', () => {
    const passing = [...route.slice(0, 4), point('them', 'ExternalSign', only(isContract), steppe.bin)]
    const way = wayOf(passing, { kind: order, amount: 100, variables: {} })
    expect(way.facts.counterparties).toEqual([])
    expect(ids(way.taken)).toEqual(['director'])
  })

  test('a point whose condition asks for a counterparty does not make its own side one', () => {
    const circular = [point('them', 'ExternalSign', only(isSteppe), steppe.bin), ...route.slice(3, 4)]
    expect(ids(wayOf(circular, nothing).taken)).toEqual(['director'])
  })

  test('are a part of the route in its order, and without conditions the whole route', () => {
    const conditions = fc.constantFrom(null, only(overFive), only(isContract), either(isSteppe, overFive))
    const types = fc.constantFrom<PointType>('InternalApprove', 'CompanyInternalSign', 'ExternalSign')
    fc.assert(
      fc.property(
        fc.array(fc.record({ type: types, condition: conditions, bin: fc.constantFrom(steppe.bin, '1') })),
        fc.constantFrom(null, 1, 9_000_000),
        (shapes, amount) => {
          const points = shapes.map((shape, i) => ({ ...shape, pointId: String(i) }))
          const { taken, judged } = wayOf(points, { kind: null, amount, variables: {} })
          expect(taken).toEqual(points.filter((one) => taken.includes(one)))
          for (const one of points) {
            const verdict = judged.find((found) => found.point === one)?.verdict ?? 'met'
            expect(taken.includes(one)).toBe(verdict !== 'notMet')
          }
        },
      ),
    )
  })

  test('a route whose signatures all have conditions may end unsigned', () => {
    expect(mayEndUnsigned(route)).toBe(false)
    expect(mayEndUnsigned([point('them', 'ExternalSign', only(overFive))])).toBe(true)
    expect(mayEndUnsigned([point('lawyers', 'InternalApprove', only(overFive))])).toBe(false)
  })
})

describe('facts', () => {
  test('a route asks for what its conditions name, each once', () => {
    const points = [only(isAstana, overFive), either(isAstana, isContract), null]
    expect(askedBy(points.map((condition) => ({ condition })))).toEqual({
      kind: true,
      amount: true,
      variables: ['Город'],
    })
  })

  test('only facts that are asked for are kept', () => {
    const asked = askedBy([{ condition: only(isAstana) }])
    const known = { kind: contract, amount: 7, variables: { Город: 'Астана', ИИН: '870412300415' } }
    expect(askedFacts(asked, known)).toEqual({ kind: null, amount: null, variables: { Город: 'Астана' } })
  })

  test('the amount of a text is the only number in it that is called so', () => {
    const sum = { name: 'Сумма договора', kind: 'number', values: ['1 250 000,50'] }
    const days = { name: 'Срок, дней', kind: 'number', values: ['30'] }
    expect(factsInText([sum, days])).toEqual({
      saysAmount: true,
      amount: 1_250_000.5,
      variables: { 'Сумма договора': '1 250 000,50', 'Срок, дней': '30' },
    })
    expect(factsInText([sum, { ...sum, name: 'Сумма НДС' }]).amount).toBeNull()
    expect(factsInText([{ ...sum, values: [] }])).toEqual({ saysAmount: false, amount: null, variables: {} })
    // A variable that also has the value 1 does not turn a contract of five million into one of one tenge.
    const twice = factsInText([{ ...sum, values: ['1', '5 000 000'] }])
    expect(twice).toEqual({ saysAmount: true, amount: null, variables: { 'Сумма договора': '' } })
    const typed = { amount: 1, variables: { 'сумма  договора': '1' } }
    expect(joinedFacts(null, twice, typed)).toEqual({
      kind: null,
      amount: null,
      variables: { 'Сумма договора': '' },
    })
  })

  test('nobody can give another amount or value than the document does', () => {
    const said = { saysAmount: true, amount: 9_000_000, variables: { Город: 'Астана' } }
    const typed = { amount: 1, variables: { Город: 'Алматы', Отдел: 'Сбыт' } }
    expect(joinedFacts(null, said, typed)).toEqual({
      kind: null,
      amount: null,
      variables: { Город: 'Астана', Отдел: 'Сбыт' },
    })
    expect(joinedFacts(null, said, { ...typed, amount: null }).amount).toBe(9_000_000)
    expect(joinedFacts(null, { saysAmount: false, amount: null, variables: {} }, typed).amount).toBe(1)
  })

  test.each([
    ['1 250 000,50', 1_250_000.5],
    ['1250000.5', 1_250_000.5],
    ['-3', -3],
    ['1,2,3', null],
    ['500,000', null],
    ['500.000', null],
    ['', null],
    ['пять', null],
  ])('the number in %j is %j', (text, number) => expect(numberIn(text)).toBe(number))
})

test('a condition reads as a sentence', () => {
  const say = (key: string, values?: Record<string, string>) =>
    [key.replace('conditions.', ''), ...Object.values(values ?? {})].join(' ')
  expect(conditionText(either(overFive, isContract), say)).toBe(
    'terms.amount.over 5\u00a0000\u00a0000 join.or terms.kind.is Договор',
  )
  expect(conditionText(only({ ...isSteppe, counterparties: [{ bin: '1', name: '' }, steppe] }), say)).toBe(
    'terms.counterparty.is 1 join.or Алтын Дала',
  )
})

test('conditions are compared by what they say', () => {
  expect(sameCondition(only(overFive), only({ ...overFive }))).toBe(true)
  expect(sameCondition(only(overFive), either(overFive))).toBe(false)
  expect(sameCondition(null, only(overFive))).toBe(false)
})
