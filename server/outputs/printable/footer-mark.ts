/**
 * A line at the foot of every page of the original: which document it is, and where its signatures are checked. It is
 * a printed annotation, so the contents of the pages stay as they are and only each page's dictionary is written
 * again.
 */
import type { PDFRef } from '@cantoo/pdf-lib'
import { openDrawing, sheetSize, type Paper, type Style } from '@kelisim/pdf/drawing.ts'
import type { Original } from '@kelisim/pdf/incremental/original.ts'
import { millimetre } from '@kelisim/pdf/units.ts'
import { addMark, formOn, markOf, turnOf, type PageOfOriginal } from './page-annotations.ts'

const style: Style = { size: 6.5, colour: 'soft' }
const height = 4 * millimetre

/** The text is drawn once; `finish` is called when the fonts are known. */
export function openFooterMark(paper: Paper, words: string) {
  const drawing = openDrawing(paper)
  const width = drawing.widthOf(words, style) * millimetre
  // The lower left corner of the drawing is the lower left corner of the mark.
  drawing.line(words, 0, sheetSize.height - 1.2, style)
  return {
    finish(
      original: Original,
      pages: readonly (PageOfOriginal | null)[],
      fonts: Record<string, PDFRef>,
    ): void {
      const { context } = original
      const mark = markOf(original, drawing.finish(fonts), { width, height })
      if (!mark) return
      const turned = new Map<string, PDFRef>()
      for (const page of pages) {
        if (!page) continue
        const { matrix, rect } = placeOn(page, width)
        const known =
          turned.get(matrix.join(' ')) ?? context.register(formOn(context, mark, matrix, { width, height }))
        turned.set(matrix.join(' '), known)
        addMark(original, page, known, rect)
      }
    },
  }
}

/**
 * Places the mark in the middle of the lower edge, as the page is seen; smaller if the page is narrower than the
 * text.
 */
function placeOn(page: PageOfOriginal, width: number): { matrix: number[]; rect: number[] } {
  const [left, bottom, right, top] = page.box
  const turned = turnOf(page)
  const [middle, length] =
    turned === 90 || turned === 270 ? [(bottom + top) / 2, top - bottom] : [(left + right) / 2, right - left]
  const edge = Math.min(3 * millimetre, length / 20)
  const scale = Math.min(1, (length - 2 * edge) / width)
  const [from, to] = [middle - (width * scale) / 2, middle + (width * scale) / 2]
  const high = height * scale
  switch (turned) {
    case 90:
      return { matrix: [0, 1, -1, 0, 0, 0], rect: [right - edge - high, from, right - edge, to] }
    case 180:
      return { matrix: [-1, 0, 0, -1, 0, 0], rect: [from, top - edge - high, to, top - edge] }
    case 270:
      return { matrix: [0, -1, 1, 0, 0, 0], rect: [left + edge, from, left + edge + high, to] }
    default:
      return { matrix: [1, 0, 0, 1, 0, 0], rect: [from, bottom + edge, to, bottom + edge + high] }
  }
}
