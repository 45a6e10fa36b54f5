/** The bookmarks of a PDF: its table of contents, if it has one. */
import { useEffect, useState } from 'react'
import { UnstyledButton } from '@mantine/core'
import type { PDFDocumentProxy } from './pdf-reader.ts'
import classes from './preview.module.css'

/** The name of a destination, or the destination itself, whose first element is its page. */
type Destination = string | readonly unknown[] | null
/** A bookmark as pdf.js returns it; its own type lacks the items below. */
type Bookmark = { title: string; dest: Destination; items: Bookmark[] }

export function useOutline(pdf: PDFDocumentProxy | null): Bookmark[] {
  const [outline, setOutline] = useState<Bookmark[]>([])
  useEffect(() => {
    let isGone = false
    pdf?.getOutline().then(
      (found: Bookmark[] | null) => !isGone && setOutline(found ?? []),
      () => {}, // without bookmarks the document is read as before
    )
    return () => {
      isGone = true
    }
  }, [pdf])
  return outline
}

/** The number of the page that a bookmark leads to; null: it leads nowhere in this document. */
export async function pageOfBookmark(
  pdf: Pick<PDFDocumentProxy, 'getDestination' | 'getPageIndex'>,
  destination: Destination,
): Promise<number | null> {
  try {
    const explicit = typeof destination === 'string' ? await pdf.getDestination(destination) : destination
    const target: unknown = explicit?.[0]
    if (typeof target === 'number') return target + 1
    if (typeof target !== 'object' || target === null) return null
    return (await pdf.getPageIndex(target as Parameters<PDFDocumentProxy['getPageIndex']>[0])) + 1
  } catch {
    return null
  }
}

export function PdfOutline(props: {
  pdf: PDFDocumentProxy
  bookmarks: readonly Bookmark[]
  onPage: (page: number) => void
}) {
  const { pdf, bookmarks, onPage } = props
  const open = async (destination: Destination) => {
    const page = await pageOfBookmark(pdf, destination)
    if (page !== null) onPage(page)
  }
  return (
    <ul className={classes.bookmarks}>
      {bookmarks.map(({ title, dest, items }, i) => (
        <li key={i}>
          <UnstyledButton onClick={() => void open(dest)}>{title}</UnstyledButton>
          {items.length > 0 && <PdfOutline pdf={pdf} bookmarks={items} onPage={onPage} />}
        </li>
      ))}
    </ul>
  )
}
