/**
 * The pages of a PDF below each other: rendered when they come near the viewport, released when they are far from it.
 */
import { useEffect, useRef, useState, type RefObject } from 'react'
import { ActionIcon, Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useTexts } from '../../i18n/use-texts.ts'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { ZoomInIcon, ZoomOutIcon } from '../../ui/look/icons.tsx'
import { openPdf, type PDFDocumentProxy, type PDFPageProxy } from './pdf-reader.ts'
import { PdfSearch, type Mark, type Marks } from './pdf-search.tsx'
import { PreviewFailed } from './preview-failed.tsx'
import classes from './preview.module.css'

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

export function PdfPreview({ bytes, name }: { bytes: ArrayBuffer; name: string }) {
  const { t } = useTexts('documents')
  const { pdf, hasFailed } = usePdf(bytes)
  const { ref, width } = useElementSize()
  const [zoom, setZoom] = useState(1)
  const [marks, setMarks] = useState<Marks>(new Map())
  const pages = useRef<HTMLDivElement>(null)
  if (hasFailed) return <PreviewFailed />
  const showPage = (number: number) => {
    const [place, page] = [pages.current, pages.current?.querySelector(`[data-page="${number}"]`)]
    // Scrolls only the frame, not the page around it.
    if (place && page) place.scrollTop += page.getBoundingClientRect().top - place.getBoundingClientRect().top
  }
  const step = (by: number) => setZoom(zooms[zooms.indexOf(zoom) + by] ?? zoom)
  return (
    <div className={classes.pdf}>
      <div className={classes.bar}>
        <span>{pdf && t('preview.pages', { total: pdf.numPages })}</span>
        {pdf && <PdfSearch pdf={pdf} onFound={setMarks} onPage={showPage} />}
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('preview.zoomOut')}
          disabled={zoom === zooms[0]}
          onClick={() => step(-1)}
        >
          <ZoomOutIcon />
        </ActionIcon>
        <Button variant="default" size="compact-md" onClick={() => setZoom(1)}>
          {t('preview.zoomFit')}
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('preview.zoomIn')}
          disabled={zoom === zooms.at(-1)}
          onClick={() => step(1)}
        >
          <ZoomInIcon />
        </ActionIcon>
      </div>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={pages} className={classes.pages} role="region" aria-label={name} tabIndex={0}>
        <div ref={ref}>
          {!pdf && <LoadingLines count={8} />}
          {pdf &&
            width > 0 &&
            Array.from({ length: pdf.numPages }, (_, i) => (
              <PdfPage key={i} pdf={pdf} number={i + 1} width={width * zoom} marks={marks.get(i + 1)} />
            ))}
        </div>
      </div>
    </div>
  )
}

function usePdf(bytes: ArrayBuffer): { pdf: PDFDocumentProxy | null; hasFailed: boolean } {
  const [state, setState] = useState<{ pdf: PDFDocumentProxy | null; hasFailed: boolean }>({
    pdf: null,
    hasFailed: false,
  })
  useEffect(() => {
    const task = openPdf(bytes)
    let isGone = false
    task.promise.then(
      (pdf) => !isGone && setState({ pdf, hasFailed: false }),
      () => !isGone && setState({ pdf: null, hasFailed: true }),
    )
    return () => {
      isGone = true
      void task.destroy()
    }
  }, [bytes])
  return state
}

/** The proportions of an A4 sheet, until those of the page are known. */
const usualRatio = 842 / 595

function PdfPage(props: {
  pdf: PDFDocumentProxy
  number: number
  width: number
  marks: readonly Mark[] | undefined
}) {
  const { pdf, number, width, marks = [] } = props

  const { t } = useTexts('documents')
  const place = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(place)
  const [page, setPage] = useState<PDFPageProxy | null>(null)
  useEffect(() => {
    if (!isNear || page) return undefined
    let isGone = false
    void pdf.getPage(number).then(
      (found) => !isGone && setPage(found),
      () => {}, // a page that cannot be read stays an empty sheet
    )
    return () => {
      isGone = true
    }
  }, [pdf, number, isNear, page])
  const shape = page?.getViewport({ scale: 1 })
  const height = width * (shape ? shape.height / shape.width : usualRatio)
  return (
    <div
      ref={place}
      className={classes.sheet}
      data-page={number}
      role="img"
      aria-label={t('preview.page', { page: number, count: pdf.numPages })}
      style={{ width, height }}
    >
      {isNear && page && <PdfCanvas page={page} width={width} />}
      {isNear && marks.map((mark, i) => <span key={i} className={classes.found} style={inPercent(mark)} />)}
    </div>
  )
}

function inPercent({ left, top, width, height }: Mark) {
  const percent = (share: number) => `${share * 100}%`
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) }
}

function PdfCanvas({ page, width }: { page: PDFPageProxy; width: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const target = canvas.current
    if (!target) return undefined
    const { width: natural } = page.getViewport({ scale: 1 })
    const viewport = page.getViewport({ scale: (width / natural) * Math.min(2, window.devicePixelRatio) })
    target.width = Math.floor(viewport.width)
    target.height = Math.floor(viewport.height)
    const drawing = page.render({ canvas: target, viewport })
    drawing.promise.catch(() => {}) // rendering was cancelled or failed: the sheet stays empty
    return () => drawing.cancel()
  }, [page, width])
  return <canvas ref={canvas} className={classes.canvas} />
}

/** True within two screens of the viewport. */
function useIsNear(place: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '200% 0px',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return isNear
}
