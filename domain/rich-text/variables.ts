/**
 * Variables of templates: some are filled in by the person who makes a document, others automatically. A value is
 * stored in the form shown in the document.
 */
import { dateInAlmaty, shownDate } from '../calendar.ts'
import { hasRightCheckDigit, isTwelveDigits } from '../numbers.ts'

/** The kinds that people fill in, then the kinds that are filled automatically. */
export const askedKinds = ['text', 'number', 'date', 'bin'] as const
export const knownKinds = ['organization', 'organizationBin', 'author', 'today'] as const
export const variableKinds = [...askedKinds, ...knownKinds] as const
export type VariableKind = (typeof variableKinds)[number]

export const longestVariableName = 100
export const longestValue = 1000

/** The values of automatic variables. */
export type Facts = { organization: string; organizationBin: string; author: string; today: Date }

/** The initial value of a variable: the default of the template, or the automatic value. */
export function usualValue(kind: VariableKind, usual: string, facts: Facts): string {
  switch (kind) {
    case 'organization':
      return facts.organization
    case 'organizationBin':
      return facts.organizationBin
    case 'author':
      return facts.author
    case 'today':
      return shownDate(dateInAlmaty(facts.today))
    case 'text':
    case 'number':
    case 'date':
    case 'bin':
      return usual
  }
}

export type ValueProblem =
  | 'required'
  | 'too-long'
  | 'number-incorrect'
  | 'date-incorrect'
  | 'twelve-digits'
  | 'check-digit'

/** The fault of a value, or null. */
export function whyNotValue(kind: VariableKind, value: string): ValueProblem | null {
  const text = value.trim()
  if (text === '') return 'required'
  if (text.length > longestValue) return 'too-long'
  switch (kind) {
    case 'number':
      return isNumber(text) ? null : 'number-incorrect'
    case 'date':
    case 'today':
      return isDate(text) ? null : 'date-incorrect'
    case 'bin':
    case 'organizationBin': {
      const digits = text.replaceAll(/\s/g, '')
      if (!isTwelveDigits(digits)) return 'twelve-digits'
      return hasRightCheckDigit(digits) ? null : 'check-digit'
    }
    case 'text':
    case 'organization':
    case 'author':
      return null
  }
}

/** 1 250 000,50: with or without thousands separators, with a comma or a point. */
function isNumber(text: string): boolean {
  return /^-?(\d+|\d{1,3}([ \u00a0\u202f]\d{3})+)([.,]\d+)?$/.test(text)
}

/** DD.MM.YYYY, an existing date. */
function isDate(text: string): boolean {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? []
  if (!day || !month || !year) return false
  const moment = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.getUTCDate() === Number(day)
}
