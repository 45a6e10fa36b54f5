import type { KnownApplication } from './clients.ts'

export type ReturnPlace = { application: KnownApplication; path: string }

/**
 * The target of `returnApp`: an address at one of the known applications, or null. The text must start with the exact
 * origin and still have that origin once parsed, so that no parsing trick (user names, backslashes, tabs, `//host` as a
 * path) leads to another site.
 */
export function returnPlace(value: string, applications: readonly KnownApplication[]): ReturnPlace | null {
  if (!isPlain(value)) return null
  const application = applications.find(({ origin }) => value === origin || value.startsWith(`${origin}/`))
  if (!application || !URL.canParse(value)) return null
  const { origin, username, password, pathname, search, hash } = new URL(value)
  if (origin !== application.origin || username || password || pathname.startsWith('//')) return null
  return { application, path: `${pathname}${search}${hash}` }
}

/** Printable ASCII without the backslash, which browsers read as a slash. */
function isPlain(value: string): boolean {
  return value.length <= 2000 && /^[!-[\]-~]+$/.test(value)
}
