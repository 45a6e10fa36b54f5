import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { languages, type Language } from './languages.ts'
import type { Texts } from './translate.ts'

/** The words that were given up, each with the one that stays (docs/product/words.md). */
const givenUp: Record<Language, readonly (readonly [RegExp, string])[]> = {
  ru: [
    [/отключ(?!ить нельзя)/i, 'выключить'],
    [/недействующ/i, 'выключенный'],
    [/(?<![а-яё])тег/i, 'классификатор'],
    [/^Доступ$|Кто увидит|Кому доступ/, 'Кто видит'],
    [/Дата подписания/, 'Дата документа'],
    [/[а-яё]\(а\)/i, 'a form without gender'],
    [/«[^»]*«/, '„…“ inside of «…»'],
    [/Kelisim/, 'Келісім'],
  ],
  kk: [
    [/(?<![а-яёәғқңөұүһі])тег(?![іе])/i, 'жіктеуіш'],
    [/Кімге қолжетімді/, 'Кім көреді'],
    [/Қол қойылатын күн/, 'Құжат күні'],
    [/«[^»]*«/, '„…“ inside of «…»'],
    [/Kelisim/, 'Келісім'],
  ],
  en: [
    [/\bletters?\b(?! and digits)/i, 'e-mail'],
    [/\bclassifiers?\b/i, 'tag'],
    [/\bcentres?\b(?<!^Centre)/i, 'authority'],
    [/\bswitch(?:ed|es)? (?:it )?(?:on|off)\b/i, 'turn on, turn off'],
    [/(?<!\{)\btariffs?\b(?!\})/i, 'plan'],
    [/Signature date/, 'Document date'],
    [/Келісім/, 'Kelisim'],
  ],
}

describe.each(languages)('in %s', (language) => {
  const texts = readdirSync(new URL(`./${language}/`, import.meta.url)).flatMap((file) =>
    flat(file, JSON.parse(readFileSync(new URL(`./${language}/${file}`, import.meta.url), 'utf8')) as Texts),
  )

  test.each(givenUp[language])('%s is not said: it is called %s', (word) => {
    expect(texts.filter(([, text]) => word.test(text))).toEqual([])
  })
})

function flat(place: string, texts: Texts): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${place}: ${key}`, value] as [string, string]]
      : flat(`${place}: ${key}`, value),
  )
}
