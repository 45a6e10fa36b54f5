import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namedRoutesIn, planRows, suggestColumns, type BulkPlan, type TemplateVariable } from './plan.ts'

const columns = ['БИН', 'Почта', 'Компания', 'Номер', 'Сумма', 'Дата']
const variables: TemplateVariable[] = [
  { name: 'Номер', type: 'text', usual: '' },
  { name: 'Сумма', type: 'number', usual: '' },
  { name: 'Сумма прописью', type: 'text', usual: '' },
  { name: 'Дата', type: 'date', usual: '' },
  { name: 'Город', type: 'text', usual: 'Астана' },
  { name: 'Сегодня', type: 'today', usual: '' },
]
const facts = {
  organization: 'ТОО «Алтын Дала»',
  organizationBin: '260140020007',
  author: 'Айгерім',
  today: new Date('2026-11-16T06:00:00Z'),
}
const plan: BulkPlan = {
  templateId: 't',
  way: 'quick',
  groupId: 'g',
  routeId: null,
  kindId: null,
  name: 'Договор {Номер} с {Компания}',
  ...suggestColumns(columns, variables),
}
const good = ['160440007161', 'A@example.kz; b@example.kz', 'ТОО «Арай»', '17', '1250,50', '2026-11-16']
const planned = (...rows: string[][]) =>
  planRows({
    columns,
    variables,
    facts,
    plan,
    rows: rows.map((cells, i) => ({ number: i + 2, cells, problems: [] })),
  })
const problemsOf = (...cells: string[]) => planned(cells)[0].problems

test('a good row has its name, values and recipient, and no problems', () => {
  expect(planned(good)).toEqual([
    {
      number: 2,
      name: 'Договор 17 с ТОО «Арай»',
      values: {
        Номер: '17',
        Сумма: '1250,50',
        'Сумма прописью': 'одна тысяча двести пятьдесят тенге 50 тиынов',
        Дата: '16.11.2026',
        Город: 'Астана',
        Сегодня: '16.11.2026',
      },
      recipient: {
        bin: '160440007161',
        organizationName: 'ТОО «Арай»',
        emails: ['a@example.kz', 'b@example.kz'],
      },
      route: null,
      problems: [],
    },
  ])
})

describe('a problem is reported with its column', () => {
  const change = (place: number, value: string) => problemsOf(...good.with(place, value))
  test.each([
    [0, '', 'БИН', 'required'],
    [0, '60440007161', 'БИН', 'twelve-digits'],
    [0, '160440007162', 'БИН', 'check-digit'],
    [0, '260140020007', 'БИН', 'recipient-is-own'],
    [1, '', 'Почта', 'required'],
    [1, 'a@example', 'Почта', 'email-incorrect'],
    [1, 'a@example.kz, b', 'Почта', 'email-incorrect'],
    [3, '', 'Номер', 'required'],
    [4, 'сто', 'Сумма', 'number-incorrect'],
    [5, '31.02.2026', 'Дата', 'date-incorrect'],
  ])('column %i with the value "%s"', (place, value, column, problem) => {
    expect(change(place, value)).toEqual(expect.arrayContaining([{ column, problem }]))
  })

  test('a problem is reported once, although its column is used twice', () => {
    const twice = { ...plan, variables: { ...plan.variables, Номер: 'БИН' } }
    const asked = variables.map((one) => (one.name === 'Номер' ? { ...one, type: 'bin' as const } : one))
    const rows = [{ number: 2, cells: good.with(0, '160440007162'), problems: [] }]
    expect(planRows({ columns, variables: asked, facts, plan: twice, rows })[0]?.problems).toEqual([
      { column: 'БИН', problem: 'check-digit' },
    ])
  })

  test('a number may contain spaces', () => {
    expect(change(0, '160 440 007 161')).toEqual([])
    expect(change(4, '1 250 000,50')).toEqual([])
  })

  test('a name that is too long and a cell that could not be read are reported', () => {
    expect(change(2, 'я'.repeat(250))).toContainEqual({ column: '', problem: 'name-too-long' })
    const rows = [
      { number: 2, cells: good.with(4, ''), problems: [{ column: 'Сумма', problem: 'cell-error' as const }] },
    ]
    const [row] = planRows({ columns, variables, facts, plan, rows })
    // One problem, although the empty value is wrong too.
    expect(row.problems.filter(({ column }) => column === 'Сумма')).toEqual([
      { column: 'Сумма', problem: 'cell-error' },
    ])
  })
})

