/** Compares the three languages, and the texts of errors with the errors. */
import { describe, expect, test } from 'vitest'
import { aliases, transportAliases } from '@kelisim/domain/errors.ts'
import { programCode, programFaults } from '@kelisim/domain/signatures/signing-program.ts'
import { faults, verdictOf } from '@kelisim/domain/signatures/verdict.ts'
import { languages } from '@kelisim/texts/languages.ts'
import { filesBelow, readJson, readText } from './source-files.ts'

type Texts = { [key: string]: string | Texts }

/** The plural forms that a whole number can take in each language. */
const plurals = { ru: ['one', 'few', 'many', 'other'], kk: ['one', 'other'], en: ['one', 'other'] }
const pluralKey = /_(zero|one|two|few|many|other)$/

function flatten(texts: Texts, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as const] : [...flatten(value, `${prefix}${key}.`)],
    ),
  )
}

const textsIn = (language: string, namespace: string) =>
  flatten(readJson(`texts/${language}/${namespace}.json`) as Texts)
const namespacesOf = (language: string) =>
  filesBelow(`texts/${language}`, /\.json$/).map((file) => file.split('/').at(-1)!.replace('.json', ''))
const namespaces = namespacesOf('ru')

test('the three languages have the same files, and each is known to the types', () => {
  for (const language of languages) expect(namespacesOf(language)).toEqual(namespaces)
  const resources = readText('texts/resources.ts')
  for (const namespace of namespaces) expect(resources).toContain(`'./ru/${namespace}.json'`)
})

describe.each(namespaces)('%s', (namespace) => {
  const all = Object.fromEntries(languages.map((language) => [language, textsIn(language, namespace)]))
  const meanings = (language: string) =>
    new Set([...all[language]!.keys()].map((key) => key.replace(pluralKey, '')))

  test('has the same keys in all three languages', () => {
    expect([...meanings('kk')].toSorted()).toEqual([...meanings('ru')].toSorted())
    expect([...meanings('en')].toSorted()).toEqual([...meanings('ru')].toSorted())
  })

  test.each(languages)('has every plural form in %s', (language) => {
    const keys = [...all[language]!.keys()]
    const counted = new Set(
      keys.filter((key) => pluralKey.test(key)).map((key) => key.replace(pluralKey, '')),
    )
    for (const key of counted) {
      const forms = keys.filter((other) => other.replace(pluralKey, '') === key && pluralKey.test(other))
      expect(forms.toSorted()).toEqual(plurals[language].map((form) => `${key}_${form}`).toSorted())
    }
  })

  test('has no empty text and no space at an end', () => {
    for (const language of languages) {
      for (const [key, text] of all[language]!) {
        expect(text, `${language} ${key}`).not.toBe('')
        expect(text, `${language} ${key}`).toBe(text.trim())
      }
    }
  })

  test('names the same variables in all three languages', () => {
    const variables = (language: string, meaning: string) =>
      new Set(
        [...all[language]!]
          .filter(([key]) => key.replace(pluralKey, '') === meaning)
          .flatMap(([, text]) => [...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}/g)].map((match) => match[1])),
      )
    for (const meaning of meanings('ru')) {
      for (const language of ['kk', 'en']) {
        expect(variables(language, meaning), `${language} ${meaning}`).toEqual(variables('ru', meaning))
      }
    }
  })
})

describe('texts of errors', () => {
  test.each(languages)('in %s: one for each error that exists, and no others', (language) => {
    const keys = [...textsIn(language, 'errors').keys()]
    const expected = [...aliases, ...transportAliases].map((alias) => `${alias}.text`)
    expect(keys.filter((key) => key.endsWith('.text')).toSorted()).toEqual(expected.toSorted())
    expect(keys.filter((key) => !/^[\w-]+\.(text|details|title)$/.test(key))).toEqual([])
  })
})

test('every code of a signature fault has a text, and every such text a code', () => {
  const codes = [...faults.map((fault) => verdictOf(fault).code), ...programFaults.map(programCode)]
  expect(
    [...textsIn('ru', 'signatures').keys()].filter((key) => key.startsWith('codes.')).toSorted(),
  ).toEqual(codes.map((code) => `codes.${code}`).toSorted())
})
