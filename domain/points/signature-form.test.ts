import { expect, test } from 'vitest'
import {
  formOfAll,
  formsWanted,
  hasFormChoice,
  isFormFor,
  withOneForm,
  type SignatureForm,
} from './signature-form.ts'

const point = (type: Parameters<typeof hasFormChoice>[0], signatureForm: SignatureForm) => ({
  type,
  signatureForm,
})

test('signing points have a choice of the signature form; approvals and information points have none', () => {
  expect(hasFormChoice('CompanyInternalSign')).toBe(true)
  expect(hasFormChoice('CounterParty')).toBe(true)
  expect(hasFormChoice('InternalApprove')).toBe(false)
  expect(hasFormChoice('ExternalInformation')).toBe(false)
})

test('a signature can stand inside a PDF or an XML document only', () => {
  expect(isFormFor('xades', 'xml')).toBe(true)
  expect(isFormFor('xades', 'pdf')).toBe(false)
  expect(isFormFor('pades', 'xml')).toBe(false)
  expect(isFormFor('cms', 'xml')).toBe(true)
  expect(isFormFor('pades', 'pdf')).toBe(true)
  expect(isFormFor('pades', 'docx')).toBe(false)
  expect(isFormFor('cms', 'docx')).toBe(true)
})

test.each([
  [[point('CompanyInternalSign', 'cms'), point('ExternalSign', 'cms')], 'cms'],
  [[point('CompanyInternalSign', 'cms'), point('ExternalSign', 'pades')], 'pades'],
  [[point('InternalApprove', 'pades'), point('ExternalSign', 'cms')], 'cms'],
  [[], 'cms'],
] as const)('one signing point that asks for a form decides for all: %#', (points, form) => {
  expect(formOfAll(points)).toBe(form)
})

test('all forms that the signing points of a route want are listed', () => {
  const points = [point('CompanyInternalSign', 'pades'), point('ExternalSign', 'xades')]
  expect(formsWanted(points)).toEqual(['pades', 'xades'])
  expect(formsWanted([...points.slice(1), point('InternalApprove', 'pades')])).toEqual(['xades'])
})

test('approvals keep their own form', () => {
  const all = [
    point('InternalApprove', 'cms'),
    point('CompanyInternalSign', 'cms'),
    point('ExternalSign', 'pades'),
  ]
  expect(withOneForm(all).map(({ signatureForm }) => signatureForm)).toEqual(['cms', 'pades', 'pades'])
})
