/** Texts for what is made on the server: responses, e-mails, the pages of the sign-in service, PDFs. */
import { readdirSync, readFileSync } from 'node:fs'
import { languages, type Language } from './languages.ts'
import type { Namespace } from './resources.ts'
import { translate, type Text, type Texts } from './translate.ts'

const all = Object.fromEntries(languages.map((language) => [language, readTexts(language)])) as Record<
  Language,
  Texts
>

export function textsOf<N extends Namespace>(language: Language, namespace: N): Text<N> {
  return (key, values) => {
    const full = key.includes(':') ? key : `${namespace}:${key}`
    return translate(all[language], language, full, values) ?? key
  }
}

function readTexts(language: Language): Texts {
  const folder = new URL(`./${language}/`, import.meta.url)
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Texts,
    ]),
  )
}
