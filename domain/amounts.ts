/** Amounts of money as people type them (1 250 000,50), and in words as contracts have them. */

/** The most digits before the comma: 999 999 999 999 999. */
const mostDigits = 15

/** Keeps digits, and after a comma at most this many; everything else that was typed or pasted is removed. */
export function cleanAmount(typed: string, mostAfterComma = 2): string {
  const [whole = '', ...rest] = typed
    .replaceAll('.', ',')
    .replaceAll(/[^\d,]/g, '')
    .split(',')
  const digits = whole.replace(/^0+(?=\d)/, '').slice(0, mostDigits)
  return rest.length === 0 ? digits : `${digits || '0'},${rest.join('').slice(0, mostAfterComma)}`
}

/** Groups thousands with non-breaking spaces. Four digits stay together, because they may be a year. */
export function groupAmount(clean: string): string {
  const [whole = '', ...rest] = clean.split(',')
  if (whole.length < 5) return clean
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0'), ...rest].join(',')
}

/** The position of the caret after cleaning and grouping: behind the same digit or comma as before. */
export function caretIn(grouped: string, typedBefore: string): number {
  let left = cleanAmount(typedBefore, Infinity).length
  let place = 0
  while (left > 0 && place < grouped.length) {
    if (/[\d,]/.test(grouped[place]!)) left--
    place++
  }
  return place
}

export type AmountLanguage = 'ru' | 'kk'

/** An amount of tenge in words; the hundredths stay digits, as in contracts. Null if the text is no such amount. */
export function amountInWords(amount: string, language: AmountLanguage): string | null {
  const [, whole, hundredths = ''] = /^(\d{1,15})(?:,(\d{1,2}))?$/.exec(cleanText(amount)) ?? []
  if (whole === undefined) return null
  const tiyn = hundredths.padEnd(2, '0')
  return language === 'ru'
    ? `${russianWords(whole)} тенге ${tiyn} ${russianForm(Number(tiyn), ['тиын', 'тиына', 'тиынов'])}`
    : `${kazakhWords(whole)} теңге ${tiyn} тиын`
}

function cleanText(amount: string): string {
  return amount
    .trim()
    .replaceAll('.', ',')
    .replaceAll(/[\s\u00a0\u202f]/g, '')
}

/** 1 234 567 as [1, 234, 567], the largest power of a thousand first. */
function thousandsOf(whole: string): number[] {
  const padded = whole.padStart(Math.ceil(whole.length / 3) * 3, '0')
  return (padded.match(/\d{3}/g) ?? []).map(Number)
}

type Forms = readonly [one: string, few: string, many: string]

/** The Russian plural form: 21 тысяча, 22 тысячи, 25 тысяч, and 11 to 14 тысяч. */
function russianForm(number: number, [one, few, many]: Forms): string {
  const [ten, last] = [Math.floor(number / 10) % 10, number % 10]
  if (ten === 1 || last === 0 || last > 4) return many
  return last === 1 ? one : few
}

const russianPowers: readonly Forms[] = [
  ['тысяча', 'тысячи', 'тысяч'],
  ['миллион', 'миллиона', 'миллионов'],
  ['миллиард', 'миллиарда', 'миллиардов'],
  ['триллион', 'триллиона', 'триллионов'],
]
const russianOnes = ['', 'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять']
const russianTeens = [
  'десять',
  'одиннадцать',
  'двенадцать',
  'тринадцать',
  'четырнадцать',
  'пятнадцать',
  'шестнадцать',
  'семнадцать',
  'восемнадцать',
  'девятнадцать',
]
const russianTens = [
  '',
  '',
  'двадцать',
  'тридцать',
  'сорок',
  'пятьдесят',
  'шестьдесят',
  'семьдесят',
  'восемьдесят',
  'девяносто',
]
const russianHundreds = [
  '',
  'сто',
  'двести',
  'триста',
  'четыреста',
  'пятьсот',
  'шестьсот',
  'семьсот',
  'восемьсот',
  'девятьсот',
]

function russianWords(whole: string): string {
  const groups = thousandsOf(whole)
  const words = groups.flatMap((number, i) => {
    const power = groups.length - 1 - i
    if (number === 0) return []
    // Thousands are feminine: одна тысяча, две тысячи.
    const said = russianThree(number, power === 1)
    return power === 0 ? said : [...said, russianForm(number, russianPowers[power - 1]!)]
  })
  return words.length === 0 ? 'ноль' : words.join(' ')
}

function russianThree(number: number, isFeminine: boolean): string[] {
  const [hundred, rest] = [Math.floor(number / 100), number % 100]
  const [ten, last] = [Math.floor(rest / 10), rest % 10]
  const one = isFeminine && last === 1 ? 'одна' : isFeminine && last === 2 ? 'две' : russianOnes[last]!
  const below = ten === 1 ? [russianTeens[last]!] : [russianTens[ten]!, one]
  return [russianHundreds[hundred]!, ...below].filter((word) => word !== '')
}

const kazakhPowers = ['мың', 'миллион', 'миллиард', 'триллион']
const kazakhOnes = ['', 'бір', 'екі', 'үш', 'төрт', 'бес', 'алты', 'жеті', 'сегіз', 'тоғыз']
const kazakhTens = ['', 'он', 'жиырма', 'отыз', 'қырық', 'елу', 'алпыс', 'жетпіс', 'сексен', 'тоқсан']

/** Kazakh numerals have neither gender nor plural. */
function kazakhWords(whole: string): string {
  const groups = thousandsOf(whole)
  const words = groups.flatMap((number, i) => {
    const power = groups.length - 1 - i
    if (number === 0) return []
    return power === 0 ? kazakhThree(number) : [...kazakhThree(number), kazakhPowers[power - 1]!]
  })
  return words.length === 0 ? 'нөл' : words.join(' ')
}

function kazakhThree(number: number): string[] {
  const hundred = Math.floor(number / 100)
  const hundreds = hundred === 0 ? [] : hundred === 1 ? ['жүз'] : [kazakhOnes[hundred]!, 'жүз']
  const below = [kazakhTens[Math.floor(number / 10) % 10]!, kazakhOnes[number % 10]!]
  return [...hundreds, ...below].filter((word) => word !== '')
}
