import { assert, constantFrom, integer, property, record, uniqueArray, uuid } from 'fast-check'
import { expect, test } from 'vitest'
import { isSigningType, pointTypes } from '../../points/point-types.ts'
import {
  placeIn,
  PointPlaces,
  SealPlace,
  sealWidth,
  whyNotPages,
  whyNotPlaces,
  withPlaces,
  type PointPlace,
} from './place.ts'

const place = { page: 2, left: 0.5, top: 0.8 }

const routes = uniqueArray(record({ pointId: uuid(), type: constantFrom(...pointTypes.names) }), {
  minLength: 1,
  maxLength: 8,
  selector: ({ pointId }) => pointId,
})
const placesOf = (pointIds: readonly string[]): PointPlace[] =>
  pointIds.map((pointId) => ({ ...place, pointId }))

test('places are accepted exactly when each belongs to a signing point of the route', () => {
  assert(
    property(
      routes,
      uniqueArray(uuid(), { maxLength: 2 }),
      integer({ min: 0, max: 255 }),
      (points, others, mask) => {
        const chosen = points.filter((_, i) => (mask >> i) % 2 === 1)
        const strangers = others.filter((id) => points.every(({ pointId }) => pointId !== id))
        const places = placesOf([...chosen.map(({ pointId }) => pointId), ...strangers])
        const expected =
          strangers.length > 0
            ? 'points-not-found'
            : chosen.every(({ type }) => isSigningType(type))
              ? undefined
              : 'place-without-signature'
        expect(whyNotPlaces(points, places)?.alias).toBe(expected)
      },
    ),
  )
})

test('a place changes nothing else of its point, and no other point', () => {
  assert(
    property(routes, integer({ min: 0, max: 255 }), (points, mask) => {
      const chosen = points.filter((_, i) => (mask >> i) % 2 === 1).map(({ pointId }) => pointId)
      const placed = withPlaces(points, placesOf(chosen))
      expect(placed.map(({ place: _, ...point }) => point)).toEqual(points)
      expect(placed.filter((point) => point.place !== null).map(({ pointId }) => pointId)).toEqual(chosen)
    }),
  )
})

test('a place on a page that the document does not have is refused', () => {
  const pages = record({ page: integer({ min: 1, max: 9 }), of: integer({ min: 1, max: 9 }) })
  assert(
    property(pages, ({ page, of }) => {
      const expected = page > of ? { alias: 'place-beyond-pages', parameters: { page, pages: of } } : null
      expect(whyNotPages([{ ...place, page }], of)).toEqual(expected)
    }),
  )
  expect(whyNotPages([place], null)?.alias).toBe('place-needs-pdf')
  expect(whyNotPages([], null)).toBeNull()
})

test('a corrected document has no places', () => {
  expect([1, 2, 3].map((revision) => placeIn(revision, place))).toEqual([place, null, null])
})

test.each([
  [{ ...place, page: 0 }, false],
  [{ ...place, page: 1.5 }, false],
  [{ ...place, left: 1 - sealWidth + 0.01 }, false],
  [{ ...place, top: -0.1 }, false],
  [{ ...place, top: Number.NaN }, false],
  [place, true],
])('%o is a valid place: %s', (given, expected) => {
  expect(SealPlace.safeParse(given).success).toBe(expected)
})

test('a point has at most one place', () => {
  const pointId = '0198c0de-7f2a-7c11-9a55-3d2f6b7e9a10'
  expect(PointPlaces.safeParse(placesOf([pointId])).success).toBe(true)
  expect(PointPlaces.safeParse(placesOf([pointId, pointId])).error?.issues[0]?.message).toBe('repeated-place')
})
