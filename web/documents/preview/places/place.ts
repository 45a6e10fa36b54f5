/** Places in a document: what somebody selects or points at, and the marks that are drawn there. */
import { withoutHidden } from '@kelisim/domain/visible-text.ts'

/** A rectangle in fractions of its page, from the top left corner. */
export type Area = { left: number; top: number; width: number; height: number }

/** `page` is null in files without pages. */
export type DocumentPlace = { page: number | null; quote: string; area: Area | null }

export type PlaceMark = {
  id: string
  page: number
  /** Null: somewhere on the page. */
  area: Area | null
  label: string
  tone: 'own' | 'all'
}

/** The seal of a signature at its place, or the empty place of one that is awaited. */
export type PageSeal = {
  id: string
  page: number
  left: number
  top: number
  /** The first line is small, the second one is the name. */
  lines: readonly string[]
  isSigned: boolean
}

/** What a preview shows and lets people do besides reading. */
export type Places = {
  marks: readonly PlaceMark[]
  seals?: readonly PageSeal[]
  /** Nothing but pointing: words are not selected, and what is pointed at follows the mouse while it is pressed. */
  isPointing?: boolean
  /** Told how many pages there are. */
  onPages?: (count: number) => void
  /** The mark that is to be brought into view; another object brings it there again. */
  shown: { id: string } | null
  onOpen: (id: string) => void
  /** Left out where nobody may choose a place. */
  onPick?: ((place: DocumentPlace) => void) | undefined
}

type Box = { left: number; top: number; right: number; bottom: number }

/** The area of a page that holds all these boxes; null if none of them is on it. */
export function areaOf(boxes: readonly Box[], sheet: Box): Area | null {
  const inside = boxes.filter(
    (box) =>
      box.right > box.left &&
      box.bottom > box.top &&
      box.left < sheet.right &&
      box.right > sheet.left &&
      box.top < sheet.bottom &&
      box.bottom > sheet.top,
  )
  if (inside.length === 0) return null
  const [width, height] = [sheet.right - sheet.left, sheet.bottom - sheet.top]
  const left = share(Math.min(...inside.map((box) => box.left)) - sheet.left, width)
  const top = share(Math.min(...inside.map((box) => box.top)) - sheet.top, height)
  return {
    left,
    top,
    width: share(Math.max(...inside.map((box) => box.right)) - sheet.left, width) - left,
    height: share(Math.max(...inside.map((box) => box.bottom)) - sheet.top, height) - top,
  }
}

/** Around the point at which somebody pressed. */
export function areaAround(point: { x: number; y: number }, sheet: Box): Area {
  const [width, height] = [0.08, 0.03]
  const at = (middle: number, size: number) => Math.min(1 - size, Math.max(0, middle - size / 2))
  return {
    left: at((point.x - sheet.left) / (sheet.right - sheet.left), width),
    top: at((point.y - sheet.top) / (sheet.bottom - sheet.top), height),
    width,
    height,
  }
}

/** Of a selection: one line, no longer than what may be kept. A PDF may have characters that nobody sees, which are not kept. */
export function quoteOf(selected: string, longest: number): string {
  const words = withoutHidden(selected.toWellFormed().replaceAll(/\s+/g, ' ')).trim()
  return words.length <= longest ? words : `${words.slice(0, longest - 1).toWellFormed()}…`
}

function share(part: number, whole: number): number {
  return Math.min(1, Math.max(0, part / whole))
}

export function inPercent({ left, top, width, height }: Area) {
  const percent = (part: number) => `${part * 100}%`
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) }
}
