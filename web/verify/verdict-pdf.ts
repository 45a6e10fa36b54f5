/**
 * The verdict as a PDF with searchable text in Golos Text, including all Kazakh characters. Generated in the browser.
 */
import { create } from '@cantoo/fontkit'
import { PDFDocument, rgb, type PDFFont, type PDFPage, type RGB } from '@cantoo/pdf-lib'
// oxlint-disable-next-line import/default -- the build makes it an address
import regularAddress from '@expo-google-fonts/golos-text/400Regular/GolosText_400Regular.ttf?url'
// oxlint-disable-next-line import/default -- the build makes it an address
import boldAddress from '@expo-google-fonts/golos-text/700Bold/GolosText_700Bold.ttf?url'
import { rgbOf } from '@kelisim/pdf/palette.ts'
import { a4 } from '@kelisim/pdf/units.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import {
  outcomeOf,
  type Group,
  type CheckOutcome,
  type Report,
  type SignatureReport,
} from './checking/report.ts'
import { summaryOf, unaskedText } from './summary.ts'
import { stampLines, trustLines } from './trust-lines.ts'
import {
  attachmentRows,
  bundleFaults,
  bundleRows,
  recordRows,
  cautionOf,
  checksOf,
  detailRows,
  documentLabel,
  fileRows,
  meaningOf,
  placeRows,
  reasonsOf,
  sentenceOfGroup,
  signerRows,
  timeText,
  titleOfUnnamed,
  type CheckState,
  type Find,
  type Row,
  type T,
} from './wording.ts'

export type PdfWords = { t: T; find: Find; language: Language; address: string }

export async function verdictPdf(report: Report, words: PdfWords): Promise<Uint8Array<ArrayBuffer>> {
  const [regular, bold] = await Promise.all([regularAddress, boldAddress].map(faceAt))
  return writtenPdf(report, words, { regular: regular!, bold: bold! })
}

async function faceAt(address: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(address)).arrayBuffer())
}

const margin = { x: 56, top: 56, bottom: 64 }
const width = a4.width - 2 * margin.x
const labelWidth = 126
const ink = rgb(...rgbOf('ink'))
const soft = rgb(...rgbOf('soft'))
const line = rgb(...rgbOf('line'))
const danger = rgb(...rgbOf('danger'))
const gold = rgb(...rgbOf('gold'))
const colours: Record<CheckOutcome, RGB> = {
  valid: rgb(...rgbOf('success')),
  inside: gold,
  invalid: danger,
  unconfirmed: danger,
  later: gold,
  incomplete: gold,
  unsigned: soft,
  unreadable: danger,
}

export async function writtenPdf(
  report: Report,
  words: PdfWords,
  faces: { regular: Uint8Array; bold: Uint8Array },
): Promise<Uint8Array<ArrayBuffer>> {
  const { t, language, address } = words
  const pdf = await PDFDocument.create()
  pdf.registerFontkit({ create })
  pdf.setTitle(t('pdf.title'))
  pdf.setLanguage(language)
  pdf.setProducer('Келісім')
  pdf.setCreationDate(report.at)
  const sheet = openSheet(pdf, {
    regular: await pdf.embedFont(faces.regular, { subset: true }),
    bold: await pdf.embedFont(faces.bold, { subset: true }),
  })
  sheet.text(t('pdf.title'), { size: 20, isBold: true })
  sheet.text(t('pdf.made', { time: timeText(report.at) }), { colour: soft, before: 4 })
  sheet.text(t('pdf.where', { address }), { colour: soft })
  const unasked = unaskedText(report, t)
  if (unasked !== null) sheet.text(unasked, { colour: colours.later, before: 4 })
  if (report.isDemo) sheet.text(t('demo'), { colour: colours.later, before: 4 })
  const summary = summaryOf(report.groups, t)
  if (summary) {
    sheet.text(summary.sentence, { size: 16, isBold: true, colour: colours[summary.outcome], before: 14 })
    sheet.text(summary.meaning)
  }
  for (const group of report.groups) writeGroup(sheet, group, words)
  sheet.rule()
  sheet.text(t('pdf.note'), { colour: soft, size: 9 })
  sheet.numberPages((page, pages) => t('pdf.page', { page, pages }))
  return new Uint8Array(await pdf.save())
}

