/**
 * Accepts only return addresses at the own origin: the value is resolved as a browser would do it, and anything that
 * leads elsewhere is dropped ("//evil", "\\evil", "https:evil", "javascript:", tabs and newlines …).
 */
export function ownPath(value: unknown, publicUrl: URL): string | null {
  if (typeof value !== 'string' || value === '' || value.length > 2000) return null
  if (!URL.canParse(value, publicUrl)) return null
  const url = new URL(value, publicUrl)
  if (url.origin !== publicUrl.origin || url.username !== '' || url.password !== '') return null
  const path = url.pathname + url.search + url.hash
  // "/x/..//evil" resolves to "//evil" at the own origin, but would leave it when used as a location.
  const leavesUs = path.startsWith('//') || path.startsWith('/\\')
  // Percent-encoding takes three characters for each byte outside ASCII; the path must still fit into a cookie.
  return leavesUs || path.length > 2000 ? null : path
}
