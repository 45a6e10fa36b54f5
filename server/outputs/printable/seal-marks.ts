/**
 * The seals of signatures at the places that the author chose: printed annotations, like the mark at the foot of
 * pages, so the contents of the pages stay as they are.
 */
import type { PDFRef } from '@cantoo/pdf-lib'
import { dateInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { sealRatio, sealWidth, type SealPlace } from '@kelisim/domain/requests/places/place.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { openDrawing, sheetSize, type Drawing, type Paper, type Style } from '@kelisim/pdf/drawing.ts'
import type { Original } from '@kelisim/pdf/incremental/original.ts'
import { millimetre } from '@kelisim/pdf/units.ts'
import { addMark, formOn, markOf, turnOf, type PageOfOriginal } from './page-annotations.ts'
import type { PrintableJob, PrintableSignature } from './printable-job.ts'
import type { SignatureFacts } from './signature-facts.ts'

/** The size of the drawing in millimetres; it is scaled to its page. */
const size = { width: 60, height: 60 / sealRatio }
const small: Style = { size: 6.5, colour: 'soft' }
const name: Style = { size: 8.5, weight: 'bold' }

/** Signatures are given in the order of their times. */
type Signed = { signature: PrintableSignature; facts: SignatureFacts }

export type Seal = { place: SealPlace; lines: readonly [title: string, name: string, below: string] }

/**
 * One seal for each point with a place: the first signer there, as the certificate names them, and the number of
 * signers.
 */
export function sealsOf(
  { language, facts: { areTimesShown } }: Pick<PrintableJob, 'language' | 'facts'>,
  signatures: readonly Signed[],
): Seal[] {
  const t = textsOf(language, 'outputs-printable')
  const placed = signatures.filter(({ signature }) => signature.seal)
  const byPoint = Map.groupBy(placed, ({ signature }) => signature.seal!.pointId)
  return [...byPoint.values()].map(([first, ...others]) => {
    const { signature, facts } = first!
    const at = shownDate(dateInAlmaty(facts.timestamp?.at ?? signature.acceptedAt))
    // The day comes first, because a long name of an organisation is cut at its end.
    const below = [areTimesShown ? at : '', facts.organization ?? ''].filter((part) => part !== '')
    const title = others.length === 0 ? t('seal.title') : t('seal.several', { all: others.length + 1 })
    return { place: signature.seal!.place, lines: [title, facts.name, below.join(' · ')] }
  })
}

/** `finish` is called when the fonts are known. A seal on a page that the document does not have is left out. */
export function openSealMarks(paper: Paper, seals: readonly Seal[]) {
  const drawn = seals.map((seal) => ({ seal, drawing: drawSeal(openDrawing(paper), seal) }))
  const box = { width: size.width * millimetre, height: size.height * millimetre }
  return {
    finish(
      original: Original,
      pages: readonly (PageOfOriginal | null)[],
      fonts: Record<string, PDFRef>,
    ): void {
      const { context } = original
      for (const { seal, drawing } of drawn) {
        const page = pages[seal.place.page - 1]
        const mark = markOf(original, drawing.finish(fonts), box)
        if (!page || !mark) continue
        const { matrix, rect } = sealOn(page, seal.place)
        addMark(original, page, context.register(formOn(context, mark, matrix, box)), rect)
      }
    },
  }
}

/** The lower left corner of the drawing is the lower left corner of the seal. */
function drawSeal(drawing: Drawing, { lines: [title, signer, below] }: Seal): Drawing {
  const top = sheetSize.height - size.height
  const put = (words: string, baseline: number, style: Style) =>
    drawing.line(fitting(drawing, words, style), 2, top + baseline, style)
  drawing.fill(0, top, size.width, size.height, 'pale')
  drawing.frame(0.3, top + 0.3, size.width - 0.6, size.height - 0.6, 'turquoise')
  put(title, 4, small)
  put(signer, 8.2, name)
  put(below, 12, small)
  return drawing
}

function fitting(drawing: Drawing, words: string, style: Style): string {
  let shown = words
  while (shown.length > 1 && drawing.widthOf(shown, style) > size.width - 4) {
    shown = `${shown.slice(0, -2).toWellFormed()}…`
  }
  return shown
}

/** The rectangle on the page, and the rotation by which its content is upright as the page is seen. */
export function sealOn(
  page: Pick<PageOfOriginal, 'box' | 'turn'>,
  { left, top }: SealPlace,
): { matrix: number[]; rect: number[] } {
  const [x1, y1, x2, y2] = page.box
  const turned = turnOf(page)
  const [seenWidth, seenHeight] = turned % 180 === 0 ? [x2 - x1, y2 - y1] : [y2 - y1, x2 - x1]
  const [width, height] = [seenWidth * sealWidth, (seenWidth * sealWidth) / sealRatio]
  // A seal at the very foot is moved up so that it stays on the page.
  const [across, down] = [left * seenWidth, Math.max(0, Math.min(top * seenHeight, seenHeight - height))]
  switch (turned) {
    case 90:
      return {
        matrix: [0, 1, -1, 0, 0, 0],
        rect: [x1 + down, y1 + across, x1 + down + height, y1 + across + width],
      }
    case 180:
      return {
        matrix: [-1, 0, 0, -1, 0, 0],
        rect: [x2 - across - width, y1 + down, x2 - across, y1 + down + height],
      }
    case 270:
      return {
        matrix: [0, -1, 1, 0, 0, 0],
        rect: [x2 - down - height, y2 - across - width, x2 - down, y2 - across],
      }
    default:
      return {
        matrix: [1, 0, 0, 1, 0, 0],
        rect: [x1 + across, y2 - down - height, x1 + across + width, y2 - down],
      }
  }
}
