import * as z from 'zod/mini'

/** A set of named flags as the API represents it: a number whose bits are the members. */
export function flags<const M extends Record<string, number>>(members: M) {
  const all = Object.values(members).reduce((sum, bit) => sum | bit, 0)
  type Name = keyof M & string
  const names = Object.keys(members) as Name[]
  return {
    members,
    all,
    names,
    /** Refuses unknown bits, fractions, negatives and anything that is not a number. */
    schema: z.int().check(
      z.minimum(0),
      z.maximum(all),
      z.refine((mask) => (mask & ~all) === 0, 'unknown-bits'),
    ),
    has: (mask: number, name: Name): boolean => (mask & members[name]!) !== 0,
    of: (...chosen: Name[]): number => chosen.reduce((mask, name) => mask | members[name]!, 0),
    list: (mask: number): Name[] => names.filter((name) => (mask & members[name]!) !== 0),
  }
}

/** Whose objects a list shows. */
export const listOwners = flags({ My: 1, Other: 2 })

/** A filter of lists: 0 or nothing means all. */
export function maskOr<S extends z.ZodMiniType<number, number>>(schema: S) {
  return z.optional(z.pipe(z.coerce.number(), schema))
}
