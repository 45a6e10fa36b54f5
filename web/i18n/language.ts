/**
 * The language of the interface: the stored choice, else the browser's, else Russian. The choice is kept in local
 * storage and in a cookie of 365 days, which tells the server and the sign-in service.
 */
import {
  defaultLanguage,
  isLanguage,
  languageCookie,
  languageCookieMaxAge,
  preferredLanguage,
  type Language,
} from '@kelisim/texts/languages.ts'
import type { Namespace } from '@kelisim/texts/resources.ts'
import { translate, type Texts, type Values } from '@kelisim/texts/translate.ts'

/** One file a language and namespace: a page brings its own texts with it, in the language in use. */
const files = import.meta.glob<Texts>('../../texts/*/*.json', { import: 'default' })

/** What the shell itself speaks. */
const always: Namespace[] = ['common', 'errors', 'shell']

let language: Language = defaultLanguage
let loaded: Record<string, Texts> = {}
/** Changes with every text that arrives, so that what is on the screen is drawn anew. */
let state = { language, loaded }
const listeners = new Set<() => void>()

export async function startTexts(namespaces: Namespace[] = always): Promise<void> {
  language = storedLanguage() ?? preferredLanguage(navigator.languages) ?? defaultLanguage
  document.documentElement.lang = language
  await loadTexts(...namespaces)
}

export function currentLanguage(): Language {
  return language
}

/** Called before a page is shown, with the namespaces it speaks. */
export async function loadTexts(...namespaces: Namespace[]): Promise<void> {
  await load(
    language,
    namespaces.filter((namespace) => !(namespace in loaded)),
  )
}

export async function changeLanguage(next: Language): Promise<void> {
  const inUse = Object.keys(loaded) as Namespace[]
  localStorage.setItem(languageCookie, next)
  document.cookie = `${languageCookie}=${next}; path=/; max-age=${languageCookieMaxAge}; samesite=lax`
  await load(next, inUse)
  language = next
  document.documentElement.lang = next
  tell()
}

export function textOf(key: string, values?: Values): string | undefined {
  return translate(loaded, language, key, values)
}

export function onTextsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function textsState(): object {
  return state
}

async function load(wanted: Language, namespaces: Namespace[]): Promise<void> {
  const found = await Promise.all(
    namespaces.map(
      async (namespace) => [namespace, await files[`../../texts/${wanted}/${namespace}.json`]!()] as const,
    ),
  )
  loaded = { ...loaded, ...Object.fromEntries(found) }
  tell()
}

function tell(): void {
  state = { language, loaded }
  for (const listener of listeners) listener()
}

function storedLanguage(): Language | null {
  const cookie = new RegExp(`(?:^|; )${languageCookie}=(\\w+)`).exec(document.cookie)?.[1]
  // The cookie first: the landing and the sign-in service change the choice there.
  const stored = cookie ?? localStorage.getItem(languageCookie)
  return isLanguage(stored) ? stored : null
}
