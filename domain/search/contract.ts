/** Finding anything that the caller may see (docs/product/search.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, Moment, OfOrganization } from '../fields.ts'
import { OneStatus } from '../requests/parts.ts'
import { longestQuery } from './query.ts'
import { weights, type Field } from './ranking.ts'

/** In the order in which they are shown. */
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

/** How many of a kind are shown at first, and how many can be paged through; beyond that the query should say more. */
export const shownOfKind = 5
export const mostOfKind = 100

const Parts = z.array(z.object({ text: z.string(), isFound: z.boolean() }))

export const FoundItem = z.object({
  /** Of a counterparty: its number. */
  id: z.string(),
  /** The name, with the found words marked. */
  title: Parts,
  /** Who is on the other side, what a point belongs to, how to reach a person; may be empty. */
  note: z.string(),
  /** Of a request. */
  status: z.nullable(OneStatus),
  /** When it arrived or was made. */
  at: z.nullable(Moment),
  /** Where it was found, if its name does not show it; for a text the page, from 1. */
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
    /** Empty: what is newest. */
    q: z._default(line(longestQuery), ''),
    /** Only this kind, to page through it. */
    kind: z.optional(z.enum(searchKinds)),
    skip: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(mostOfKind)), 0),
    take: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)), shownOfKind),
  }),
  /** Groups without a result are left out. */
  result: z.object({
    /** What was looked for instead, because nothing has the words that were typed. */
    corrected: z.nullable(z.string()),
    groups: z.array(z.object({ kind: z.enum(searchKinds), items: z.array(FoundItem), hasMore: z.boolean() })),
  }),
  refusals: [],
})
