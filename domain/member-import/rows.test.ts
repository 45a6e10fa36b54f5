import { expect, test } from 'vitest'
import { columnsOf, peopleIn, type ImportFacts } from './rows.ts'

const columns = ['Электронная почта', 'ФИО', 'ИИН', 'Группы', 'Оклад']
const facts: ImportFacts = {
  groups: [
    { id: 'g1', name: 'Бухгалтерия' },
    { id: 'g2', name: 'Отдел  кадров' },
  ],
  members: [{ email: 'here@example.kz', iin: '850101300114' }],
  invited: ['waiting@example.kz'],
}
const row = (number: number, ...cells: string[]) => ({ number, cells, problems: [] })
const problemsOf = (...cells: string[]) =>
  peopleIn(columns, [row(2, ...cells)], facts).flatMap(({ problems }) =>
    problems.map(({ field, problem }) => `${field} ${problem}`),
  )

test.each([
  [columns, ['Электронная почта', 'ФИО', 'ИИН', 'Группы']],
  [
    ['Топтар', 'Пошта', 'Аты-жөні', 'ЖСН'],
    ['Пошта', 'Аты-жөні', 'ЖСН', 'Топтар'],
  ],
  [
    ['Full name', 'E-mail'],
    ['E-mail', 'Full name', null, null],
  ],
])('columns are found by their headings: %j', (given, [email, name, iin, groups]) =>
  expect(columnsOf(given)).toEqual({ email, name, iin, groups }),
)

test('a good row says whom to invite into which groups, ignoring case and spaces', () => {
  const [person] = peopleIn(
    columns,
    [row(2, ' New@Example.kz ', 'Асан', '', 'бухгалтерия; ОТДЕЛ кадров, Бухгалтерия')],
    facts,
  )
  expect(person).toMatchObject({ email: 'new@example.kz', groupIds: ['g1', 'g2'], problems: [] })
})

test.each([
  ['no address', ['', '', '', ''], ['email required']],
  ['a wrong address', ['a@b', '', '', ''], ['email email-incorrect']],
  ['too few digits', ['a@example.kz', '', '8501', ''], ['iin twelve-digits']],
  ['a wrong check digit', ['a@example.kz', '', '850101300115', ''], ['iin check-digit']],
  ['a BIN', ['a@example.kz', '', '160440007161', ''], ['iin iin-of-organization']],
  ['a group that is not there', ['a@example.kz', '', '', 'Склад'], ['groups group-unknown']],
  ['the address of a member', ['here@example.kz', '', '', ''], ['email already-member']],
  ['the number of a member', ['a@example.kz', '', '850101300114', ''], ['iin already-member']],
  ['an open invitation', ['WAITING@example.kz', '', '', ''], ['email already-invited']],
  ['several', ['', '', '1', 'Склад'], ['email required', 'iin twelve-digits', 'groups group-unknown']],
])('the problem of a row with %s', (_, cells, expected) => expect(problemsOf(...cells)).toEqual(expected))

test('a second row with the same address is reported with the number of the first', () => {
  const people = peopleIn(
    columns,
    [row(2, 'a@example.kz'), row(3, 'b@example.kz'), row(4, 'A@example.kz')],
    facts,
  )
  expect(people.map(({ problems }) => problems)).toEqual([
    [],
    [],
    [{ field: 'email', problem: 'duplicate', row: 2 }],
  ])
})

test('an unreadable cell has only that problem, and unreadable cells of unused columns are ignored', () => {
  const problems = [
    { column: 'Электронная почта', problem: 'cell-error' },
    { column: 'Оклад', problem: 'cell-error' },
  ] as const
  const [person] = peopleIn(columns, [{ number: 2, cells: ['', '', '', '', ''], problems }], facts)
  expect(person.problems).toEqual([{ field: 'email', problem: 'cell-error' }])
})
