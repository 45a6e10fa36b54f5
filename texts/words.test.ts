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
    [/(?<![а-яё])подписк[аеиоу]/i, 'тариф'],
    [/документ(?:ы|а)? о расторжении/i, 'соглашение о расторжении'],
    [/«[^»]*«/, '„…“ inside of «…»'],
    [/Kelisim/, 'Келісім'],
  ],
  kk: [
    [/(?<![а-яёәғқңөұүһі])тег(?![іе])/i, 'жіктеуіш'],
    [/Кімге қолжетімді/, 'Кім көреді'],
    [/Қол қойылатын күн/, 'Құжат күні'],
    [/маршрут/i, 'бағыт'],
    [/жазылым/i, 'тариф'],
    [/бұзу туралы құжат/i, 'бұзу туралы келісім'],
    [/архив/i, 'мұрағат'],
    [/(?<![а-яёәғқңөұүһі])пікір/i, 'түсініктеме'],
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
    [/sheet of acquaintance|familiaris/i, 'acknowledgement'],
    [/terminating document/i, 'termination agreement'],
    [/evidence archive/i, 'evidence bundle'],
    [/\blog ?out\b/i, 'sign out'],
    [/Келісім/, 'Kelisim'],
  ],
}

describe.each(languages)('in %s', (language) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const texts = [
    ...filesIn(`./${language}/`).flatMap((file) => flat(file, JSON.parse(read(file)) as Texts)),
    ...filesIn(`../help/${language}/`).map((file) => [file, prose(read(file))] as const),
    [`captions of ${language}`, read(`../help/captions/${language}.json`)] as const,
  ]

  test.each(givenUp[language])('%s is not used: the word is %s', (word) => {
    expect(texts.filter(([, text]) => word.test(text))).toEqual([])
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, import.meta.url)).map((name) => folder + name)
}

/** Without names of files, of calls and of what is put in, which people do not read as words. */
function prose(page: string): string {
  return page.replaceAll(/```[\s\S]*?```|`[^`]*`|\{\{\w+\}\}|\]\([^)]*\)/g, '')
}

function flat(place: string, texts: Texts): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${place}: ${key}`, value] as [string, string]]
      : flat(`${place}: ${key}`, value),
  )
}
