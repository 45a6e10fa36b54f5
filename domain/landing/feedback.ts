/** Checks shared by the form and the server; without zod, to keep the landing small. */
export const longestMessage = 2000

/** A quick check before sending; the server checks with `Email` of fields.ts. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim())
}

/** Digits with the usual separators, as many as an international number has. */
export function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  return /^\+?[\d\s()-]+$/.test(text.trim()) && digits >= 10 && digits <= 15
}
