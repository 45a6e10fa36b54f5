import { isTwelveDigits } from '@kelisim/domain/numbers.ts'

/** The BIN or IIN of the recipient, from the query of a link to a document. */
export function recipientNumber(search: string): string | null {
  const value = new URLSearchParams(search).get('number') ?? ''
  // The router puts a text that looks like a number in quotation marks.
  const number = value.replaceAll(/^"|"$/g, '')
  return isTwelveDigits(number) ? number : null
}
