/** Texts for whatever is made on the server: answers, e-mails, the pages of the sign-in service, PDFs. */
import { readdirSync, readFileSync } from 'node:fs'
import { createInstance, type ResourceLanguage, type TFunction } from 'i18next'
import { languages, type Language } from './languages.ts'
import type { Namespace } from './resources.ts'

const i18n = createInstance()

void i18n.init({
  initAsync: false,
  fallbackLng: 'ru',
  resources: Object.fromEntries(languages.map((language) => [language, readTexts(language)])),
  interpolation: { escapeValue: false }, // each output escapes for itself
})

export function textsOf<N extends Namespace>(language: Language, namespace: N): TFunction<N> {
  return i18n.getFixedT(language, namespace)
}

function readTexts(language: Language): ResourceLanguage {
  const folder = new URL(`./${language}/`, import.meta.url)
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object,
    ]),
  )
}
