/** Finding anything that the caller may see (docs/product/search.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, Moment, OfOrganization } from '../fields.ts'
import { OneStatus } from '../requests/parts.ts'
import { longestQuery } from './query.ts'
import { weights, type Field } from './ranking.ts'

/** The kinds of results, in the order in which they are shown. */
export const searchKinds = [
  'request',
  'document',
  'counterparty',
  'template',
  'route',
  'routeTemplate',
  'point',
  'person',
] as const
export type SearchKind = (typeof searchKinds)[number]

/**
 * How many results of a kind are shown at first, and how many can be paged through; beyond, a longer query is needed.
 */
export const shownOfKind = 5
export const mostOfKind = 100

const Parts = z.array(z.object({ text: z.string(), isFound: z.boolean() }))

export const FoundItem = z.object({
  /** The id; for a counterparty its number. */
  id: z.string(),
  /** The name, with the found words marked. */
  title: Parts,
  /** The other side, the owner of a point, or the contact of a person; may be empty. */
  note: z.string(),
  /** The status of a request; null for other kinds. */
  status: z.nullable(OneStatus),
  /** When the thing arrived or was made. */
  at: z.nullable(Moment),
  /** Where the words were found, if the name does not show it; for a text with the page, from 1. */
  place: z.nullable(
    z.object({
      field: z.enum(Object.keys(weights) as [Field, ...Field[]]),
      page: z.nullable(z.int()),
      parts: Parts,
    }),
  ),
})

export const search = endpoint({
  method: 'GET',
  path: '/api/Search/:organizationId',
  access: 'member',
  summary:
    'Finds what the caller may see: requests, documents, counterparties, templates, routes, points and people',
  input: z.extend(OfOrganization, {
    /** The query; empty: the newest things. */
    q: z._default(line(longestQuery), ''),
    /** Only results of this kind, to page through them. */
    kind: z.optional(z.enum(searchKinds)),
    skip: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(mostOfKind)), 0),
    take: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)), shownOfKind),
  }),
  /** Groups without a result are left out. */
  result: z.object({
    /** The query that was searched for instead, because nothing contains the typed words. */
    corrected: z.nullable(z.string()),
    groups: z.array(z.object({ kind: z.enum(searchKinds), items: z.array(FoundItem), hasMore: z.boolean() })),
  }),
  refusals: [],
})
