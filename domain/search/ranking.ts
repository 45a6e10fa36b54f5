/** How well a thing answers a query, and where the query was found in it. */
import type { Matcher } from './query.ts'

/** The weight of each field: highest for what people search for most. */
export const weights = { name: 4, number: 4, party: 3, file: 2, contact: 2, description: 2, text: 1 } as const
export type Field = keyof typeof weights

/** What the viewer may see of a thing, by field. */
export type Fields = readonly { field: Exclude<Field, 'text'>; text: string }[]

export type Rank = {
  score: number
  /** The field besides the name that shows why the thing was found; null: the name shows it. */
  place: { field: Field; text: string } | null
}

/**
 * Null: nothing that the viewer may see contains the query; the index found it in something that they may not see.
 * `isInText`: the index found the whole query in the text of the document.
 */
export function rankOf(matcher: Matcher, fields: Fields, isInText: boolean): Rank | null {
  const found = fields.map(({ field, text }) => ({ field, text, hits: matcher.hitsOf(text) }))
  const terms = found[0]?.hits.length ?? 0
  const best = Array.from({ length: terms }, (_, term) =>
    found
      .flatMap(({ field, text, hits }) => {
        const fits = hits[term]?.map(({ fit }) => fit) ?? []
        return fits.length === 0 ? [] : [{ field, text, score: weights[field] * Math.max(...fits) }]
      })
      .reduce<FieldMatch | null>((one, other) => (one && one.score >= other.score ? one : other), null),
  )
  if (best.some((one) => one === null)) {
    if (!isInText) return null
    return { score: weights.text, place: { field: 'text', text: '' } }
  }
  const elsewhere = best.find((one) => one!.field !== 'name')
  return {
    score: best.reduce((sum, one) => sum + one!.score, 0) / Math.max(1, terms),
    place: elsewhere ? { field: elsewhere.field, text: elsewhere.text } : null,
  }
}

type FieldMatch = { field: Field; text: string; score: number }

/** Better results first; among equal ones, newer first. */
export function byRank(one: { score: number; at: Date }, other: { score: number; at: Date }): number {
  return other.score - one.score || other.at.getTime() - one.at.getTime()
}
