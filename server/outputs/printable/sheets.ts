/**
 * The sheets of the card, A4 portrait. Every sheet has the same frame:
 *
 *   ┌────┬──────────────────── id ▣ ┐   left: QR codes of the check page and the request, rotated
 *   │ ▣  │ the card's own part      │   bottom: kind of document and page number
 *   │ ▣  │                          │
 *   │ ◯  │ ──────────────────────── │
 *   └────┴ footer ─────── page of … ┘
 */
import { textsOf } from '@kelisim/texts/server.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import {
  baselineOf,
  heightOf,
  openDrawing,
  wrapped,
  type Drawing,
  type Paper,
  type Style,
} from '@kelisim/pdf/drawing.ts'
import type { PrintableFacts, PrintableJob } from './printable-job.ts'
import { qrOf, type Matrix } from '@kelisim/pdf/qr-code.ts'

export const area = { left: 31, top: 21, width: 169, bottom: 279 }

/** Draws from top to bottom and starts a new sheet when one is full. */
export type Flow = ReturnType<typeof openFlow>

export function openFlow(paper: Paper) {
  const sheets: Drawing[] = []
  let [drawing, y] = [openDrawing(paper), area.top]
  sheets.push(drawing)

  function turnPage() {
    drawing = openDrawing(paper)
    sheets.push(drawing)
    y = area.top
  }
  /** Starts a new sheet unless this height fits; a block that is higher than a sheet is split anyway. */
  function keepTogether(height: number) {
    if (y + height > area.bottom && y > area.top) turnPage()
  }
  function text(words: string, style: Style, place: { indent?: number; width?: number } = {}) {
    const { indent = 0 } = place
    for (const line of wrapped(drawing, words, place.width ?? area.width - indent, style)) {
      keepTogether(heightOf(style))
      drawing.line(line, area.left + indent, y + baselineOf(style), style)
      y += heightOf(style)
    }
  }
  return {
    sheets,
    text,
    turnPage,
    keepTogether,
    on: () => drawing,
    at: () => y,
    skip: (height: number) => void (y += height),
    /** The height of a text. */
    heightOf: (words: string, style: Style, width: number) =>
      wrapped(drawing, words, width, style).length * heightOf(style),
  }
}

/** The QR codes that are drawn on every sheet. */
export type FrameCodes = { id: Matrix; verify: Matrix; open: Matrix }

export function frameCodes({ requestId, verifyUrl, requestUrl }: PrintableFacts): FrameCodes {
  return { id: qrOf(requestId), verify: qrOf(verifyUrl), open: qrOf(requestUrl) }
}

/** Draws the frame of a sheet, last, when the number of sheets is known. */
export function frame(
  drawing: Drawing,
  codes: FrameCodes,
  { facts, language }: Pick<PrintableJob, 'facts' | 'language'>,
  { number, count }: { number: number; count: number },
): void {
  const t = textsOf(language, 'outputs-printable')
  const small: Style = { size: 7, colour: 'soft' }
  drawing.lineTo(`ID ${facts.requestId}`, 186, 13, small)
  drawing.code(codes.id, 187.5, 6, 12.5)

  drawing.rule(area.left, 283, area.width, 'line')
  drawing.line(t('footer'), area.left, 287.5, { size: 8, colour: 'soft' })
  drawing.lineTo(t('page', { number, count }), area.left + area.width, 287.5, { size: 8, colour: 'soft' })

  // The strip is in two languages, one of them Kazakh, because the reader of the paper is unknown.
  const [one, other] = language === 'kk' ? (['kk', 'ru'] as const) : ([language, 'kk'] as const)
  const say = (lang: Language, key: 'strip.verify' | 'strip.open' | 'strip.signed') =>
    textsOf(lang, 'outputs-printable')(key, { system: facts.systemName })
  const link = (code: Matrix, key: 'strip.verify' | 'strip.open', y: number) => {
    drawing.code(code, 6, y, 17)
    const lines = [say(one, key), say(other, key)]
    const length = Math.max(...lines.map((line) => drawing.widthOf(line, small)))
    drawing.turned(9.5, y + 19 + length, () => {
      for (const [i, line] of lines.entries()) drawing.lineTo(line, length, 4 + i * 4, small)
    })
  }
  link(codes.verify, 'strip.verify', area.top - 1)
  link(codes.open, 'strip.open', 96)
  drawing.turned(9.5, 264, () =>
    drawing.line(say(one, 'strip.signed'), 0, 6, { ...small, colour: 'turquoise' }),
  )
  drawing.mark(9, 268, 11)
}
