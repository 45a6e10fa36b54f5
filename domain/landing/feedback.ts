/** Checks shared by the form and the server; without zod, to keep the landing small. */
export const longestMessage = 2000

/** Digits with the usual separators, as many as an international number has. */
export function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  return /^\+?[\d\s()-]+$/.test(text.trim()) && digits >= 10 && digits <= 15
}
