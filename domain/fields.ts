/** The building blocks of contracts: one definition of each kind of value that crosses the wire. */
import * as z from 'zod/mini'
import { hasRightCheckDigit, isTwelveDigits } from './numbers.ts'

/** Lower case, as the database gives it back: two spellings of one id must compare as equal. */
export const Id = z.uuid().check(z.toLowerCase())
/** Stands where there is no organisation: whoever says it speaks for themselves (SPEC.md section 3). */
export const emptyId = '00000000-0000-0000-0000-000000000000'
export const Moment = z.iso.datetime()
/** A day that the database knows: there was no year nought. */
export function day(error?: Parameters<typeof z.iso.date>[0]) {
  return z.iso.date(error).check(z.refine((date) => !date.startsWith('0000'), 'date-incorrect'))
}
export const Language = z.enum(['ru', 'kk', 'en'])

/** Control characters, invisible ones, and those that make text run backwards: names must be what they look like. */
const unreadable = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/

/** A line of text a person typed: no spaces around, none of the characters that PostgreSQL or a reader chokes on. */
export function line(max: number) {
  return z.string().check(
    z.trim(),
    z.maxLength(max, 'too-long'),
    z.refine((text) => text.isWellFormed() && !unreadable.test(text), 'control-characters'),
  )
}

/** What a person typed in several lines. */
export function paragraphs(max: number) {
  return z.string().check(
    z.overwrite((text) => text.replaceAll(/\r\n?/g, '\n')),
    z.trim(),
    z.maxLength(max, 'too-long'),
    z.refine(
      (text) => text.isWellFormed() && !unreadable.test(text.replaceAll(/[\n\t]/g, '')),
      'control-characters',
    ),
  )
}

/** A name goes into letters to people who do not know us: it must not carry them elsewhere. */
export function nameLine(max: number) {
  return requiredLine(max).check(z.refine((text) => !/:\/\/|www\./i.test(text), 'no-links'))
}

export function requiredLine(max: number) {
  return line(max).check(z.minLength(1, 'required'))
}

export const Email = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254, 'too-long')),
  z.email('email-incorrect'),
)

/** BIN or IIN, spaces of a pasted number forgiven. */
const withoutSpaces = z.overwrite<string>((text) => text.replace(/\s/g, ''))
export const TwelveDigits = z.string().check(withoutSpaces, z.refine(isTwelveDigits, 'twelve-digits'))

export const CheckedNumber = TwelveDigits.check(z.refine(hasRightCheckDigit, 'check-digit'))

export const OfOrganization = z.object({ organizationId: Id })

/** Lists: how many to leave out and how many to take (SPEC.md section 7). */
export const Page = z.object({
  skip: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)),
  take: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)),
})

export const defaultPageSize = 10
export const pageSizes = [10, 25, 50, 100] as const

/** Rows are counted up to here and one more: a list of a million is not counted each time it is shown. */
export const countLimit = 10_000
/** The same for what was searched for: finding takes longer than leafing. */
export const foundCountLimit = 1_000

export function listOf<T extends z.ZodMiniType>(item: T) {
  return z.object({ items: z.array(item), totalCount: z.int() })
}

export const Nothing = z.object({})