function writeGroup(sheet: Sheet, group: Group, { t, find }: PdfWords): void {
  const { outcome, container, documents, signatures } = group
  sheet.rule()
  sheet.text(sentenceOfGroup(group, t), { size: 15, isBold: true, colour: colours[outcome] })
  sheet.text(meaningOf(group, t), { after: 6 })
  const caution = cautionOf(group, t)
  if (caution !== null) sheet.text(caution, { isBold: true, after: 6 })
  if (container) sheet.rows(fileRows(container, t(group.record ? 'record.file' : 'result.container'), t))
  for (const document of documents) sheet.rows(fileRows(document, documentLabel(group, t), t))
  sheet.rows(attachmentRows(group, t))
  const faults = bundleFaults(group, find)
  if (faults.length > 0) {
    sheet.text(t('bundle.faults'), { isBold: true, before: 6 })
    for (const fault of faults) sheet.text(`• ${fault}`, { colour: colours.invalid })
  }
  sheet.rows(bundleRows(group, t))
  sheet.rows(recordRows(group, t))
  if (group.record) writeReasons(sheet, group.record.faults, { t, find })
  for (const signature of signatures) writeSignature(sheet, signature, { t, find })
}

function writeReasons(
  sheet: Sheet,
  faults: SignatureReport['faults'],
  { t, find }: Pick<PdfWords, 't' | 'find'>,
): void {
  for (const { code, text, advice } of reasonsOf(faults, find)) {
    sheet.text(`${t('reason')}: ${text} (${code})`, { colour: colours.invalid, before: 3 })
    if (advice !== '') sheet.text(advice)
  }
}

function writeSignature(
  sheet: Sheet,
  signature: SignatureReport,
  { t, find }: Pick<PdfWords, 't' | 'find'>,
): void {
  const { signers, faults, verdict, fileName, inPdf } = signature
  const trust = (lines: readonly string[]) => {
    if (lines.length > 0) sheet.text(t('trust.title'), { isBold: true, before: 5, keep: 30 })
    for (const line of lines) sheet.text(`• ${line}`)
  }
  const reasons = (of: SignatureReport['faults']) => writeReasons(sheet, of, { t, find })
  const title = (name: string, outcome: CheckOutcome) =>
    sheet.text(`${name} — ${t(`outcome.${outcome}`)}`, {
      size: 11.5,
      isBold: true,
      colour: colours[outcome],
      before: 12,
      after: 3,
      keep: 60,
    })
  if (signers.length === 0) {
    title(titleOfUnnamed(signature, t), outcomeOf(verdict))
    sheet.rows([[t('result.fileOfSignature'), fileName], ...placeRows(signature, t)])
    reasons(faults)
    if (inPdf?.timestampTrust) trust(stampLines(inPdf.timestampTrust, t))
  }
  for (const signer of signers) {
    title(signer.name ?? t('signer.unknown'), outcomeOf(faults.length > 0 ? verdict : signer.verdict))
    sheet.rows([...signerRows(signer, { find, t }), ...placeRows(signature, t)])
    reasons([...faults, ...signer.faults])
    sheet.text(t('checks.title'), { isBold: true, before: 5, keep: 30 })
    for (const { state, text } of checksOf(signer, signature, t)) sheet.check(state, text)
    trust(trustLines(signer, { find, t }))
    sheet.text(t('result.details'), { isBold: true, before: 5, keep: 30 })
    sheet.rows(detailRows(signer, signature, t))
  }
}

/** Marks drawn as paths, because the font has no tick; on a grid of 8 by 8 from the top left. */
const marks: Record<CheckState, { path: string; colour: RGB }> = {
  good: { path: 'M0 4.5 L2.6 7 L8 1', colour: colours.valid },
  bad: { path: 'M1 1 L7 7 M7 1 L1 7', colour: colours.invalid },
  unknown: { path: 'M1 4 L7 4', colour: colours.later },
}

type TextStyle = {
  size?: number
  isBold?: boolean
  colour?: RGB
  before?: number
  after?: number
  /** Starts a new page if less than this height is left. */
  keep?: number
}
type Sheet = ReturnType<typeof openSheet>

