/** What the form and the server both hold a message against; without the library, for a page that has to be light. */
export const longestMessage = 2000

/** A quick check before sending; the server checks with `Email` of fields.ts. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim())
}

/** As people write numbers: digits, with the signs that part them; as many as a country and its subscribers need. */
export function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  return /^\+?[\d\s()-]+$/.test(text.trim()) && digits >= 10 && digits <= 15
}
