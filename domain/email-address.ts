/** Checks of e-mail addresses; without zod, to keep the landing small. `Email` of fields.ts parses what is stored. */

export const longestEmail = 254

/** Tells an address from a number or a name. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text)
}

/** A quick check of what a person types: the address has a domain of the internet. */
export function looksLikeInternetEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim())
}

const email =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** For lists of thousands of addresses in lower case. */
export function isEmail(text: string): boolean {
  return email.test(text) && text.length <= longestEmail && !text.includes('..')
}
