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

/** The seal of a signature at its place, or the empty place of an awaited signature. */
export type PageSeal = {
  id: string
  page: number
  left: number
  top: number
  /** The first line is small, the second one is the name. */
  lines: readonly string[]
  isSigned: boolean
}

/** What a preview shows on its pages, and what people can do there besides reading. */
export type Places = {
  marks: readonly PlaceMark[]
  seals?: readonly PageSeal[]
  /** Only pointing is possible: text cannot be selected, and the place follows the mouse while it is pressed. */
  isPointing?: boolean
  /** Called with the number of pages. */
  onPages?: (count: number) => void
  /** The mark to scroll into view; a new object scrolls to it again. */
  shown: { id: string } | null
  onOpen: (id: string) => void
  /** Left out where choosing a place is not offered. */
  onPick?: ((place: DocumentPlace) => void) | undefined
}

type Box = { left: number; top: number; right: number; bottom: number }

/** The area of the page that contains all boxes; null if none of them is on the page. */
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

/** An area of fixed size around the point at which somebody pressed, within the page. */
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

/**
 * The selected text as one line of at most `longest` characters, without invisible characters, which a PDF may
 * contain.
 */
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
