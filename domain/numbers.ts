/**
 * BIN (organisations) and IIN (persons): twelve digits, the last of which is a check digit. Weights 1…11; if the
 * remainder by 11 is 10, the weights 3…11,1,2 are used; if it is 10 again, the number is invalid.
 */
const firstWeights = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const secondWeights = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]

export function checkDigit(elevenDigits: string): number | null {
  const remainder = (weights: number[]) =>
    weights.reduce((sum, weight, i) => sum + weight * Number(elevenDigits[i]), 0) % 11
  const first = remainder(firstWeights)
  if (first < 10) return first
  const second = remainder(secondWeights)
  return second < 10 ? second : null
}

export function isTwelveDigits(text: string): boolean {
  return /^[0-9]{12}$/.test(text)
}

/**
 * The digits of a typed or pasted number; letters and spaces are dropped before it is cut, so that no digit is lost.
 */
export function typedNumber(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, 12)
}

export function hasRightCheckDigit(number: string): boolean {
  return isTwelveDigits(number) && checkDigit(number.slice(0, 11)) === Number(number[11])
}

/**
 * The fifth digit of a BIN is 4, 5 or 6 (kind of organisation); in an IIN it is the first digit of the day of birth,
 * 0…3.
 */
export function isPersonNumber(number: string): boolean {
  return '0123'.includes(number[4] ?? '')
}

/** A grouped number with non-breaking spaces, so that it stays on one line. */
export function unbroken(number: string): string {
  return inGroups(number).replaceAll(' ', '\u00a0')
}

/** For display: 260 140 020 007. */
export function inGroups(number: string): string {
  return number.replace(/(\d{3})(?=\d)/g, '$1 ')
}
