/** E-mail addresses as people type and paste them: separated by commas, semicolons or spaces. */
import { Email } from '../fields.ts'

/** Each address once, in the given order; texts that are no addresses stay, so that people can correct them. */
export function splitEmails(given: readonly string[]): string[] {
  const found = given.flatMap((text) => text.split(/[\s,;]+/)).filter((text) => text !== '')
  const seen = new Set<string>()
  return found.filter((email) => {
    const isNew = !seen.has(email.toLowerCase())
    seen.add(email.toLowerCase())
    return isNew
  })
}

/** Whether no address occurs twice, regardless of case. */
export function areDifferent(emails: readonly string[]): boolean {
  return new Set(emails.map((email) => email.toLowerCase())).size === emails.length
}

export function wrongEmails(emails: readonly string[]): string[] {
  return emails.filter((email) => !Email.safeParse(email).success)
}
