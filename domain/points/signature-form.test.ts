import { expect, test } from 'vitest'
import { formOfAll, hasFormChoice, isFormFor, withOneForm } from './signature-form.ts'

const point = (type: Parameters<typeof hasFormChoice>[0], signatureForm: 'cms' | 'pades') => ({
  type,
  signatureForm,
})

test('signing points have a choice; an approval stays inside the organisation', () => {
  expect(hasFormChoice('CompanyInternalSign')).toBe(true)
  expect(hasFormChoice('CounterParty')).toBe(true)
  expect(hasFormChoice('InternalApprove')).toBe(false)
  expect(hasFormChoice('ExternalInformation')).toBe(false)
})

test('a signature can stand inside a PDF only', () => {
  expect(isFormFor('pades', 'pdf')).toBe(true)
  expect(isFormFor('pades', 'docx')).toBe(false)
  expect(isFormFor('cms', 'docx')).toBe(true)
})

test.each([
  [[point('CompanyInternalSign', 'cms'), point('ExternalSign', 'cms')], 'cms'],
  [[point('CompanyInternalSign', 'cms'), point('ExternalSign', 'pades')], 'pades'],
  [[point('InternalApprove', 'pades'), point('ExternalSign', 'cms')], 'cms'],
  [[], 'cms'],
] as const)('one point that asks for it decides for all: %#', (points, form) => {
  expect(formOfAll(points)).toBe(form)
})

test('approvals keep their own form', () => {
  const all = [
    point('InternalApprove', 'cms'),
    point('CompanyInternalSign', 'cms'),
    point('ExternalSign', 'pades'),
  ]
  expect(withOneForm(all).map(({ signatureForm }) => signatureForm)).toEqual(['cms', 'pades', 'pades'])
})
