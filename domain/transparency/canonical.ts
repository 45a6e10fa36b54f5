/**
 * JSON with one spelling: keys in order, no spaces. Whoever has the same facts writes the same bytes and gets the same hash
 * (the part of RFC 8785 that facts of ours need: no numbers but whole ones).
 */
export type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }

export function canonicalJson(fact: Fact): string {
  if (Array.isArray(fact)) return `[${fact.map((one: Fact) => canonicalJson(one)).join(',')}]`
  if (typeof fact === 'object' && fact !== null) {
    const named = Object.entries(fact as Record<string, Fact>)
      // By the units of UTF-16, as the RFC has it and as < compares.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`)
    return `{${named.join(',')}}`
  }
  if (typeof fact === 'number' && !Number.isSafeInteger(fact)) throw new TypeError('not a whole number')
  return JSON.stringify(fact)
}
