/** Does not use zod, because the first chunk that a browser loads needs this file. */

/** Whether the text is written as an id, in letters of either case. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
