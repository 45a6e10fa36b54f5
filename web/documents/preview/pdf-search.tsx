/** Search in a PDF: goes through the pages with matches and highlights the matches. */
import { useRef, useState, type FormEvent } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { SearchIcon } from '../../ui/look/icons.tsx'
import { folded, matchesIn } from './pdf-matches.ts'
import type { PDFDocumentProxy, PDFPageProxy } from './pdf-reader.ts'
import { typedText } from '../../ui/form/typed-text.ts'
import classes from './preview.module.css'

type PdfSearchResult = { words: string; pages: number[]; at: number }
/** The rectangle of a match in fractions of the page, from its upper left corner. */
export type Mark = { left: number; top: number; width: number; height: number }
/** The marks by page number. */
export type Marks = ReadonlyMap<number, readonly Mark[]>

export function PdfSearch(props: {
  pdf: PDFDocumentProxy
  onFound: (marks: Marks) => void
  onPage: (page: number) => void
}) {
  const { pdf, onFound, onPage } = props
  const { t } = useTexts('documents')
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<PdfSearchResult | null>(null)
  const texts = useRef<Promise<PageText[]> | null>(null)

  /** Enter searches; Enter again goes to the next page with a match. */
  async function find(event: FormEvent): Promise<void> {
    event.preventDefault()
    const words = folded(typed)
    if (words === '') {
      onFound(new Map())
      return setFound(null)
    }
    let next: PdfSearchResult
    if (found?.words === words) next = { ...found, at: (found.at + 1) % Math.max(1, found.pages.length) }
    else {
      texts.current ??= textsOf(pdf)
      const marks = new Map((await texts.current).map((text, i) => [i + 1, marksOn(text, words)] as const))
      next = { words, pages: [...marks].flatMap(([page, here]) => (here.length > 0 ? [page] : [])), at: 0 }
      onFound(marks)
    }
    setFound(next)
    const page = next.pages[next.at]
    if (page !== undefined) onPage(page)
  }

  const page = found?.pages[found.at]
  return (
    <form className={classes.find} role="search" onSubmit={(event) => void find(event)}>
      <SearchIcon size={16} />
      <input
        type="search"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it appears because somebody pressed the button to search
        autoFocus
        aria-label={t('preview.search')}
        placeholder={t('preview.search')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(typedText(event))}
      />
      <span role="status">
        {found &&
          (page === undefined
            ? t('preview.notFound')
            : t('preview.found', { page, at: found.at + 1, total: found.pages.length }))}
      </span>
    </form>
  )
}

type TextItem = Extract<Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'][number], { str: string }>
type PageText = { pieces: TextItem[]; viewport: ReturnType<PDFPageProxy['getViewport']> }

/** The text is read once for each page. */
async function textsOf(pdf: PDFDocumentProxy): Promise<PageText[]> {
  const texts: PageText[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const pieces = items.filter((item): item is TextItem => 'str' in item)
    texts.push({ pieces, viewport: page.getViewport({ scale: 1 }) })
  }
  return texts
}

function marksOn({ pieces, viewport }: PageText, words: string): Mark[] {
  return matchesIn(pieces, words)
    .flat()
    .map(({ piece, from, to }) => {
      const { str, width, height, transform } = pieces[piece]!
      const [start, end] = [from, to].map((at) => width * shareOf(str, at))
      return markOf(transform as number[], start!, end!, height, viewport)
    })
}

/** The offset of a character as a fraction of the width of its piece, measured because characters differ in width. */
function shareOf(str: string, at: number): number {
  if (at <= 0) return 0
  if (at >= str.length) return 1
  ruler ??= document.createElement('canvas').getContext('2d')
  const [part, whole] = [str.slice(0, at), str].map((text) => ruler?.measureText(text).width ?? text.length)
  return whole ? part! / whole : 0
}

let ruler: CanvasRenderingContext2D | null = null

/** The box around a piece of text, which may run in any direction. */
function markOf(
  transform: readonly number[],
  start: number,
  end: number,
  height: number,
  viewport: PageText['viewport'],
): Mark {
  const [a = 1, b = 0, , , x = 0, y = 0] = transform
  const size = Math.hypot(a, b) || 1
  const [along, up] = [
    [a / size, b / size],
    [-b / size, a / size],
  ] as const
  const corners = [start, end].flatMap((far) =>
    [-0.2 * height, 0.95 * height].map((high) =>
      viewport.convertToViewportPoint(x + along[0] * far + up[0] * high, y + along[1] * far + up[1] * high),
    ),
  )
  const [xs, ys] = [corners.map((corner) => Number(corner[0])), corners.map((corner) => Number(corner[1]))]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return {
    left: left / viewport.width,
    top: top / viewport.height,
    width: (Math.max(...xs) - left) / viewport.width,
    height: (Math.max(...ys) - top) / viewport.height,
  }
}
