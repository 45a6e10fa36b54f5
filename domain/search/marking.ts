/** How a found text is shown: with the found words marked; of a long text only the piece that contains them. */
import type { Hit, Matcher } from './query.ts'

export type Part = { text: string; isFound: boolean }

/** The whole text in parts, with the found words marked. */
export function marked(text: string, matcher: Matcher): Part[] {
  const whole = text.normalize('NFC')
  const hits = matcher.hitsOf(whole).flatMap((found) => found ?? [])
  return partsOf(whole, hits, { start: 0, end: whole.length })
}

const before = 60
const longestExcerpt = 180

/** The piece of a page around the first place with most of the query's words; null: the page has none of them. */
export function excerptOf(page: string, matcher: Matcher): Part[] | null {
  const text = page.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  const byTerm = matcher.hitsOf(text)
  const hits = byTerm.flatMap((found) => found ?? [])
  if (hits.length === 0) return null
  const pieces = hits.map((hit) => pieceAround(text, hit))
  const termsIn = ({ start, end }: Piece) =>
    byTerm.filter((found) => found?.some((hit) => hit.start >= start && hit.end <= end)).length
  const best = pieces.reduce((one, other) => (termsIn(other) > termsIn(one) ? other : one))
  const parts = partsOf(text, hits, best)
  return [
    ...(best.start > 0 ? [{ text: '… ', isFound: false }] : []),
    ...parts,
    ...(best.end < text.length ? [{ text: ' …', isFound: false }] : []),
  ]
}

/** The number of the first page that has most of the query's words; null: no page has any. */
export function bestPage(pages: readonly string[], matcher: Matcher): number | null {
  let best: { number: number; terms: number } | null = null
  for (const [i, page] of pages.entries()) {
    const hits = matcher.hitsOf(page)
    const terms = hits.filter((found) => found !== null).length
    if (terms > (best?.terms ?? 0)) best = { number: i + 1, terms }
    if (terms === hits.length) break
  }
  return best?.number ?? null
}

type Piece = { start: number; end: number }

/** The piece of the text around a hit; it begins and ends between words. */
function pieceAround(text: string, { start, end }: Hit): Piece {
  const from = Math.max(0, start - before)
  const to = Math.max(end, Math.min(text.length, from + longestExcerpt))
  const first = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const last = to === text.length ? to : text.lastIndexOf(' ', to)
  return { start: first > start ? start : first, end: last < end ? end : last }
}

function partsOf(text: string, hits: readonly Hit[], { start, end }: Piece): Part[] {
  const inside = hits
    .filter((hit) => hit.start >= start && hit.end <= end)
    .toSorted((one, other) => one.start - other.start)
  const parts: Part[] = []
  let at = start
  for (const hit of inside) {
    if (hit.end <= at) continue
    const from = Math.max(hit.start, at)
    if (from > at) parts.push({ text: text.slice(at, from), isFound: false })
    parts.push({ text: text.slice(from, hit.end), isFound: true })
    at = hit.end
  }
  if (at < end) parts.push({ text: text.slice(at, end), isFound: false })
  return parts
}
