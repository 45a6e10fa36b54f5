/**
 * The pages of a PDF below each other: rendered when they come near the viewport, released when they are far from it.
 */
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useElementSize, useFullscreenElement } from '@mantine/hooks'
import { useTexts } from '../../i18n/use-texts.ts'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { icon } from '../../ui/look/icon.tsx'
import { MenuIcon, SearchIcon, ZoomInIcon, ZoomOutIcon } from '../../ui/look/icons.tsx'
import { PdfOutline, useOutline } from './pdf-outline.tsx'
import { openPdf, type PDFDocumentProxy, type PDFPageProxy } from './pdf-reader.ts'
import { PdfUnseen } from './pdf-unseen.tsx'
import { PdfSearch, type Mark, type Marks } from './pdf-search.tsx'
import { PageMarks } from './places/page-marks.tsx'
import { inPercent, type Places } from './places/place.ts'
import { TextLayer } from './places/text-layer.tsx'
import { PreviewFailed } from './preview-failed.tsx'
import classes from './preview.module.css'

const FullScreenIcon = icon(<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />)

const PlaceIcon = icon(<path d="M4 5h16v11h-8l-4 4v-4H4zM12 8v5M9.5 10.5h5" />)

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]
/** A sheet fills the width it is given, but is not blown up on a wide screen. */
const widestSheet = 1000

export function PdfPreview(props: { bytes: ArrayBuffer; name: string; places?: Places | undefined }) {
  const { bytes, name, places } = props
  const { t } = useTexts('documents')
  const { pdf, hasFailed } = usePdf(bytes)
  const { ref, width } = useElementSize()
  const [zoom, setZoom] = useState(1)
  const [marks, setMarks] = useState<Marks>(new Map())
  const [panel, setPanel] = useState<'search' | 'outline' | null>(null)
  const [current, setCurrent] = useState(1)
  const { ref: viewer, toggle: toggleFullScreen, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const pages = useRef<HTMLDivElement>(null)
  const bookmarks = useOutline(pdf)
  const [isPointing, setPointing] = useState(false)
  useShownMark(pages, places, pdf !== null && width > 0)
  useCountedPages(pdf, places)
  if (hasFailed) return <PreviewFailed />
  const showPage = (number: number) => {
    const [place, page] = [pages.current, pages.current?.querySelector(`[data-page="${number}"]`)]
    // Scrolls only the frame, not the page around it.
    if (place && page) place.scrollTop += page.getBoundingClientRect().top - place.getBoundingClientRect().top
  }
  const step = (by: number) => setZoom(zooms[zooms.indexOf(zoom) + by] ?? zoom)
  const toggle = (one: 'search' | 'outline') => {
    if (panel === 'search') setMarks(new Map())
    setPanel(panel === one ? null : one)
  }
  const percent = Math.round(zoom * 100)
  return (
    <div ref={viewer} className={classes.viewer}>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex */}
      <div
        ref={pages}
        className={classes.pages}
        role="region"
        aria-label={name}
        tabIndex={0}
        onScroll={({ currentTarget }) => setCurrent(pageInView(currentTarget))}
      >
        {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex */}
        <div ref={ref}>
          {!pdf && (
            <div className={classes.loading}>
              <LoadingLines count={8} />
            </div>
          )}
          {pdf && <PdfUnseen pdf={pdf} />}
          {pdf &&
            width > 0 &&
            Array.from({ length: pdf.numPages }, (_, i) => (
              <PdfPage
                key={i}
                pdf={pdf}
                number={i + 1}
                width={Math.min(width, widestSheet) * zoom}
                marks={marks.get(i + 1)}
                places={places}
                isPointing={isPointing || places?.isPointing === true}
                onPointed={() => setPointing(false)}
              />
            ))}
        </div>
      </div>
      {pdf && panel === 'search' && (
        <div className={classes.panel}>
          <PdfSearch pdf={pdf} onFound={setMarks} onPage={showPage} />
        </div>
      )}
      {pdf && panel === 'outline' && (
        <nav className={classes.panel} aria-label={t('preview.outline')}>
          <PdfOutline pdf={pdf} bookmarks={bookmarks} onPage={showPage} />
        </nav>
      )}
      {pdf && (
        <div className={classes.bar}>
          {bookmarks.length > 0 && (
            <Tool label={t('preview.outline')} isOpen={panel === 'outline'} onPress={() => toggle('outline')}>
              <MenuIcon size={18} />
            </Tool>
          )}
          <Tool label={t('preview.search')} isOpen={panel === 'search'} onPress={() => toggle('search')}>
            <SearchIcon size={18} />
          </Tool>
          {places?.onPick && !places.isPointing && (
            <Tool label={t('places.point')} isOpen={isPointing} onPress={() => setPointing(!isPointing)}>
              <PlaceIcon size={18} />
            </Tool>
          )}
          <span className={classes.current}>
            {t('preview.current', { page: current, total: pdf.numPages })}
          </span>
          <Tool label={t('preview.zoomOut')} isOff={zoom === zooms[0]} onPress={() => step(-1)}>
            <ZoomOutIcon size={18} />
          </Tool>
          <Button
            variant="subtle"
            color="var(--ink-2)"
            size="compact-sm"
            px={4}
            aria-label={t('preview.zoomNow', { percent })}
            onClick={() => setZoom(1)}
          >
            {t('preview.percent', { percent })}
          </Button>
          <Tool label={t('preview.zoomIn')} isOff={zoom === zooms.at(-1)} onPress={() => step(1)}>
            <ZoomInIcon size={18} />
          </Tool>
          {document.fullscreenEnabled && (
            <Tool
              label={t(fullscreen ? 'preview.leaveFullScreen' : 'preview.fullScreen')}
              onPress={() => void toggleFullScreen()}
            >
              <FullScreenIcon size={18} />
            </Tool>
          )}
        </div>
      )}
    </div>
  )
}

