/** Russian is the default and the fallback (docs/product/interface.md). */
export const languages = ['ru', 'kk', 'en'] as const
export type Language = (typeof languages)[number]
export const defaultLanguage: Language = 'ru'

/** Each language by its own name, for whoever does not read the language of the page. */
export const languageNames: Record<Language, string> = { ru: 'Русский', kk: 'Қазақша', en: 'English' }
export const languageCodes: Record<Language, string> = { ru: 'РУС', kk: 'ҚАЗ', en: 'ENG' }

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language)
}

/** The best of our languages for an Accept-Language header or navigator.languages; null when none fits. */
export function preferredLanguage(accepted: readonly string[]): Language | null {
  for (const tag of accepted) {
    const base = tag.trim().slice(0, 2).toLowerCase()
    if (isLanguage(base)) return base
  }
  return null
}

/** The cookie that carries the choice to the server; kept for 365 days. */
export const languageCookie = 'locale'
export const languageCookieMaxAge = 365 * 24 * 60 * 60
