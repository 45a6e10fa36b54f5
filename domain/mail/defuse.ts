/**
 * Makes typed text safe for readers who do not know its author. Mail programs turn whatever looks like a web address,
 * a host or an e-mail address into a link, so a space is inserted that breaks it. Ordinary names stay as they are:
 * "Договор № 12.05/2026-А от 01.02.2026", "Прил.1", "v1.2".
 */
import { withoutUnseen } from '../visible-text.ts'

/** Kept, because NFKC would spell these two out ("No", "..."), although no address contains them. */
const keptCharacters = /([№…])/u

/** Characters that look like those of addresses and that NFKC does not replace. */
const lookAlikes = [
  [/[\u2044\u2215\u2571\u29f8]/g, '/'],
  [/[\u2216\u29f5\u29f9]/g, '\\'],
  [/[\u02d0\u02f8\u0589\u05c3\u2236\ua789]/g, ':'],
  [/[\u06d4\u0701\u0702\u3002\ua4f8]/g, '.'],
] as const

/** The extensions of documents are no top-level domains, so "Договор.pdf" stays unchanged. */
const fileFormat = String.raw`(?:pdf|docx?|xlsx?)(?![\p{L}\p{M}\p{N}_-])`

/** Replaced by a space, so that the remaining parts do not form an address again. */
const schemes = /[a-z0-9+.-]{0,20}:[/\\]{2,}|www\d*\./gi
const schemeColon = /(?<=[a-z]):(?=\S)/gi
const addressSign = /(?<=\S)@(?=\S)/g
/** A dot before two letters of any script, with which every top-level domain begins. */
const hostDot = new RegExp(String.raw`(?<=\S)\.(?=[\p{L}\p{M}]{2})(?!${fileFormat})`, 'giu')
/** The dot before a fourth number: four numbers are an IP address, three may be a date. */
const fourthNumber = /(\d{1,3}(?:\.\d{1,3}){2}\.)(?=\d)/g

export function defuse(text: string): string {
  return normalized(text)
    .replaceAll(schemes, ' ')
    .replaceAll(schemeColon, ': ')
    .replaceAll(addressSign, ' @ ')
    .replaceAll(hostDot, '. ')
    .replaceAll(fourthNumber, '$1 ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** One line without invisible characters, in which look-alikes of letters, dots and slashes are replaced. */
function normalized(text: string): string {
  const seen = withoutUnseen(text.toWellFormed().replaceAll(/\s+/g, ' '))
  const folded = seen
    .split(keptCharacters)
    .map((part) => (keptCharacters.test(part) ? part : part.normalize('NFKC')))
    .join('')
  return lookAlikes.reduce((line, [from, to]) => line.replaceAll(from, to), withoutUnseen(folded))
}
