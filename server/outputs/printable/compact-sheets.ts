/**
 * All signatures on as few sheets as possible, four on each: who signed, when, with which certificate, and how it was
 * checked. Their QR codes are left out; the signatures themselves are attached to the file, as always.
 */
import { textsOf } from '@kelisim/texts/server.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import {
  baselineOf,
  cut,
  heightOf,
  wrapped,
  type Drawing,
  type Paper,
  type Style,
} from '@kelisim/pdf/drawing.ts'
import { shownMoment } from './dates.ts'
import { drawTick } from './info-block.ts'
import type { PrintableSignature } from './printable-job.ts'
import { area, openFlow, type Flow } from './sheets.ts'
import type { SignatureFacts } from './signature-facts.ts'

export type CompactSheets = {
  language: Language
  areTimesShown: boolean
  signatures: readonly { signature: PrintableSignature; facts: SignatureFacts }[]
}

type Words = ReturnType<typeof textsOf<'outputs-printable'>>
type Row = { words: string; style: Style; most: number }

const title: Style = { size: 13, weight: 'bold', colour: 'turquoise' }
const note: Style = { size: 8, colour: 'soft' }
const name: Style = { size: 11.5, weight: 'bold' }
const value: Style = { size: 8.5 }
const quiet: Style = { size: 7.5, colour: 'soft' }
const padding = 4
const columns = { left: 11, leftWidth: 72, right: 88, rightWidth: area.width - 88 - padding }

export function drawCompactSheets(paper: Paper, sheets: CompactSheets): Drawing[] {
  const flow = openFlow(paper)
  const t = textsOf(sheets.language, 'outputs-printable')
  flow.text(t('compact.title'), title)
  flow.skip(1)
  flow.text(t('compact.note'), note)
  flow.skip(3)
  for (const [i] of sheets.signatures.entries()) drawSignature(flow, sheets, i, t)
  return flow.sheets
}

function drawSignature(flow: Flow, sheets: CompactSheets, i: number, t: Words): void {
  const { signature } = sheets.signatures[i]!
  const left = linesOf(flow.on(), signerRows(sheets, i, t), columns.leftWidth)
  const right = linesOf(flow.on(), evidenceRows(sheets, i, t), columns.rightWidth)
  const height = Math.max(heightOfAll(left), heightOfAll(right)) + 2 * padding
  flow.keepTogether(height)
  const [drawing, y] = [flow.on(), flow.at()]
  const hasPassed = signature.verdict.indication === 'TOTAL-PASSED'
  const colour = hasPassed ? 'success' : 'danger'
  drawing.frame(area.left, y, area.width, height, 'line')
  drawing.fill(area.left, y, 1.2, height, colour)
  drawTick(drawing, area.left + 5, y + padding + 0.6, colour, hasPassed)
  put(drawing, left, area.left + columns.left, y + padding)
  put(drawing, right, area.left + columns.right, y + padding)
  flow.skip(height + 3)
}

function signerRows({ signatures, areTimesShown }: CompactSheets, i: number, t: Words): Row[] {
  const { facts, signature } = signatures[i]!
  const { timestamp } = facts
  const { indication, code } = signature.verdict
  const colour = indication === 'TOTAL-PASSED' ? 'success' : 'danger'
  const numbered = (key: 'signature.iin' | 'signature.bin', number: string | null) =>
    number === null ? '' : `${t(key)} ${number}`
  const when = t(timestamp ? 'signature.signedAt' : 'signature.acceptedAt')
  const moment = shownMoment(timestamp?.at ?? signature.acceptedAt)
  return [
    { words: t('signature.title', { number: i + 1 }), style: quiet, most: 1 },
    { words: facts.name || t('signature.unnamed'), style: name, most: 2 },
    { words: numbered('signature.iin', facts.iin), style: value, most: 1 },
    { words: facts.organization ?? '', style: value, most: 2 },
    { words: numbered('signature.bin', facts.bin), style: value, most: 1 },
    {
      words: [t(`verdict.${indication}`), code ?? ''].filter(Boolean).join(' · '),
      style: { ...value, weight: 'bold', colour },
      most: 2,
    },
    { words: areTimesShown ? `${when}: ${moment}` : '', style: value, most: 2 },
  ]
}

function evidenceRows({ signatures, areTimesShown }: CompactSheets, i: number, t: Words): Row[] {
  const { certificate, timestamp, revocation } = signatures[i]!.facts
  const rows: Row[] = []
  const add = (label: string, words: string, most = 2) => {
    if (words !== '') rows.push({ words: `${label}: ${words}`, style: quiet, most })
  }
  if (certificate === null) add(t('certificate.title'), t('certificate.none'))
  else {
    add(t('certificate.title'), certificate.serial)
    add(t('certificate.from'), shownMoment(certificate.from))
    add(t('certificate.until'), shownMoment(certificate.until))
    add(t('certificate.issuer'), certificate.issuer)
  }
  const moment = (at: Date) => (areTimesShown ? shownMoment(at) : '')
  add(t('timestamp.title'), timestamp === null ? t('timestamp.none') : (timestamp.service?.serial ?? ''))
  if (revocation === null) add(t('revocation.title'), t('revocation.none'))
  else if (revocation.by === 'ocsp')
    add(
      t('revocation.ocsp'),
      [t(`revocation.${revocation.status}`), moment(revocation.at)].filter(Boolean).join(', '),
    )
  else add(t('revocation.crl'), [revocation.number, moment(revocation.at)].filter(Boolean).join(', '))
  return rows
}

type Line = { words: string; style: Style }

function linesOf(drawing: Drawing, rows: readonly Row[], width: number): Line[] {
  return rows
    .filter(({ words }) => words !== '')
    .flatMap(({ words, style, most }) =>
      cut(wrapped(drawing, words, width, style), most).map((line) => ({ words: line, style })),
    )
}

function heightOfAll(lines: readonly Line[]): number {
  return lines.reduce((sum, { style }) => sum + heightOf(style), 0)
}

function put(drawing: Drawing, lines: readonly Line[], x: number, top: number): void {
  let y = top
  for (const { words, style } of lines) {
    drawing.line(words, x, y + baselineOf(style), style)
    y += heightOf(style)
  }
}
