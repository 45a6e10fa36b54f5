/** Endings of numbers in Kazakh: they follow the last word of the number as it is spoken (2-ден, 3-тен, 10-нан). */

const units = ['нөл', 'бір', 'екі', 'үш', 'төрт', 'бес', 'алты', 'жеті', 'сегіз', 'тоғыз']
const tens = ['', 'он', 'жиырма', 'отыз', 'қырық', 'елу', 'алпыс', 'жетпіс', 'сексен', 'тоқсан']

/** "Out of 4" is "4-тен"; what is not a plain number keeps its words and gets "ішінен". */
export function ablative(value: string): string {
  const digits = value.replaceAll(/[\s\u00a0]/g, '')
  return /^\d+$/.test(digits) ? `${value}-${ablativeEnding(lastWord(digits))}` : `${value} ішінен`
}

function lastWord(digits: string): string {
  const zeros = /0*$/.exec(digits)![0].length
  const last = Number(digits.at(-1 - zeros) ?? '0')
  if (zeros === 0 || zeros === digits.length) return units[last]!
  if (zeros === 1) return tens[last]!
  if (zeros === 2) return 'жүз'
  return zeros < 6 ? 'мың' : zeros < 9 ? 'миллион' : 'миллиард'
}

/** Soft vowels take -ден, hard ones -дан; after a voiceless consonant -тен, -тан; after a nasal one -нен, -нан. */
function ablativeEnding(word: string): string {
  const vowel = word.match(/[аәеиоөуұүыі]/g)!.at(-1)!
  const isSoft = /[әеиөүі]/.test(vowel) || word === 'елу'
  const last = word.at(-1)!
  const first = /[кқпстшх]/.test(last) ? 'т' : /[мнң]/.test(last) ? 'н' : 'д'
  return `${first}${isSoft ? 'ен' : 'ан'}`
}
