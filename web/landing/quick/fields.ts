/** The fields of the form for sending without an account, and their checks. */
import { hasRightCheckDigit, isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { isPhone } from '@kelisim/domain/landing/feedback.ts'
import { looksLikeInternetEmail } from '@kelisim/domain/email-address.ts'
import type { ApiError } from '../../api/api.ts'
import type { KeyOf } from '../../i18n/use-texts.ts'

export const fieldNames = ['senderEmail', 'senderPhone', 'recipientBin', 'recipientEmail'] as const
export type FieldName = (typeof fieldNames)[number]
export type FieldValues = Record<FieldName, string>

/** In the order of the form, so that the first one with a problem gets the focus. */
export const places = ['file', ...fieldNames, 'consent', 'captcha'] as const
export type FormPlace = (typeof places)[number]

export type ErrorKey = KeyOf<'landing-quick-send'> & `errors.${string}`

const rules: Record<FieldName, (text: string) => ErrorKey | null> = {
  senderEmail: emailProblem,
  senderPhone: (text) => (isPhone(text) ? null : 'errors.phone-incorrect'),
  recipientBin: numberProblem,
  recipientEmail: emailProblem,
}

export function fieldProblem(name: FieldName, text: string): ErrorKey | null {
  return text.trim() === '' ? 'errors.required' : rules[name](text)
}

function emailProblem(text: string): ErrorKey | null {
  return looksLikeInternetEmail(text) ? null : 'errors.email-incorrect'
}

function numberProblem(text: string): ErrorKey | null {
  if (!isTwelveDigits(text)) return 'errors.twelve-digits'
  return hasRightCheckDigit(text) ? null : 'errors.check-digit'
}

const codesOfServer = [
  'required',
  'email-incorrect',
  'phone-incorrect',
  'twelve-digits',
  'check-digit',
] as const

/**
 * The problems that the server found, by place of the form; problems of values that the form does not show are left
 * out.
 */
export function problemsFromServer({
  parameters,
}: Pick<ApiError, 'parameters'>): [place: FormPlace, key: ErrorKey][] {
  const fields = parameters['fields'] as { path: string; code: string }[]
  return fields.flatMap(({ path, code }) => {
    const place = places.find((name) => name === (path === 'fileName' ? 'file' : path))
    const known = codesOfServer.find((name) => name === code)
    return place ? [[place, known ? `errors.${known}` : 'errors.incorrect']] : []
  })
}
