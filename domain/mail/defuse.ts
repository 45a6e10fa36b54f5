/**
 * Text that somebody typed, made safe for readers who do not know them. Mail programs turn whatever looks like a web address,
 * a host or an e-mail address into a link, so a space is put where each of them would hold together. Ordinary names stay as
 * they are: "Договор № 12.05/2026-А от 01.02.2026", "Прил.1", "v1.2".
 */
import { withoutUnseen } from '../visible-text.ts'

/** NFKC would spell these two out ("No", "..."), though no address is made of them. */
const keptCharacters = /([№…])/u

/** Look-alikes of the characters of addresses that NFKC leaves as they are. */
const lookAlikes = [
  [/[\u2044\u2215\u2571\u29f8]/g, '/'],
  [/[\u2216\u29f5\u29f9]/g, '\\'],
  [/[\u02d0\u02f8\u0589\u05c3\u2236\ua789]/g, ':'],
  [/[\u06d4\u0701\u0702\u3002\ua4f8]/g, '.'],
] as const

/** The file formats of documents here are no top-level domains: "Договор.pdf" stays whole. */
const fileFormat = String.raw`(?:pdf|docx?|xlsx?)(?![\p{L}\p{M}\p{N}_-])`

/** Replaced by a space, so that the rest does not join into an address again. */
const schemes = /[a-z0-9+.-]{0,20}:[/\\]{2,}|www\d*\./gi
const schemeColon = /(?<=[a-z]):(?=\S)/gi
const addressSign = /(?<=\S)@(?=\S)/g
/** Every top-level domain begins with two letters, in whatever script. */
const hostDot = new RegExp(String.raw`(?<=\S)\.(?=[\p{L}\p{M}]{2})(?!${fileFormat})`, 'giu')
/** Four numbers are an IP address, three may be a date. */
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

/** One line in the characters it shows: nothing unseen, nothing that only looks like a letter, a dot or a slash. */
function normalized(text: string): string {
  const seen = withoutUnseen(text.toWellFormed().replaceAll(/\s+/g, ' '))
  const folded = seen
    .split(keptCharacters)
    .map((part) => (keptCharacters.test(part) ? part : part.normalize('NFKC')))
    .join('')
  return lookAlikes.reduce((line, [from, to]) => line.replaceAll(from, to), withoutUnseen(folded))
}
