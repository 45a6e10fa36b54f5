import type { KnownApplication } from './clients.ts'

export type ReturnPlace = { application: KnownApplication; path: string }

/**
 * Where `returnApp` leads: an address at one of the known applications, or null. The text must begin with the
 * origin letter by letter and still have that origin once parsed, so that no trick of either reading (user
 * names, back slashes, tabs, `//host` as a path) brings a person to somebody else.
 */
export function returnPlace(value: string, applications: readonly KnownApplication[]): ReturnPlace | null {
  if (!isPlain(value)) return null
  const application = applications.find(({ origin }) => value === origin || value.startsWith(`${origin}/`))
  if (!application || !URL.canParse(value)) return null
  const { origin, username, password, pathname, search, hash } = new URL(value)
  if (origin !== application.origin || username || password || pathname.startsWith('//')) return null
  return { application, path: `${pathname}${search}${hash}` }
}

/** Printable ASCII without the back slash, which browsers read as a slash. */
function isPlain(value: string): boolean {
  return value.length <= 2000 && /^[!-[\]-~]+$/.test(value)
}
