/**
 * Checks an address to return to, which must be a page of this site. Anything that a browser could read as another
 * site or as an API call is dropped, not repaired.
 */
const longest = 2000
const calls = /^\/(api|api-user|connect|health|assets)(\/|$)/i

export function ownReturn(value: string | undefined, origin: string): string | null {
  if (value === undefined || value.length > longest) return null
  // Browsers skip tabs and newlines and read "\" as "/", so an address with any of these is refused.
  if (/[\s\\\u0000-\u001f\u007f]/.test(value)) return null
  const isPath = value.startsWith('/') && !value.startsWith('//')
  if (!isPath && !value.startsWith(`${origin}/`)) return null
  if (!URL.canParse(value, origin)) return null
  const url = new URL(value, origin)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return null
  // "/x/..//evil" resolves to "//evil", which would leave the site.
  if (url.pathname.startsWith('//') || calls.test(url.pathname)) return null
  return url.pathname + url.search + url.hash
}
