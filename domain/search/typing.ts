/** What people may have meant who typed on another keyboard layout, or in letters of another alphabet. */

const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const russianKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
/** The letters on the digit keys of the Kazakh layout. */
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

/**
 * The text of the same keys on the other layout: ljujdjh is договор, лфызш is kaspi. Empty: it makes no sense there.
 */
export function onOtherLayout(typed: string): string[] {
  const lower = typed.toLowerCase()
  if (hasLatin.test(lower) && !hasCyrillic.test(lower)) {
    const russian = swap(lower, cyrillicByKey)
    const kazakh = russian.replaceAll(/[234589=0-]/g, (key) => kazakhDigits[key]!)
    return kazakh === russian ? [russian] : [russian, kazakh]
  }
  const latin = swap(lower, latinByKey)
  // If a letter becomes a sign on the other layout, the text cannot be a name.
  return /^[a-z0-9]+$/.test(latin) && hasCyrillic.test(lower) ? [latin] : []
}

function swap(text: string, keys: ReadonlyMap<string, string>): string {
  return Array.from(text, (key) => keys.get(key) ?? key).join('')
}

/** Longer spellings come first, so that they match before their parts. */
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

/** Cyrillic readings of a text that was typed in Latin letters: dogovor, shart, ekspertiza. */
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

/** Latin readings of a Latin name that was typed in Cyrillic letters: каспи, хоум. */
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
