/**
 * The skeleton of the application, its header and menu, which the server sends before any script runs. Two cookies
 * say how it looked last: they only choose a variant of the skeleton and give access to nothing.
 */
import { hour, minute, yearInSeconds } from './durations.ts'

/** The rights on which the entries of the menu depend. */
export type MenuRights = {
  isOwner: boolean
  editPoints: boolean
  editRoutes: boolean
  isQuickRequestAllowed: boolean
}

export const sectionNames = ['documents', 'routes', 'points', 'classifiers', 'options', 'help'] as const
export type SectionName = (typeof sectionNames)[number]

/** The chosen theme, unless it follows the system. */
export const themeCookie = 'theme'
export const fixedThemes = ['light', 'dark'] as const
export type FixedTheme = (typeof fixedThemes)[number]

export function fixedTheme(value: string | undefined): FixedTheme | null {
  return fixedThemes.find((theme) => theme === value) ?? null
}

/** The rights with which the menu was last shown, and when. */
export const shellCookie = 'shell'
export const shellCookieMaxAge = yearInSeconds

const rightsInOrder = ['isOwner', 'editPoints', 'editRoutes', 'isQuickRequestAllowed'] as const

/** Rights as one number, which names a variant of the menu. */
export function menuMask(rights: MenuRights): number {
  return rightsInOrder.reduce((mask, right, bit) => (rights[right] ? mask | (1 << bit) : mask), 0)
}

/** Every combination of rights; the index is its number. */
export const allMenuRights: readonly MenuRights[] = Array.from(
  { length: 1 << rightsInOrder.length },
  (_, mask) =>
    Object.fromEntries(rightsInOrder.map((right, bit) => [right, (mask & (1 << bit)) !== 0])) as MenuRights,
)

export function shellHint(mask: number, now: Date): string {
  return `${mask}-${Math.floor(now.getTime() / minute)}`
}

/**
 * The number of the variant, or null if there is none or it is older than half a day: the session has then probably
 * ended, and the menu would be shown to somebody who is about to sign in.
 */
export function readShellHint(value: string | undefined, now: Date): number | null {
  const hint = parseHint(value)
  if (!hint) return null
  const age = now.getTime() - hint.seenAt
  return age >= -hour && age < 12 * hour ? hint.mask : null
}

/** The hint with a new time, after somebody has signed in; null if this browser has never shown the menu. */
export function renewedShellHint(value: string | undefined, now: Date): string | null {
  const hint = parseHint(value)
  return hint && shellHint(hint.mask, now)
}

function parseHint(value: string | undefined): { mask: number; seenAt: number } | null {
  const [, mask, minutes] = /^(\d{1,2})-(\d{1,10})$/.exec(value ?? '') ?? []
  if (mask === undefined || Number(mask) >= allMenuRights.length) return null
  return { mask: Number(mask), seenAt: Number(minutes) * minute }
}

const sectionsOfPages: Record<string, SectionName> = {
  today: 'documents',
  insight: 'documents',
  signingrequests: 'documents',
  documents: 'documents',
  'document-templates': 'documents',
  journals: 'documents',
  bulk: 'documents',
  campaigns: 'documents',
  signaturepointsroutes: 'routes',
  signaturepointsroutetemplates: 'routes',
  points: 'points',
  classificators: 'classifiers',
  options: 'options',
  frame: 'help',
}

/** The section of a page, which is open in the menu. */
export function sectionOfPage(path: string): SectionName | null {
  const first = path.toLowerCase().split('/')[1] ?? ''
  return Object.hasOwn(sectionsOfPages, first) ? sectionsOfPages[first]! : null
}

/** The section of a page with the menu; null for pages without it. */
export function shellSectionOf(path: string): SectionName | null {
  return withoutMenu.test(path) ? null : sectionOfPage(path)
}

const withoutMenu = /^\/(frame(\/|$)|signingRequests\/?(redirect|outsider|$))/i
