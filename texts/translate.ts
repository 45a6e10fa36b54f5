/**
 * Translates a key: `translate(texts, 'ru', 'errors:last-owner.text', {…})`. Variables are written as {{name}}; a
 * number called `count` selects among the plural forms key_one, key_few, key_many, key_other of the language. Kazakh
 * texts write {{total|ablative}} for "out of so many". Nothing is escaped here: each output (React, HTML e-mails, plain text) escapes for itself.
 */
import { ablative } from './kazakh.ts'
import type { Language } from './languages.ts'
import type { Namespace, Resources } from './resources.ts'

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPlural<K> : `${K}.${Leaves<T[K]>}`
}[keyof T & string]

type WithoutPlural<K extends string> = K extends `${infer Base}_${'one' | 'few' | 'many' | 'other'}`
  ? Base
  : K

/** Every key of a namespace; one that does not exist does not compile. */
export type KeyOf<N extends Namespace> = Leaves<Resources[N]>
/** A key that names its namespace: `common:actions.save`. */
export type AnyKey = { [N in Namespace]: `${N}:${KeyOf<N>}` }[Namespace]
export type Values = Readonly<Record<string, unknown>>
export type Text<N extends Namespace> = (key: KeyOf<N> | AnyKey, values?: Values) => string

export type Texts = { readonly [key: string]: string | Texts }

/** The text, or undefined where there is none. */
export function translate(
  texts: Texts,
  language: Language,
  key: string,
  values: Values = {},
): string | undefined {
  const { count } = values
  const form =
    typeof count === 'number' ? find(texts, `${key}_${pluralForms[language].select(count)}`) : undefined
  const found = form ?? find(texts, key)
  return found?.replaceAll(
    /\{\{(\w+)(\|ablative)?\}\}/g,
    (_, name: string, ending: string | undefined, place: number) => {
      const text = shown(values[name])
      const fitting = isQuoted(found, place) ? withInnerQuotes(text) : text
      return ending ? ablative(fitting) : fitting
    },
  )
}

/** Whether the quotes «…» of the text are open at this place. */
function isQuoted(text: string, place: number): boolean {
  const before = text.slice(0, place)
  return before.lastIndexOf('«') > before.lastIndexOf('»')
}

/** Quotes inside of quotes: Russian and Kazakh write «… „…“ …». */
export function withInnerQuotes(text: string): string {
  return text.replaceAll('«', '„').replaceAll('»', '“')
}

const pluralForms: Record<Language, Intl.PluralRules> = {
  ru: new Intl.PluralRules('ru'),
  kk: new Intl.PluralRules('kk'),
  en: new Intl.PluralRules('en'),
}

function find(texts: Texts, key: string): string | undefined {
  let place: string | Texts | undefined = texts
  for (const part of key.split(/[:.]/)) {
    if (typeof place !== 'object') return undefined
    place = Object.hasOwn(place, part) ? place[part] : undefined
  }
  return typeof place === 'string' ? place : undefined
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
