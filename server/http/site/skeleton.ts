/** What the server draws into the page of the application before any script runs (docs/decisions/029-the-frame-before-scripts.md). */
import type { FastifyRequest } from 'fastify'
import {
  fixedTheme,
  readShellHint,
  shellCookie,
  shellSectionOf,
  themeCookie,
  type SectionName,
} from '@kelisim/domain/shell.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { languageOf } from '../language.ts'

/** The frame of the application by language and open section, as the build has drawn it (web/shell/skeleton). */
export type Skeletons = {
  css: string
  html: Record<Language, Record<SectionName, string>>
  /** Links by which the browser preloads the fonts of a language. */
  fonts: Record<Language, string>
}

/**
 * The header and the menu, shown before any script runs. Only somebody who has worked here lately gets them: whoever
 * is about to sign in, or has no account, must not see a menu that is not theirs.
 */
export function skeletonFor(request: FastifyRequest, { css, html }: Skeletons, now: Date): string {
  const path = request.url.split('?')[0]!.toLowerCase()
  const section = shellSectionOf(path)
  const mask = readShellHint(request.cookies[shellCookie], now)
  if (section === null || mask === null) return ''
  const drawn = html[languageOf(request)][section]
  const here = /^[\w/-]+$/.test(path) ? drawn.replace(`data-to="${path}"`, 'data-current') : drawn
  return `<div id="shell-skeleton" aria-hidden="true" inert data-rights="${mask}"><style nonce="__NONCE__">${css}</style>${here}</div>`
}

/** The component library reads the chosen theme from this attribute, too. */
export function themeAttribute(request: FastifyRequest): string {
  const theme = fixedTheme(request.cookies[themeCookie])
  return theme === null ? '' : ` data-mantine-color-scheme="${theme}"`
}
