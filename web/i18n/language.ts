/**
 * The language of the interface: the stored choice, else the browser's, else Russian. The choice is kept in local
 * storage and in a cookie of 365 days, which tells the server and the sign-in service.
 */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import {
  defaultLanguage,
  isLanguage,
  languageCookie,
  languageCookieMaxAge,
  preferredLanguage,
  type Language,
} from '@kelisim/texts/languages.ts'
import '@kelisim/texts/resources.ts'

/** One chunk a language: only the one in use is loaded. */
const loaders: Record<Language, () => Promise<{ texts: Record<string, object> }>> = {
  ru: () => import('./ru.ts'),
  kk: () => import('./kk.ts'),
  en: () => import('./en.ts'),
}

export async function startTexts(): Promise<void> {
  const language = storedLanguage() ?? preferredLanguage(navigator.languages) ?? defaultLanguage
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'common',
    resources: { [language]: (await loaders[language]()).texts },
    interpolation: { escapeValue: false }, // React escapes
    react: { useSuspense: false },
  })
  document.documentElement.lang = language
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : defaultLanguage
}

export async function changeLanguage(language: Language): Promise<void> {
  const { texts } = await loaders[language]()
  for (const [namespace, values] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, values)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  localStorage.setItem(languageCookie, language)
  document.cookie = `${languageCookie}=${language}; path=/; max-age=${languageCookieMaxAge}; samesite=lax`
}

function storedLanguage(): Language | null {
  const cookie = new RegExp(`(?:^|; )${languageCookie}=(\\w+)`).exec(document.cookie)?.[1]
  // The cookie first: the landing and the sign-in service change the choice there.
  const stored = cookie ?? localStorage.getItem(languageCookie)
  return isLanguage(stored) ? stored : null
}
