import { expect, test } from 'vitest'
import { usualValue, variableKinds, whyNotValue, type ValueProblem, type VariableKind } from './variables.ts'

test.each<[VariableKind, string, ValueProblem | null]>([
  ['text', 'Пшеница', null],
  ['text', '   ', 'required'],
  ['text', 'я'.repeat(1001), 'too-long'],
  ['number', '98500', null],
  ['number', '1 250 000,50', null],
  ['number', '-3.5', null],
  ['number', '1 25', 'number-incorrect'],
  ['number', 'сто', 'number-incorrect'],
  ['date', '29.02.2028', null],
  ['date', '29.02.2027', 'date-incorrect'],
  ['date', '31.11.2026', 'date-incorrect'],
  ['date', '2026-11-15', 'date-incorrect'],
  ['today', '15.11.2026', null],
  ['bin', '12', 'twelve-digits'],
  ['bin', '123456789012', 'check-digit'],
  ['bin', '1234 5678 9013', null],
  ['organization', '', 'required'],
  ['author', 'Айгерім Серікова', null],
])('%s %j: %s', (kind, value, problem) => {
  expect(whyNotValue(kind, value)).toBe(problem)
})

test('automatic variables have known values, others the default of the template', () => {
  const facts = {
    organization: 'ТОО «Алтын Дала»',
    organizationBin: '240540000013',
    author: 'Айгерім',
    today: new Date('2026-11-14T20:00:00Z'), // already the next day in Almaty
  }
  const filled = Object.fromEntries(variableKinds.map((kind) => [kind, usualValue(kind, 'обычно', facts)]))
  expect(filled).toEqual({
    text: 'обычно',
    number: 'обычно',
    date: 'обычно',
    bin: 'обычно',
    organization: 'ТОО «Алтын Дала»',
    organizationBin: '240540000013',
    author: 'Айгерім',
    today: '15.11.2026',
  })
})
