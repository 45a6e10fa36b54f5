/**
 * Stems: the beginning that the forms of a word have in common. The index stores words unchanged, and a query asks
 * for words that begin with a stem, so only queries need stems (decision 026).
 */
import { kazakhLetters } from './folding.ts'

const vowel = '[аеиоуыэюя]'
const perfectiveGerund = /(?:(?:ив|ивши|ившись|ыв|ывши|ывшись)|(?<=[ая])(?:в|вши|вшись))$/
const reflexive = /(?:ся|сь)$/
const adjective = /(?:ее|ие|ые|ое|ими|ыми|ей|ий|ый|ой|ем|им|ым|ом|его|ого|ему|ому|их|ых|ую|юю|ая|яя|ою|ею)$/
const participle = /(?:(?:ивш|ывш|ующ)|(?<=[ая])(?:ем|нн|вш|ющ|щ))$/
const verb =
  /(?:(?:ила|ыла|ена|ейте|уйте|ите|или|ыли|ей|уй|ил|ыл|им|ым|ен|ило|ыло|ено|ят|ует|уют|ит|ыт|ены|ить|ыть|ишь|ую|ю)|(?<=[ая])(?:ла|на|ете|йте|ли|й|л|ем|н|ло|но|ет|ют|ны|ть|ешь|нно))$/
const noun =
  /(?:а|ев|ов|ие|ье|е|иями|ями|ами|еи|ии|и|ией|ей|ой|ий|й|иям|ям|ием|ем|ам|ом|о|у|ах|иях|ях|ы|ь|ию|ью|ю|ия|ья|я)$/
const derivational = /ость?$/
const superlative = /ейше?$/

/** The Russian stemmer of Snowball, the same as in PostgreSQL. */
export function russianStem(word: string): string {
  const start = new RegExp(`^.*?${vowel}`).exec(word)?.[0]
  if (start === undefined) return word
  let rest = word.slice(start.length)
  rest = withoutInflection(rest)
  rest = rest.replace(/и$/, '')
  const second = secondRegion(word) - start.length
  const cut = rest.replace(derivational, '')
  if (cut.length >= second) rest = cut
  if (rest.endsWith('нн')) rest = rest.slice(0, -1)
  else if (superlative.test(rest)) rest = rest.replace(superlative, '').replace(/нн$/, 'н')
  else rest = rest.replace(/ь$/, '')
  return start + rest
}

function withoutInflection(rest: string): string {
  const gerund = rest.replace(perfectiveGerund, '')
  if (gerund !== rest) return gerund
  const plain = rest.replace(reflexive, '')
  if (adjective.test(plain)) return plain.replace(adjective, '').replace(participle, '')
  if (verb.test(plain)) return plain.replace(verb, '')
  return plain.replace(noun, '')
}

/** Where the second region begins, within which a derivational ending must lie. */
function secondRegion(word: string): number {
  const region = new RegExp(`^.*?${vowel}[^аеиоуыэюя].*?${vowel}[^аеиоуыэюя]`).exec(word)?.[0]
  return region?.length ?? word.length
}

/** Endings of Kazakh nouns in folded letters; their sequence is stem, plural, possession, case. */
const cases = [
  'нын нин дын дин тын тин дан ден тан тен нан нен мен бен пен нда нде',
  'га ге ка ке на не ны ни ды ди ты ти да де та те н',
].flatMap((endings) => endings.split(' '))
const possessions = 'ымыз имиз ыныз иниз мыз миз ныз низ сы си ым им ын ин ы и м н'.split(' ')
const plurals = 'лар лер дар дер тар тер'.split(' ')

/**
 * Whether Russian words seldom have this ending; other endings are cut only if a letter shows that the word is
 * Kazakh.
 */
function isTelling(word: string, ending: string): boolean {
  return ending.length >= 3 || (ending.startsWith('т') && word.endsWith(`т${ending}`))
}

/** `typed` is the word before folding, whose letters show its language. */
export function kazakhStem(word: string, typed: string): string {
  const isKazakh = kazakhLetters.test(typed)
  const shortest = isKazakh ? 3 : 4
  const without = (text: string, endings: readonly string[]) => {
    const ending = endings.find(
      (one) =>
        text.endsWith(one) && text.length - one.length >= shortest && (isKazakh || isTelling(text, one)),
    )
    return ending === undefined ? text : text.slice(0, -ending.length)
  }
  const bare = without(word, cases)
  const owned = without(bare, possessions)
  const single = without(owned, plurals)
  // Before an ending with a vowel п, қ and к sound as б, ғ and г: кітап, кітабы.
  const isVoiced = single !== word && /[бг]$/.test(single) && single.length > shortest
  return isVoiced ? single.slice(0, -1) : single
}
