/** Filters and paths of SCIM (RFC 7644, 3.4.2.2 and 3.5.2), as far as directories use them. */

/** `attribute eq value`, the attribute in lower case. */
export type Comparison = { attribute: string; value: string }

const longestFilter = 1000

/** The comparisons of a filter, which must all hold; null: the filter is not understood. */
export function filterOf(text: string): Comparison[] | null {
  if (text.length > longestFilter) return null
  const comparisons: Comparison[] = []
  let rest = text.trim()
  for (;;) {
    const found = comparison.exec(rest)
    const value = found && valueOf(found.groups!['value']!)
    if (!found || value === null || value === undefined) return null
    comparisons.push({ attribute: plain(found.groups!['attribute']!), value })
    rest = rest.slice(found[0].length)
    if (rest === '') return comparisons
    const and = /^\s+and\s+/i.exec(rest)
    if (!and) return null
    rest = rest.slice(and[0].length)
  }
}

const name = String.raw`(?:urn:[\w:.-]+:)?[a-z$][\w.$-]*`
const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const comparison = new RegExp(
  String.raw`^(?<attribute>${name}(?:\[[^\]]*\](?:\.\w+)?)?)\s+eq\s+(?<value>${quoted}|true|false)`,
  'i',
)

/** Values are written as in JSON; booleans and numbers are compared as text. */
function valueOf(text: string): string | null {
  if (!text.startsWith('"')) return text.toLowerCase()
  try {
    const value = String(JSON.parse(text))
    // No stored name contains these characters, and the database refuses them.
    return value.isWellFormed() && !value.includes('\0') ? value : null
  } catch {
    return null
  }
}

export type Path = {
  /** In lower case, without the name of the schema. */
  attribute: string
  /** The filter that chooses among several values. */
  chosen: Comparison | null
  /** The sub-attribute of the chosen value. */
  part: string | null
}

/** Parses the path of a change: `name.givenName`, `members[value eq "…"]`, `emails[type eq "work"].value`. */
export function pathOf(text: string): Path | null {
  const found = path.exec(text.trim())
  if (!found) return null
  const { attribute, filter, part } = found.groups!
  const [chosen = null, ...others] = filter === undefined ? [] : (filterOf(filter) ?? [null, null])
  if (others.length > 0 || (filter !== undefined && chosen === null)) return null
  return { attribute: plain(attribute!), chosen, part: part?.toLowerCase() ?? null }
}

const path = new RegExp(String.raw`^(?<attribute>${name})(?:\[(?<filter>[^\]]*)\](?:\.(?<part>\w+))?)?$`, 'i')

/** The attribute in lower case, because case does not matter, and without a known schema, which is optional. */
function plain(attribute: string): string {
  return attribute
    .toLowerCase()
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, '')
    .replace(/\[[^\]]*\]/, '')
}
