/** Without zod, because the first part of the site that a browser loads needs it. */

/** Whether the text is written as an id, in letters of either case. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