test('a repeated row is reported at its second occurrence, with the number of the first', () => {
  const [first, second, third] = planned(good, good.with(3, '18'), good)
  expect([first.problems, second.problems]).toEqual([[], []])
  expect(third.problems).toEqual([{ column: '', problem: 'duplicate', row: 2 }])
})

test('rows sent along a route need neither a number nor an e-mail of a recipient', () => {
  const rows = [{ number: 2, cells: good.with(0, '').with(1, ''), problems: [] }]
  const [row] = planRows({ columns, variables, facts, rows, plan: { ...plan, way: 'route' } })
  expect([row.recipient, row.problems]).toEqual([null, []])
})

test('in any table, a row without problems has a valid number and every value', () => {
  const cell = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(...good))
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { maxLength: 5 }), (rows) => {
      for (const row of planned(...rows)) {
        if (row.problems.length > 0) continue
        expect(row.recipient!.bin).toMatch(/^\d{12}$/)
        expect(Object.values(row.values)).not.toContain('')
        expect(row.recipient!.emails).not.toEqual([])
      }
    }),
  )
})

describe('a column that names the route', () => {
  const routes = [
    { id: 'r1', name: 'Договоры', isActive: true },
    { id: 'r2', name: 'Акты  сверки', isActive: true },
    { id: 'r3', name: 'Старый', isActive: false },
    { id: 'r4', name: 'Двойной', isActive: true },
    { id: 'r5', name: 'двойной', isActive: true },
    { id: 'r6', name: 'Один из двух', isActive: true },
    { id: 'r7', name: 'Один из двух', isActive: false },
  ]
  const ownPlan: BulkPlan = {
    ...plan,
    way: 'route',
    routeId: null,
    routeColumn: 'Маршрут',
    name: 'Договор {Номер}',
  }
  const rowOf = (text: string, change: Partial<BulkPlan> = {}) =>
    planRows({
      columns: [...columns, 'Маршрут'],
      variables,
      facts,
      routes,
      plan: { ...ownPlan, ...change },
      rows: [{ number: 2, cells: [...good, text], problems: [] }],
    })[0]

  test.each([
    ['договоры ', 'r1'],
    ['Акты сверки', 'r2'],
    ['r4', 'r4'],
    ['Один из двух', 'r6'],
  ])('"%s" finds its route', (text, id) => {
    expect(rowOf(text)).toMatchObject({ route: { id }, problems: [] })
  })

  test.each([
    ['Нет такого', 'route-unknown'],
    ['Старый', 'route-inactive'],
    ['Двойной', 'route-ambiguous'],
    ['', 'required'],
  ])('"%s" is reported as a problem', (text, problem) => {
    expect(rowOf(text)).toMatchObject({ route: null, problems: [{ column: 'Маршрут', problem }] })
  })

  test('a row that names no route goes along the route of the plan, if there is one', () => {
    expect(rowOf('', { routeId: 'r1' })).toMatchObject({ route: null, problems: [] })
  })

  test('the route that was named when sending began counts, even if routes were renamed since', () => {
    const kept = namedRoutesIn(
      [{ route: { id: 'r9', name: 'Договоры' }, cells: ['ДОГОВОРЫ'] }],
      ['Маршрут'],
      {
        routeColumn: 'Маршрут',
      },
    )
    expect(rowOf('Договоры', { namedRoutes: kept })).toMatchObject({ route: { id: 'r9' }, problems: [] })
    expect(rowOf('Акты сверки', { namedRoutes: kept })?.problems).toMatchObject([
      { problem: 'route-unknown' },
    ])
  })

  test('the same row along another route is no duplicate', () => {
    const rows = ['Договоры', 'Акты сверки'].map((text, i) => ({
      number: i + 2,
      cells: [...good, text],
      problems: [],
    }))
    const planned = planRows({
      columns: [...columns, 'Маршрут'],
      variables,
      facts,
      routes,
      plan: ownPlan,
      rows,
    })
    expect(planned.flatMap(({ problems }) => problems)).toEqual([])
  })

  test('is suggested by its heading', () => {
    expect(suggestColumns(['Номер', 'Маршрут'], []).routeColumn).toBe('Маршрут')
    expect(suggestColumns(['Номер', 'Бағыт'], []).routeColumn).toBe('Бағыт')
  })
})
