/** The meaning of a query: which words it searches for, in which spellings and forms, and where a text has them. */
import { isTwelveDigits } from '../numbers.ts'
import { fold, isNumber, longestWord, runsOf } from './folding.ts'
import { kazakhStem, russianStem } from './stems.ts'
import { inCyrillic, inLatin, onOtherLayout } from './typing.ts'

/** A word in folded letters: the typed form, and the beginning that its forms have in common. */
export type Word = { typed: string; stem: string }
/** One way to read what was typed; all of its words must be found. */
export type Reading = readonly Word[]
/** The text between two spaces; one of its readings must be found. */
export type Term = { readings: readonly Reading[] }
export type Query = readonly Term[]

export const longestQuery = 200
const mostTerms = 8
/** A shorter beginning would find unrelated words. */
const shortestStem = 3
const shortestBeforeFleeting = 4
/** One or two letters have too many meanings on another layout. */
const shortestRespelled = 3

/** Words that can be left out of a query without changing its meaning. */
const emptyWords = new Set(
  [
    'и в во на по с со к ко о об от до за из у не для при',
    'мен бен пен жане ушин туралы бойынша',
    'the a an of and to for in on with',
  ].flatMap((words) => words.split(' ')),
)

export function readQuery(text: string): Query {
  const chunks = joinedNumber(text.normalize('NFC')).split(/\s+/).filter(Boolean)
  const terms = chunks.map(termOf).filter(({ readings }) => readings.length > 0)
  const telling = terms.filter(({ readings }) => !readings[0]!.every(({ typed }) => emptyWords.has(typed)))
  return (telling.length > 0 ? telling : terms).slice(0, mostTerms)
}

/** A BIN or IIN that was typed or pasted in groups. */
function joinedNumber(text: string): string {
  const digits = text.replaceAll(/\s/g, '')
  return isTwelveDigits(digits) ? digits : text
}

function termOf(chunk: string): Term {
  const others = chunk.length < shortestRespelled ? [] : [inCyrillic, onOtherLayout, inLatin]
  const spellings = [chunk, ...others.flatMap((spell) => spell(chunk))]
  const readings = spellings.map(readingOf).filter((reading) => reading.length > 0)
  const distinct = new Map(readings.map((reading) => [JSON.stringify(reading), reading]))
  return { readings: [...distinct.values()] }
}

function readingOf(spelling: string): Reading {
  return runsOf(spelling)
    .flatMap((run) => (isNumber(run) ? [run.replaceAll(/[.-]/g, '/')] : run.split(/[/.-]/)))
    .map((word) => wordOf(word.slice(0, longestWord), spelling))
}

function wordOf(typed: string, spelling: string): Word {
  if (!/^[а-я]+$/.test(typed)) return { typed, stem: typed }
  const stems = [withoutFleeting(russianStem(typed)), kazakhStem(typed, spelling)]
  const stem = stems
    .filter((one) => one.length >= shortestStem && typed.startsWith(one))
    .toSorted((one, other) => one.length - other.length)[0]
  return { typed, stem: stem ?? typed }
}

/** Some forms have a vowel before к that others lack: закупка, закупок. */
function withoutFleeting(stem: string): string {
  const bare = stem.replace(/(?<=[бвгджзлмнпрстфхцчшщ])[ое]?к$/, '')
  return bare.length >= shortestBeforeFleeting ? bare : stem
}

/** Each term as a tsquery of PostgreSQL; the typed part contains only letters, digits and the separators of numbers. */
export function tsqueriesOf(query: Query): string[] {
  return query.map(
    ({ readings }) =>
      `(${readings.map((words) => `(${words.map(({ stem }) => `'${stem}':*`).join(' & ')})`).join(' | ')})`,
  )
}

/** A hit in a text: where it begins and ends, and how well it fits. */
export type Hit = { start: number; end: number; fit: number }

/** The word as typed; a form of it, or a word that begins with it; another word with the same beginning. */
export const fits = { whole: 3, form: 2, beginning: 1 } as const
/** By how many letters a form of a word may be longer than its stem. */
const longestEnding = 3

export type Matcher = {
  /** Where each term is in a text (in its composed form); null: the text lacks it. */
  hitsOf: (text: string) => (readonly Hit[] | null)[]
}

/** Searches for a query in original texts, which are not folded. */
export function matcherOf(query: Query): Matcher {
  const terms = query.map(({ readings }) => readings.map((words) => words.map(finder)))
  return {
    hitsOf(text) {
      const folded = fold(text)
      return terms.map((readings) => {
        const found = readings.flatMap((words) => {
          const hits = words.map((find) => find(folded))
          return hits.every(({ length }) => length > 0) ? [hits.flat()] : []
        })
        return found.length > 0 ? found.flat() : null
      })
    },
  }
}

/** The most hits of a word in a text, so that a text that repeats it endlessly is not read to its end. */
const mostHits = 20

function finder({ typed, stem }: Word): (folded: string) => Hit[] {
  // The separators inside a number are interchangeable.
  const pattern = new RegExp(`(?<![0-9a-zа-я])${stem.replaceAll('/', '[/.-]')}[0-9a-zа-я]*`, 'g')
  return (folded) => {
    const hits: Hit[] = []
    for (const match of folded.matchAll(pattern)) {
      const word = match[0].replaceAll(/[.-]/g, '/')
      hits.push({ start: match.index, end: match.index + word.length, fit: fitOf(word, typed, stem) })
      if (hits.length === mostHits) break
    }
    return hits
  }
}

function fitOf(word: string, typed: string, stem: string): number {
  if (word === typed) return fits.whole
  if (word.startsWith(typed) || word.length - stem.length <= longestEnding) return fits.form
  return fits.beginning
}
