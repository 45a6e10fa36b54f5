/**
 * Where on a page the seal of a signature is shown: a mark for readers that never affects validity (decision 089).
 */
import * as z from 'zod/mini'
import type { Alias, Parameters } from '../../errors.ts'
import { Id } from '../../fields.ts'
import { isSigningType, type PointType } from '../../points/point-types.ts'

/** The width of a seal as a fraction of the width of its page; a seal is four times as wide as it is high. */
export const sealWidth = 0.3
export const sealRatio = 4

const share = (most: number) => z.number().check(z.minimum(0), z.maximum(most))

/** The upper left corner of a seal, in fractions of the page as displayed. */
export const SealPlace = z.object({
  page: z.number().check(z.int(), z.minimum(1), z.maximum(100_000)),
  left: share(1 - sealWidth),
  top: share(1),
})
export type SealPlace = z.output<typeof SealPlace>

const PointPlace = z.extend(SealPlace, { pointId: Id })
export type PointPlace = z.output<typeof PointPlace>

/** Higher than the most points of a route. */
const mostPlaces = 100

export const PointPlaces = z.array(PointPlace).check(
  z.maxLength(mostPlaces, 'too-long'),
  z.refine((all) => new Set(all.map(({ pointId }) => pointId)).size === all.length, 'repeated-place'),
)

type Placeable = { pointId: string; type: PointType }

/** Why the places do not fit the route; points that are passed over for this document may have a place. */
export function whyNotPlaces(
  points: readonly Placeable[],
  places: readonly PointPlace[],
): { alias: Alias; parameters: Parameters } | null {
  const typeAt = new Map(points.map(({ pointId, type }) => [pointId, type]))
  const missing = places.map(({ pointId }) => pointId).filter((pointId) => !typeAt.has(pointId))
  if (missing.length > 0) return { alias: 'points-not-found', parameters: { pointIds: missing } }
  const silent = places.find(({ pointId }) => !isSigningType(typeAt.get(pointId)!))
  return silent ? { alias: 'place-without-signature', parameters: { pointIds: [silent.pointId] } } : null
}

/** Why the places do not fit the pages of the document; `pages` is null for files without pages. */
export function whyNotPages(
  places: readonly SealPlace[],
  pages: number | null,
): { alias: Alias; parameters: Parameters } | null {
  if (places.length === 0) return null
  if (pages === null) return { alias: 'place-needs-pdf', parameters: {} }
  const beyond = places.find(({ page }) => page > pages)
  return beyond ? { alias: 'place-beyond-pages', parameters: { page: beyond.page, pages } } : null
}

/** Each point with its place, or with null. */
export function withPlaces<P extends Placeable>(
  points: readonly P[],
  places: readonly PointPlace[],
): (P & { place: SealPlace | null })[] {
  const placeAt = new Map(places.map(({ pointId, page, left, top }) => [pointId, { page, left, top }]))
  return points.map((point) => ({ ...point, place: placeAt.get(point.pointId) ?? null }))
}

/** Places were chosen on the pages of the first document, so later revisions have none. */
export function placeIn(revision: number, place: SealPlace | null): SealPlace | null {
  return revision === 1 ? place : null
}
