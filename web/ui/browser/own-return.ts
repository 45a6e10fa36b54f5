/**
 * A way back leads only to a page of ours. Whatever a browser could read as another place, or as
 * a call instead of a page, is dropped rather than repaired.
 */
const longest = 2000
const calls = /^\/(api|api-user|connect|health|assets)(\/|$)/i

export function ownReturn(value: string | undefined, origin: string): string | null {
  if (value === undefined || value.length > longest) return null
  // Browsers skip tabs and newlines and take "\" for "/": an honest address holds none of them.
  if (/[\s\\\u0000-\u001f\u007f]/.test(value)) return null
  const isPath = value.startsWith('/') && !value.startsWith('//')
  if (!isPath && !value.startsWith(`${origin}/`)) return null
  if (!URL.canParse(value, origin)) return null
  const url = new URL(value, origin)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return null
  // "/x/..//evil" resolves to "//evil" here, but leads away when used as an address.
  if (url.pathname.startsWith('//') || calls.test(url.pathname)) return null
  return url.pathname + url.search + url.hash
}