function Tool(props: {
  label: string
  /** Whether the panel that it opens is open. */
  isOpen?: boolean
  isOff?: boolean
  onPress: () => void
  children: ReactNode
}) {
  return (
    <Tooltip label={props.label} withinPortal={false}>
      <ActionIcon
        variant="subtle"
        color="var(--ink-2)"
        size={36}
        radius="xl"
        aria-label={props.label}
        {...(props.isOpen !== undefined && { 'aria-expanded': props.isOpen })}
        disabled={props.isOff ?? false}
        onClick={props.onPress}
      >
        {props.children}
      </ActionIcon>
    </Tooltip>
  )
}

/** The number of the page at the middle of the frame. */
function pageInView(frame: HTMLElement): number {
  const { top, height } = frame.getBoundingClientRect()
  const sheets = frame.querySelectorAll<HTMLElement>('[data-page]')
  let [first, last] = [0, sheets.length - 1]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (sheets[middle]!.getBoundingClientRect().bottom < top + height / 2) first = middle + 1
    else last = middle
  }
  return first + 1
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
  places: Places | undefined
  isPointing: boolean
  onPointed: () => void
}) {
  const { pdf, number, width, marks = [], places } = props
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
      // The role `img` would hide the buttons of marks from screen readers.
      role={places ? 'group' : 'img'}
      aria-label={t('preview.page', { page: number, count: pdf.numPages })}
      style={{ width, height }}
    >
      {isNear && page && <PdfCanvas page={page} width={width} />}
      {isNear && marks.map((mark, i) => <span key={i} className={classes.found} style={inPercent(mark)} />)}
      {isNear && page && places?.onPick && !props.isPointing && <TextLayer page={page} width={width} />}
      {places && (
        <PageMarks places={places} page={number} isPointing={props.isPointing} onPointed={props.onPointed} />
      )}
    </div>
  )
}

/** Brings the chosen mark into view. */
function useShownMark(frame: RefObject<HTMLElement | null>, places: Places | undefined, isReady: boolean) {
  const shown = places?.shown ?? null
  useEffect(() => {
    const place = frame.current
    const mark = shown && place?.querySelector(`[data-mark="${CSS.escape(shown.id)}"]`)
    if (!isReady || !place || !mark) return
    const { top } = place.getBoundingClientRect()
    place.scrollBy({ top: mark.getBoundingClientRect().top - top - place.clientHeight / 4 })
  }, [frame, shown, isReady])
}

function useCountedPages(pdf: PDFDocumentProxy | null, places: Places | undefined) {
  const onPages = places?.onPages
  useEffect(() => {
    if (pdf) onPages?.(pdf.numPages)
  }, [pdf, onPages])
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
