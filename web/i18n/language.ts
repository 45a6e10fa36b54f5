/**
 * The language of the interface: the stored choice, else the browser's, else Russian. The choice is kept in local
 * storage and in a cookie of 365 days, which the server and the sign-in service read.
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

/** One file for each language and namespace: a page loads its own texts in the current language. */
const files = import.meta.glob<Texts>('../../texts/*/*.json', { import: 'default' })

/** The namespaces of the shell. */
const always: Namespace[] = ['common', 'errors', 'shell']

let language: Language = defaultLanguage
let loaded: Record<string, Texts> = {}
/** A new object after every load of texts, so that components render again. */
let state = { language, loaded }
const listeners = new Set<() => void>()

/** `ofPage`: the language of a page whose HTML was rendered beforehand. */
export async function startTexts(namespaces: Namespace[] = always, ofPage?: string): Promise<void> {
  language = isLanguage(ofPage)
    ? ofPage
    : (storedLanguage() ?? preferredLanguage(navigator.languages) ?? defaultLanguage)
  document.documentElement.lang = language
  await loadTexts(...namespaces)
}

export function currentLanguage(): Language {
  return language
}

/** Called before a page is shown, with the namespaces it uses. */
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
  notifyListeners()
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
  notifyListeners()
}

function notifyListeners(): void {
  state = { language, loaded }
  for (const listener of listeners) listener()
}

function storedLanguage(): Language | null {
  const cookie = new RegExp(`(?:^|; )${languageCookie}=(\\w+)`).exec(document.cookie)?.[1]
  // The cookie first, because the landing and the sign-in service change the choice there.
  const stored = cookie ?? localStorage.getItem(languageCookie)
  return isLanguage(stored) ? stored : null
}