function openSheet(pdf: PDFDocument, fonts: { regular: PDFFont; bold: PDFFont }) {
  let page: PDFPage = pdf.addPage([a4.width, a4.height])
  let y = a4.height - margin.top

  function room(height: number): void {
    if (y - height >= margin.bottom) return
    page = pdf.addPage([a4.width, a4.height])
    y = a4.height - margin.top
  }

  function text(words: string, style: TextStyle = {}): void {
    const { size = 10, isBold = false, colour: color = ink, before = 0, after = 0, keep = 0 } = style
    const font = isBold ? fonts.bold : fonts.regular
    y -= before
    room(Math.max(keep, size * 1.35))
    for (const part of wrapped(words, font, size, width)) {
      room(size * 1.35)
      y -= size * 1.35
      page.drawText(part, { x: margin.x, y: y + size * 0.3, size, font, color })
    }
    y -= after
  }

  function check(state: CheckState, words: string): void {
    const size = 10
    for (const [i, part] of wrapped(words, fonts.regular, size, width - 16).entries()) {
      room(size * 1.35)
      y -= size * 1.35
      page.drawText(part, { x: margin.x + 16, y: y + size * 0.3, size, font: fonts.regular, color: ink })
      const { path, colour: borderColor } = marks[state]
      if (i === 0) page.drawSvgPath(path, { x: margin.x, y: y + size, borderColor, borderWidth: 1.3 })
    }
  }

  /** A label on the left with its value beside it. */
  function rows(all: readonly Row[]): void {
    const size = 9.2
    const step = size * 1.35
    for (const [label, value] of all) {
      const labels = wrapped(label, fonts.regular, size, labelWidth - 12)
      const values = wrapped(value, fonts.regular, size, width - labelWidth)
      for (let i = 0; i < Math.max(labels.length, values.length); i++) {
        room(step)
        y -= step
        const at = { y: y + size * 0.3, size, font: fonts.regular }
        if (labels[i]) page.drawText(labels[i]!, { ...at, x: margin.x, color: soft })
        if (values[i]) page.drawText(values[i]!, { ...at, x: margin.x + labelWidth, color: ink })
      }
      y -= 2
    }
  }

  function rule(): void {
    room(40)
    y -= 14
    const [start, end] = [margin.x, margin.x + width].map((x) => ({ x, y })) as [Point, Point]
    page.drawLine({ start, end, thickness: 0.8, color: line })
    y -= 10
  }

  function numberPages(words: (page: number, pages: number) => string): void {
    const all = pdf.getPages()
    for (const [i, one] of all.entries()) {
      const number = words(i + 1, all.length)
      const x = a4.width - margin.x - fonts.regular.widthOfTextAtSize(number, 9)
      one.drawText(number, { x, y: 36, size: 9, font: fonts.regular, color: soft })
      one.drawText('Келісім', { x: margin.x, y: 36, size: 9, font: fonts.regular, color: soft })
    }
  }

  return { text, check, rows, rule, numberPages }
}

type Point = { x: number; y: number }

/**
 * Wraps text into lines; text without spaces (a fingerprint) is broken anywhere. Characters missing in the font
 * become «?».
 */
function wrapped(words: string, font: PDFFont, size: number, most: number): string[] {
  const fits = (part: string) => font.widthOfTextAtSize(part, size) <= most
  const lines: string[] = []
  let current = ''
  for (const word of drawable(words, font).split(/[ \n\t]+/)) {
    const longer = current === '' ? word : `${current} ${word}`
    if (fits(longer)) {
      current = longer
      continue
    }
    if (current !== '') lines.push(current)
    current = word
    while (!fits(current)) {
      let length = current.length - 1
      while (length > 1 && !fits(current.slice(0, length))) length--
      lines.push(current.slice(0, length))
      current = current.slice(length)
    }
  }
  return current === '' ? lines : [...lines, current]
}

function drawable(words: string, font: PDFFont): string {
  const known = knownSigns.get(font) ?? new Set(font.getCharacterSet())
  knownSigns.set(font, known)
  return Array.from(words.normalize('NFC'), (sign) => (known.has(sign.codePointAt(0)!) ? sign : '?'))
    .join('')
    .replaceAll('\u00a0', ' ')
}

const knownSigns = new WeakMap<PDFFont, Set<number>>()
