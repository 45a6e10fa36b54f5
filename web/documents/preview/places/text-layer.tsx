/** The invisible text of a page above its picture, so that it can be selected. */
import { useEffect, useRef, type CSSProperties } from 'react'
import { TextLayer as PdfText, type PDFPageProxy } from 'pdfjs-dist'
import classes from './places.module.css'

export function TextLayer({ page, width }: { page: PDFPageProxy; width: number }) {
  const place = useRef<HTMLDivElement>(null)
  const { width: natural } = page.getViewport({ scale: 1 })
  useEffect(() => {
    const container = place.current
    if (!container) return undefined
    const text = new PdfText({
      textContentSource: page.streamTextContent(),
      container,
      viewport: page.getViewport({ scale: 1 }),
    })
    text.render().catch(() => {}) // cancelled, or a page without readable text: there is nothing to select
    return () => {
      text.cancel()
      container.replaceChildren()
    }
  }, [page])
  const scale = { '--total-scale-factor': width / natural } as CSSProperties
  return <div ref={place} className={classes.text} style={scale} />
}
