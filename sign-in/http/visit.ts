/** One request of a browser, with what every page needs to know about it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  defaultLanguage,
  isLanguage,
  languageCookie,
  languageCookieMaxAge,
  preferredLanguage,
  type Language,
} from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { Refused } from './refused.ts'
import { minute } from '@kelisim/domain/durations.ts'

export type Visit = {
  request: IncomingMessage
  response: ServerResponse
  /** The address as the person sees it. */
  url: URL
  /** The network address of the browser, for counting. */
  address: string
  language: Language
  t: Texts
  now: Date
  /** Every page of the demo says that it is a demo. */
  isDemo: boolean
}

export type Texts = ReturnType<typeof textsOf<'sign-in'>>

export function textsIn(language: Language): Texts {
  return textsOf(language, 'sign-in')
}

/** The language: from the query, else the previous choice, else the browser's preference. */
export function languageOf(request: IncomingMessage, url: URL): Language {
  const asked = preferredLanguage((url.searchParams.get('ui_locales') ?? '').split(' '))
  const chosen = cookieOf(request, languageCookie)
  const accepted = (request.headers['accept-language'] ?? '').split(',').map((tag) => tag.split(';')[0] ?? '')
  return asked ?? (isLanguage(chosen) ? chosen : null) ?? preferredLanguage(accepted) ?? defaultLanguage
}

/** A language in the address becomes the choice for the whole product. */
export function rememberLanguage({ response, url, language }: Visit): void {
  if (!url.searchParams.has('ui_locales')) return
  const secure = url.protocol === 'https:' ? '; Secure' : ''
  response.appendHeader(
    'Set-Cookie',
    `${languageCookie}=${language}; Path=/; Max-Age=${languageCookieMaxAge}; SameSite=Lax${secure}`,
  )
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([key]) => key === name)?.[1]
}

/**
 * Whether a page of ours submitted this form. Current browsers say so in Sec-Fetch-Site; on plain http (a trial in an
 * office network) they do not, and Origin decides. A request with neither is refused.
 */
export function isOwnForm(request: IncomingMessage, publicUrl: URL): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return request.headers.origin === publicUrl.origin
}

export type Form = { get: (name: string) => string }

const formLimit = 16 * 1024

/** The fields of a form; the body must be small, of the one type our pages send, and repeat no field. */
export async function readForm(request: IncomingMessage, limit = formLimit): Promise<Form> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Refused('bad-request', 415)
  }
  const fields = new URLSearchParams(await readText(request, limit))
  const names = [...fields.keys()]
  const isSound = new Set(names).size === names.length && ![...fields.values()].some((v) => v.includes('\0'))
  if (!isSound) throw new Refused('bad-request', 400)
  return { get: (name) => fields.get(name) ?? '' }
}

export async function readText(request: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > limit) throw new Refused('bad-request', 413)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The minutes to wait, rounded up, for messages. */
export function minutesUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / minute))
}
