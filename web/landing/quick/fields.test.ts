import { expect, test } from 'vitest'
import { fieldProblem, problemsFromServer } from './fields.ts'

test.each([
  ['senderEmail', 'a@b.kz', null],
  ['senderEmail', 'a@', 'errors.email-incorrect'],
  ['senderPhone', '+7 700 000 00 00', null],
  ['senderPhone', '12', 'errors.phone-incorrect'],
  ['recipientBin', '12345', 'errors.twelve-digits'],
  ['recipientBin', '123456789012', 'errors.check-digit'],
  ['recipientBin', ' ', 'errors.required'],
] as const)('the problem of the field %s with "%s"', (name, text, problem) => {
  expect(fieldProblem(name, text)).toBe(problem)
})

test('problems reported by the server are shown at their fields', () => {
  const fields = [
    { path: 'fileName', code: 'max-length' },
    { path: 'recipientBin', code: 'check-digit' },
    { path: 'language', code: 'required' },
  ]
  expect(problemsFromServer({ parameters: { fields } })).toEqual([
    ['file', 'errors.incorrect'],
    ['recipientBin', 'errors.check-digit'],
  ])
})
