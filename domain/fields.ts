/** The building blocks of contracts: one definition of each kind of value that crosses the wire. */
import { z } from 'zod'
import { hasRightCheckDigit, isTwelveDigits } from './identity/numbers.ts'

/** Lower case, as the database gives it back: two spellings of one id must compare as equal. */
export const Id = z.uuid().toLowerCase()
export const Moment = z.iso.datetime()
export const Language = z.enum(['ru', 'kk', 'en'])

/** Control characters, and those that make text run backwards. */
const unreadable = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/

/** A line of text a person typed: no spaces around, none of the characters that PostgreSQL or a reader chokes on. */
export function line(max: number) {
  return z
    .string()
    .trim()
    .max(max, 'too-long')
    .refine((text) => text.isWellFormed() && !unreadable.test(text), 'control-characters')
}

export function requiredLine(max: number) {
  return line(max).min(1, 'required')
}

export const Email = z.string().trim().toLowerCase().max(254, 'too-long').pipe(z.email('email-incorrect'))

/** BIN or IIN, spaces of a pasted number forgiven. */
export const TwelveDigits = z
  .string()
  .transform((text) => text.replace(/\s/g, ''))
  .refine(isTwelveDigits, 'twelve-digits')

export const CheckedNumber = TwelveDigits.refine(hasRightCheckDigit, 'check-digit')

export const OfOrganization = z.object({ organizationId: Id })

/** Lists: how many to leave out and how many to take (SPEC.md section 7). */
export const Page = z.object({
  skip: z.coerce.number().int().min(0).max(1_000_000),
  take: z.coerce.number().int().min(1).max(100),
})

export const defaultPageSize = 10
export const pageSizes = [10, 25, 50, 100] as const

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), totalCount: z.int() })
}

export const Nothing = z.object({})
