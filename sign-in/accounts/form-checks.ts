/** Validation of form fields; each check returns the key of a text under `flaw`, or null. */
import { Email } from '@kelisim/domain/fields.ts'
import { unseenCharacters } from '@kelisim/domain/visible-text.ts'
import { flawOf, type PasswordFlaw } from './password-rules.ts'

export function emailFlaw(email: string): 'email-missing' | 'email-malformed' | null {
  if (email === '') return 'email-missing'
  return Email.safeParse(email).success ? null : 'email-malformed'
}

export function fullNameFlaw(fullName: string): 'full-name-missing' | 'full-name-too-long' | null {
  if (!/\p{L}/u.test(fullName)) return 'full-name-missing'
  return Array.from(fullName).length > 200 ? 'full-name-too-long' : null
}

export function newPasswordFlaw(password: string, email: string): PasswordFlaw | 'password-missing' | null {
  return password === '' ? 'password-missing' : flawOf(password, email)
}

/**
 * Makes the name one line with single spaces and without invisible characters, because others read it as the sender's
 * name.
 */
export function tidyName(fullName: string): string {
  return fullName.normalize('NFC').replaceAll(unseenCharacters, ' ').replaceAll(/\s+/g, ' ').trim()
}
