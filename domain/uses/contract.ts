/**
 * Where something is used: the uses that the caller may see, and how many more there are (docs/product/interface.md).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'

/** The kinds of things that are used by others; the page of each says where. */
export const usedKinds = ['document', 'point', 'route', 'routeTemplate'] as const
export type UsedKind = (typeof usedKinds)[number]

export const Use = z.object({
  kind: z.enum(['request', 'route', 'routeTemplate']),
  id: Id,
  name: z.string(),
  /** The status of a request; null for other kinds. */
  status: z.nullable(z.number()),
})
export type Use = z.infer<typeof Use>

/** The uses of something; also the parameters of a refusal to delete it. */
export const Uses = z.object({
  /** The first few that the caller may see. */
  uses: z.array(Use),
  /** The number of uses that are not listed, or that the caller may not see. */
  more: z.number(),
})
export type Uses = z.infer<typeof Uses>

export const getUses = endpoint({
  method: 'GET',
  path: '/api/Uses/:organizationId/:kind/:id',
  access: 'member',
  summary:
    'The requests, routes and route templates that use a document, a point, a route or a route template',
  input: z.object({ organizationId: Id, kind: z.enum(usedKinds), id: Id }),
  result: Uses,
  refusals: ['document-not-found', 'point-not-found', 'route-not-found', 'route-template-not-found'],
})

/** The uses in the parameters of a refusal; null if it has none. */
export function usesIn(parameters: Readonly<Record<string, unknown>>): Uses | null {
  return Uses.safeParse(parameters).data ?? null
}
