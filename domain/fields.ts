/** The building blocks of contracts: one definition for each kind of value in the API. */
import * as z from 'zod/mini'
import { longestEmail } from './email-address.ts'
import { hasRightCheckDigit, isTwelveDigits } from './numbers.ts'
import { hasUnseen } from './visible-text.ts'

/** Lower case, as the database returns it: two spellings of one id must compare as equal. */
export const Id = z.uuid().check(z.toLowerCase())
/** Used in place of an organisation by callers who act for themselves (docs/product/in-whose-name.md). */
export const emptyId = '00000000-0000-0000-0000-000000000000'
export const Moment = z.iso.datetime()
/** A day that the database accepts: there was no year zero. */
export function day(error?: Parameters<typeof z.iso.date>[0]) {
  return z.iso.date(error).check(z.refine((date) => !date.startsWith('0000'), 'date-incorrect'))
}
/** A day that must be given; an empty field is reported as missing, not as a wrong date. */
export function requiredDay() {
  return day({ error: ({ input }) => (input === '' ? 'required' : 'date-incorrect') })
}
/** How often something was saved; the database stores the number in 32 bits. */
const version = [z.int(), z.minimum(0), z.maximum(2_147_483_647)] as const
export const Version = z.number().check(...version)
export const VersionInPath = z.coerce.number().check(...version)
export const Language = z.enum(['ru', 'kk', 'en'])

/** Invisible characters that word processors leave in pasted text (where a line may be broken or not); removed. */
const leftovers = /[\u00ad\u200b\u2060\ufeff]/g
const withoutLeftovers = z.overwrite<string>((text) => text.replaceAll(leftovers, ''))

/**
 * A line of text typed by a person: trimmed, without characters that PostgreSQL cannot store or a reader cannot see.
 * Names must be what they look like wherever others read them: in notices, in the title of a page, in the name of a
 * download.
 */
export function line(max: number) {
  return z.string().check(
    withoutLeftovers,
    z.trim(),
    z.maxLength(max, 'too-long'),
    z.refine((text) => text.isWellFormed() && !hasUnseen(text), 'control-characters'),
  )
}

/** Text of several lines typed by a person. */
export function paragraphs(max: number) {
  return z.string().check(
    withoutLeftovers,
    z.overwrite((text) => text.replaceAll(/\r\n?/g, '\n')),
    z.trim(),
    z.maxLength(max, 'too-long'),
    z.refine(
      (text) => text.isWellFormed() && !hasUnseen(text.replaceAll(/[\n\t]/g, '')),
      'control-characters',
    ),
  )
}

/** Names appear in e-mails to strangers, so they must not contain links. */
export function nameLine(max: number) {
  return requiredLine(max).check(z.refine((text) => !/:\/\/|www\./i.test(text), 'no-links'))
}

export function requiredLine(max: number) {
  return line(max).check(z.minLength(1, 'required'))
}

export const Email = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(longestEmail, 'too-long')),
  z.email('email-incorrect'),
)

/** BIN or IIN; spaces in a pasted number are removed. */
const withoutSpaces = z.overwrite<string>((text) => text.replace(/\s/g, ''))
export const TwelveDigits = z.string().check(withoutSpaces, z.refine(isTwelveDigits, 'twelve-digits'))

export const CheckedNumber = TwelveDigits.check(z.refine(hasRightCheckDigit, 'check-digit'))

export const OfOrganization = z.object({ organizationId: Id })

/** Paging of lists: how many rows to skip and to take. */
export const Page = z.object({
  skip: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)),
  take: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)),
})

export const defaultPageSize = 10
export const pageSizes = [10, 25, 50, 100] as const

/** Rows are counted only up to one more than this limit, because counting a list of a million rows would be slow. */
export const countLimit = 10_000
/** The same limit for searches, which are slower than plain lists. */
export const foundCountLimit = 1_000

export function listOf<T extends z.ZodMiniType>(item: T) {
  return z.object({ items: z.array(item), totalCount: z.int() })
}

export const Nothing = z.object({})
/** The id by which the deletion can be undone for an hour (docs/decisions/028-putting-back.md). */
export const Deleted = z.object({ deletionId: Id })
