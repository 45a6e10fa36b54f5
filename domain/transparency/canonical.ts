/**
 * Canonical JSON: sorted keys, no spaces. Equal facts always give equal bytes and an equal hash (the part of RFC 8785
 * that our facts need: integers only).
 */
export type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }

export function canonicalJson(fact: Fact): string {
  if (Array.isArray(fact)) return `[${fact.map((one: Fact) => canonicalJson(one)).join(',')}]`
  if (typeof fact === 'object' && fact !== null) {
    const named = Object.entries(fact as Record<string, Fact>)
      // Sorted by UTF-16 code units, as the RFC requires; `<` compares in the same way.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`)
    return `{${named.join(',')}}`
  }
  if (typeof fact === 'number' && !Number.isSafeInteger(fact)) throw new TypeError('not a whole number')
  return JSON.stringify(fact)
}
