/**
 * The amount in words: a text variable with such a name ("Сумма прописью", "Сома сөзбен") is filled from the matching
 * number, until somebody types the words themselves.
 */
import { amountInWords, type AmountLanguage } from '../amounts.ts'
import type { VariableKind } from './variables.ts'

type Variable = { name: string; type: VariableKind; value: string }

function languageOf(name: string): AmountLanguage | null {
  if (/прописью/i.test(name)) return 'ru'
  return /сөзбен|жазумен|жазбаша/i.test(name) ? 'kk' : null
}

/** The number whose name the given name begins with; otherwise the only number, if there is just one. */
function numberFor(variables: readonly Variable[], name: string): Variable | undefined {
  const numbers = variables.filter(({ type }) => type === 'number')
  const named = numbers.find((number) => name.toLowerCase().startsWith(number.name.toLowerCase()))
  return named ?? (numbers.length === 1 ? numbers[0] : undefined)
}

/** The variables that change with a number, and their new values. */
export function wordsAfter(
  variables: readonly Variable[],
  changed: { name: string; value: string },
): { name: string; value: string }[] {
  return variables.flatMap(({ name, type, value }) => {
    const language = type === 'text' ? languageOf(name) : null
    const number = language && numberFor(variables, name)
    if (!number || number.name !== changed.name) return []
    const isOwn = value !== '' && value !== amountInWords(number.value, language)
    return isOwn ? [] : [{ name, value: amountInWords(changed.value, language) ?? '' }]
  })
}
