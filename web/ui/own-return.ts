/**
 * A place to return to, if it is one of our own: resolved as a browser would, and dropped when it leads elsewhere
 * ("//evil", "\\evil", "https:evil", "javascript:", tabs and newlines …).
 */
export function ownReturn(value: string | undefined, origin: string): string | null {
  if (!value || !URL.canParse(value, origin)) return null
  const url = new URL(value, origin)
  const path = url.pathname + url.search + url.hash
  const isOurs = url.origin === origin && url.username === '' && url.password === ''
  return isOurs && !path.startsWith('//') ? path : null
}
