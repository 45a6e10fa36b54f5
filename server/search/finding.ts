/** One search: candidates from the index that the viewer may see, and the best of them with the matching place. */
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { mostOfKind, searchKinds, type FoundItem, type SearchKind } from '@kelisim/domain/search/contract.ts'
import { bestPage, excerptOf, marked } from '@kelisim/domain/search/marking.ts'
import { matcherOf, tsqueriesOf, type Matcher, type Query } from '@kelisim/domain/search/query.ts'
import { byRank, rankOf, type Rank } from '@kelisim/domain/search/ranking.ts'
import { findCandidates, findNewest, findWords, type Candidate } from './queries/candidates.ts'
import { keysOf, sourceOf, textKeysOf, type SearchViewer } from './queries/sources.ts'
import { findPages } from './texts/queries.ts'
import { loadThings, type Counterparty, type ThingViewer, type FoundThing } from './things.ts'

export type Item = z.input<typeof FoundItem>
export type Group = { kind: SearchKind; items: Item[]; hasMore: boolean }
export type Page = { skip: number; take: number }

type IndexedKind = Exclude<SearchKind, 'counterparty'>
type RankedThing = FoundThing & Rank & { kind: IndexedKind; at: Date }

const indexedKinds = searchKinds.filter((kind) => kind !== 'counterparty')
/** The kinds in which counterparties are found: whoever may see such a thing may know its counterparties. */
const kindsWithParties = ['request', 'point'] as const

/** The things of the viewer, newest first. */
export async function newestThings(
  db: Db,
  viewer: SearchViewer,
  looking: ThingViewer,
  kinds: readonly SearchKind[],
  page: Page,
): Promise<Group[]> {
  const shown = (['request', 'document'] as const).filter((kind) => kinds.includes(kind))
  const groups = shown.map(async (kind) => {
    const newest = await findNewest(db, sourceOf(kind, viewer), mostOfKind)
    const things = await loadCandidates(db, kind, newest.slice(0, page.skip + page.take + 1), looking)
    const nothing = matcherOf([])
    return groupOf(
      kind,
      things.map((one) => itemOf({ ...one, kind, score: 0, place: null }, nothing)),
      page,
    )
  })
  return (await Promise.all(groups)).filter(({ items }) => items.length > 0)
}

export async function findThings(
  db: Db,
  viewer: SearchViewer,
  looking: ThingViewer,
  { query, kinds, page }: { query: Query; kinds: readonly SearchKind[]; page: Page },
): Promise<Group[]> {
  const matcher = matcherOf(query)
  const asked = {
    terms: tsqueriesOf(query),
    keys: keysOf(viewer),
    textKeys: textKeysOf(viewer),
    limit: mostOfKind,
  }
  const wanted = indexedKinds.filter(
    (kind) => kinds.includes(kind) || (kinds.includes('counterparty') && isWithParties(kind)),
  )
  const found = await Promise.all(
    wanted.map(async (kind) => {
      const candidates = await findCandidates(db, sourceOf(kind, viewer), asked)
      const things = await loadCandidates(db, kind, candidates, looking)
      return things.flatMap(({ isInText, ...one }): RankedThing[] => {
        const rank = rankOf(matcher, one.fields, isInText)
        return rank ? [{ ...one, ...rank, kind }] : []
      })
    }),
  )
  const all = found.flat().toSorted(byRank)
  const groups = searchKinds
    .filter((kind) => kinds.includes(kind))
    .map(async (kind): Promise<Group> => {
      if (kind === 'counterparty') return groupOf(kind, counterpartiesIn(all, matcher), page)
      const shown = groupOf(
        kind,
        all.filter((one) => one.kind === kind),
        page,
      )
      const places = await findTextPlaces(db, shown.items, matcher)
      return { ...shown, items: shown.items.map((one) => itemOf(one, matcher, places.get(one.id))) }
    })
  return (await Promise.all(groups)).filter(({ items }) => items.length > 0)
}

/** The words of the newest things of the viewer, the more frequent first. */
export async function findOwnWords(db: Db, viewer: SearchViewer): Promise<string[]> {
  const words = await Promise.all(indexedKinds.map((kind) => findWords(db, sourceOf(kind, viewer))))
  return words.flat()
}

function isWithParties(kind: IndexedKind): boolean {
  return (kindsWithParties as readonly string[]).includes(kind)
}

async function loadCandidates(
  db: Db,
  kind: IndexedKind,
  candidates: readonly Candidate[],
  looking: ThingViewer,
): Promise<(FoundThing & Pick<Candidate, 'at' | 'isInText'>)[]> {
  const things = await loadThings(
    db,
    kind,
    candidates.map(({ id }) => id),
    looking,
  )
  const byId = new Map(things.map((one) => [one.id, one]))
  return candidates.flatMap(({ id, at, isInText }) => {
    const one = byId.get(id)
    return one ? [{ ...one, at, isInText }] : []
  })
}

function groupOf<T>(kind: SearchKind, items: readonly T[], { skip, take }: Page) {
  return { kind, items: items.slice(skip, skip + take), hasMore: items.length > skip + take }
}

function itemOf(
  { id, title, note, status, at, place }: RankedThing,
  matcher: Matcher,
  textPlace?: Item['place'],
): Item {
  return {
    id,
    title: marked(title, matcher),
    note,
    status,
    at: at.toISOString(),
    place: textPlace ?? (place && { field: place.field, page: null, parts: marked(place.text, matcher) }),
  }
}

/** For things found by their text, where the query matches: the first page with most of its words. */
async function findTextPlaces(
  db: Db,
  shown: readonly RankedThing[],
  matcher: Matcher,
): Promise<Map<string, NonNullable<Item['place']>>> {
  const [first] = shown
  if (!first || (first.kind !== 'request' && first.kind !== 'document')) return new Map()
  const ids = shown.filter(({ place }) => place?.field === 'text').map(({ id }) => id)
  const pagesOf = await findPages(db, first.kind === 'document' ? 'documents' : 'signingRequests', ids)
  return new Map(
    [...pagesOf].flatMap(([id, pages]) => {
      const number = bestPage(pages, matcher)
      const parts = number === null ? null : excerptOf(pages[number - 1]!, matcher)
      // A document without pages is a single page, whose number is not shown.
      const page = pages.length > 1 ? number : null
      return parts ? [[id, { field: 'text' as const, page, parts }] as const] : []
    }),
  )
}

/** The counterparties whose name or number matches the query, each once, those of the best things first. */
function counterpartiesIn(things: readonly RankedThing[], matcher: Matcher): Item[] {
  const byNumber = new Map<string, Counterparty>()
  for (const one of things.flatMap(({ parties }) => parties)) {
    const isFound = rankOf(matcher, [{ field: 'party', text: `${one.name} ${one.bin}` }], false) !== null
    if (isFound && !byNumber.has(one.bin)) byNumber.set(one.bin, one)
  }
  return [...byNumber.values()].map(({ bin, name }) => ({
    id: bin,
    title: marked(name === '' ? bin : name, matcher),
    note: bin,
    status: null,
    at: null,
    place: null,
  }))
}
