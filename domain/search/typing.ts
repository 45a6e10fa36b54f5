/** What somebody may have meant who typed on another keyboard layout, or in other letters. */

const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const russianKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
/** The keys of digits of the Kazakh layout. */
const kazakhDigits: Readonly<Record<string, string>> = {
  '2': 'ә',
  '3': 'і',
  '4': 'ң',
  '5': 'ғ',
  '8': 'ү',
  '9': 'ұ',
  '0': 'қ',
  '-': 'ө',
  '=': 'һ',
}

const cyrillicByKey = new Map(pairs(latinKeys, russianKeys))
const latinByKey = new Map(pairs(russianKeys, latinKeys))

const hasLatin = /[a-z]/
const hasCyrillic = /[а-яё]/

/** The same keys on the other layout: ljujdjh is договор, лфызш is kaspi. Empty: it cannot be that. */
export function onOtherLayout(typed: string): string[] {
  const lower = typed.toLowerCase()
  if (hasLatin.test(lower) && !hasCyrillic.test(lower)) {
    const russian = swap(lower, cyrillicByKey)
    const kazakh = russian.replaceAll(/[234589=0-]/g, (key) => kazakhDigits[key]!)
    return kazakh === russian ? [russian] : [russian, kazakh]
  }
  const latin = swap(lower, latinByKey)
  // Letters that are signs on the other layout are no part of a name.
  return /^[a-z0-9]+$/.test(latin) && hasCyrillic.test(lower) ? [latin] : []
}

function swap(text: string, keys: ReadonlyMap<string, string>): string {
  return Array.from(text, (key) => keys.get(key) ?? key).join('')
}

/** Longer spellings first. */
const toCyrillic: readonly (readonly [string, string])[] = [
  ['shch', 'щ'],
  ['sch', 'щ'],
  ['zh', 'ж'],
  ['kh', 'х'],
  ['ts', 'ц'],
  ['ch', 'ч'],
  ['sh', 'ш'],
  ['yu', 'ю'],
  ['ju', 'ю'],
  ['ya', 'я'],
  ['ja', 'я'],
  ['yo', 'е'],
  ['jo', 'е'],
  ['ye', 'е'],
  ['je', 'е'],
  ...pairs('abvgdezijklmnoprstufhcqwxy', 'абвгдезижклмнопрстуфхцквкы'),
  ...pairs('şğñäöüūıç', 'шгнаоууыч'),
  ["'", 'ь'],
]

function pairs(from: string, to: string): (readonly [string, string])[] {
  return Array.from(from, (letter, i) => [letter, to[i]!] as const)
}

/** Latin letters for Cyrillic ones, in the ways they are usually read: dogovor, shart, ekspertiza. */
export function inCyrillic(typed: string): string[] {
  const lower = typed.toLowerCase()
  if (!hasLatin.test(lower) || hasCyrillic.test(lower)) return []
  const usual = spelled(lower, toCyrillic)
  // A y after a vowel or at the end is й, j is ж before a vowel and й elsewhere, an e at the beginning is often э.
  const respelled = lower.replaceAll(/j(?=[aeou])/g, 'ж').replaceAll(/(?<=[aeiou])y|y$|j/g, 'й')
  const other = spelled(respelled, toCyrillic).replace(/^е/, 'э')
  return usual === other ? [usual] : [usual, other]
}

const toLatin: readonly (readonly [string, string])[] = [
  ...pairs('абвгдезийклмнопрстуфхцыэ', 'abvgdeziyklmnoprstufhcye'),
  ['ё', 'yo'],
  ['ж', 'zh'],
  ['ч', 'ch'],
  ['ш', 'sh'],
  ['щ', 'sch'],
  ['ю', 'yu'],
  ['я', 'ya'],
  ['ь', ''],
  ['ъ', ''],
  ...pairs('әғқңөұүһі', 'agqnouuhi'),
]

/** Cyrillic letters for a name that is written in Latin ones: каспи, хоум. */
export function inLatin(typed: string): string[] {
  const lower = typed.toLowerCase()
  if (!hasCyrillic.test(lower) || hasLatin.test(lower)) return []
  const usual = spelled(lower, toLatin)
  const other = usual.replaceAll('h', 'kh').replaceAll(/[skcz]kh/g, (two) => `${two[0]}h`)
  return usual === other || !lower.includes('х') ? [usual] : [usual, other]
}

function spelled(text: string, table: readonly (readonly [string, string])[]): string {
  let result = ''
  for (let at = 0; at < text.length;) {
    const found = table.find(([from]) => text.startsWith(from, at))
    result += found ? found[1] : text[at]!
    at += found ? found[0].length : 1
  }
  return result
}
