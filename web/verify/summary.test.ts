import { expect, test } from 'vitest'
import type { CheckOutcome, Group } from './checking/report.ts'
import { summaryOf, unaskedText } from './summary.ts'
import type { T } from './wording.ts'

const t = ((key: string, values?: { names: string }) => (values ? `${key}: ${values.names}` : key)) as T
const group = (outcome: CheckOutcome, name = 'a.pdf') => ({ outcome, documents: [{ name }] }) as Group
const told = (...outcomes: CheckOutcome[]) => {
  const summary = summaryOf(
    outcomes.map((outcome, i) => group(outcome, `${i}.pdf`)),
    t,
  )
  return summary && [summary.outcome, summary.sentence, summary.meaning]
}

test('a single verdict has no summary', () => {
  expect(told('valid')).toBeNull()
})

test('an unsigned document is named, and the summary is not valid', () => {
  expect(told('valid', 'unsigned', 'inside')).toEqual([
    'incomplete',
    'summary.partly',
    'summary.names: 1.pdf summary.rely summary.below',
  ])
  expect(told('invalid', 'unsigned')).toEqual([
    'invalid',
    'summary.invalid',
    'summary.names: 1.pdf summary.below',
  ])
})

test('the summary is the gravest of all verdicts', () => {
  expect(told('valid', 'valid')).toEqual(['valid', 'summary.valid', 'summary.below'])
  expect(told('valid', 'later', 'invalid')?.[0]).toBe('invalid')
  expect(told('valid', 'inside')?.[0]).toBe('inside')
  expect(told('unsigned', 'unsigned')).toEqual(['unsigned', 'summary.unsigned', 'summary.below'])
})

test('what could not be asked online is named, and nothing if all was asked', () => {
  expect(unaskedText({}, t)).toBeNull()
  expect(unaskedText({ unasked: { revocation: false, trustKeptAt: null } }, t)).toBeNull()
  expect(unaskedText({ unasked: { revocation: true, trustKeptAt: null } }, t)).toBe(
    'offline.title offline.revocation offline.again',
  )
  expect(unaskedText({ unasked: { revocation: false, trustKeptAt: new Date() } }, t)).toContain(
    'offline.trust',
  )
})
