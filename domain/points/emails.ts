/** E-mail addresses as people type and paste them: one after the other, with commas, semicolons or spaces between. */
import { Email } from '../fields.ts'

/** Each once, in the order in which they were given; one that is none stays, to be corrected. */
export function splitEmails(given: readonly string[]): string[] {
  const found = given.flatMap((text) => text.split(/[\s,;]+/)).filter((text) => text !== '')
  const seen = new Set<string>()
  return found.filter((email) => {
    const isNew = !seen.has(email.toLowerCase())
    seen.add(email.toLowerCase())
    return isNew
  })
}

/** Whether no address stands twice, in whatever letter case. */
export function areDifferent(emails: readonly string[]): boolean {
  return new Set(emails.map((email) => email.toLowerCase())).size === emails.length
}

export function wrongEmails(emails: readonly string[]): string[] {
  return emails.filter((email) => !Email.safeParse(email).success)
}
