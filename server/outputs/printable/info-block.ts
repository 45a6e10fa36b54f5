/** The first part of the card: the document, the files inside, how to verify them, and the access codes. */
import { dateInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { lawOn, lawParameters } from '@kelisim/domain/outputs/law.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { shownMoment } from './dates.ts'
import { baselineOf, heightOf, wrapped, type Drawing, type Paper, type Style } from '@kelisim/pdf/drawing.ts'
import type { PrintableJob } from './printable-job.ts'
import { qrOf } from '@kelisim/pdf/qr-code.ts'
import { area, openFlow, type Flow } from './sheets.ts'

export type InfoBlock = Pick<PrintableJob, 'facts' | 'language' | 'codes'> & {
  /** The number of pages of the original. */
  pages: number
  /** Files that the original had attached before the upload. */
  ownFiles: number
  /** Whether the original contains PDF signatures. */
  hasSeals: boolean
  /** The number of sheets of this block itself. */
  ownSheets: number
  /** The number of sheets with all signatures together; null: each has sheets of its own. */
  compactSheets: number | null
  signatures: readonly { name: string; fileName: string | null; hasPassed: boolean; sheets: number }[]
}

const body: Style = { size: 9 }
const row: Style = { size: 8.5 }
const plain: Style = { size: 8 }
const note: Style = { size: 8, colour: 'soft' }
const label: Style = { size: 8.5, colour: 'soft' }
const heading: Style = { size: 9.5, weight: 'bold', colour: 'turquoise' }

export function drawInfoBlock(paper: Paper, block: InfoBlock): Drawing[] {
  const flow = openFlow(paper)
  const { facts } = block
  const t = textsOf(block.language, 'outputs-printable')
  flow.text(t('heading'), { size: 14, weight: 'bold', colour: 'turquoise' })
  flow.skip(3)
  flow.text(facts.name, { size: 13, weight: 'bold' })
  if (facts.description.trim() !== '') {
    flow.skip(0.5)
    flow.text(facts.description.trim(), { ...body, colour: 'soft' })
  }
  flow.skip(2.5)
  drawOutcome(flow, block)
  drawStanding(flow, block)
  flow.skip(3)
  drawFacts(flow, [
    [t('facts.registration'), numberOf(block)],
    [t('facts.date'), shownDate(facts.signingDate)],
    [t('facts.sender'), senderOf(block)],
    [t('facts.system'), facts.systemName],
    [t('facts.request'), facts.requestId],
    ...(facts.areTimesShown ? [[t('facts.made'), shownMoment(facts.madeAt)] as const] : []),
  ])
  drawAccess(flow, block)
  drawContents(flow, block)
  drawFiles(flow, block)
  drawExplanations(flow, block)
  return flow.sheets
}

function numberOf({ facts: { registration }, language }: InfoBlock): string {
  if (registration === null) return ''
  const { number, registeredOn } = registration
  return textsOf(language, 'outputs-printable')('facts.registered', { number, date: shownDate(registeredOn) })
}

function senderOf({ facts: { sender }, language }: InfoBlock): string {
  const t = textsOf(language, 'outputs-printable')
  const number = sender.number && t('facts.number', { number: inGroups(sender.number) })
  const date = sender.confirmedAt && shownDate(dateInAlmaty(sender.confirmedAt))
  return [sender.name, number, date && t('facts.confirmed', { date })].filter(Boolean).join(', ')
}

function headed(flow: Flow, words: string, next: number): void {
  flow.keepTogether(3 + heightOf(heading) + 0.8 + next)
  flow.skip(3)
  flow.text(words, heading)
  flow.skip(0.8)
}

/** Draws one sentence: how many signed, and whether all signatures are valid. */
function drawOutcome(flow: Flow, { signatures, language }: InfoBlock): void {
  if (signatures.length === 0) return
  const t = textsOf(language, 'outputs-printable')
  const areAllRight = signatures.every(({ hasPassed }) => hasPassed)
  const colour = areAllRight ? 'success' : 'danger'
  const words = t(areAllRight ? 'outcome.passed' : 'outcome.notAll', { count: signatures.length })
  const [drawing, y] = [flow.on(), flow.at()]
  drawing.fill(area.left, y, area.width, 9, 'pale')
  drawing.fill(area.left, y, 1.2, 9, colour)
  drawTick(drawing, area.left + 5, y + 2.7, colour, areAllRight)
  drawing.line(words, area.left + 11, y + 5.9, { size: 10, weight: 'bold', colour })
  flow.skip(9)
}

/** Valid signatures do not make a contract if some are missing or it was terminated: the card must say so. */
function drawStanding(flow: Flow, { facts: { standing }, language }: InfoBlock): void {
  if (standing === null) return
  flow.skip(1)
  const [drawing, y] = [flow.on(), flow.at()]
  drawing.fill(area.left, y, area.width, 9, 'pale')
  drawing.fill(area.left, y, 1.2, 9, 'danger')
  drawTick(drawing, area.left + 5, y + 2.7, 'danger', false)
  const words = textsOf(language, 'outputs-printable')(`standing.${standing}`)
  drawing.line(words, area.left + 11, y + 5.9, { size: 10, weight: 'bold', colour: 'danger' })
  flow.skip(9)
}

/** Draws a tick or a cross, because the fonts lack these characters. */
export function drawTick(
  drawing: Drawing,
  x: number,
  y: number,
  colour: 'success' | 'danger',
  isRight: boolean,
): void {
  if (isRight) {
    drawing.stroke([[x, y + 1.9], [x + 1.4, y + 3.3], [x + 4, y + 0.3]], colour, 0.7) // prettier-ignore
    return
  }
  drawing.stroke([[x, y], [x + 3.4, y + 3.4]], colour, 0.7) // prettier-ignore
  drawing.stroke([[x + 3.4, y], [x, y + 3.4]], colour, 0.7) // prettier-ignore
}

const labelWidth = 44

function drawFacts(flow: Flow, rows: readonly (readonly [string, string])[]): void {
  for (const [name, value] of rows) {
    if (value === '') continue
    flow.keepTogether(flow.heightOf(value, body, area.width - labelWidth))
    flow.on().line(name, area.left, flow.at() + baselineOf(body), label)
    flow.text(value, body, { indent: labelWidth })
    flow.skip(0.6)
  }
}

function drawAccess(flow: Flow, { codes, facts, language }: InfoBlock): void {
  const { letters, link, validUntil } = codes
  if (letters === null && link === null) return
  const t = textsOf(language, 'outputs-printable')
  const key = letters === null ? 'access.byCode' : link === null ? 'access.byLetters' : 'access.byBoth'
  const codeSize = link === null ? 0 : 27
  const width = area.width - codeSize - 10
  const how = t(key, { address: facts.verifyUrl })
  const until = validUntil === null ? '' : t('access.until', { date: shownDate(validUntil) })
  const lines = wrapped(flow.on(), how, width, body)
  const height = Math.max(
    codeSize + 4,
    7 +
      (letters === null ? 0 : 9) +
      lines.length * heightOf(body) +
      (until === '' ? 0 : heightOf(note) + 1) +
      3,
  )
  flow.keepTogether(height + 4)
  flow.skip(3)
  const [drawing, y] = [flow.on(), flow.at()]
  drawing.frame(area.left, y, area.width, height, 'turquoise')
  if (link !== null) {
    drawing.code(qrOf(link), area.left + area.width - codeSize - 2, y + (height - codeSize) / 2, codeSize)
  }
  let at = y + 3
  const put = (words: string, style: Style) => {
    drawing.line(words, area.left + 4, at + baselineOf(style), style)
    at += heightOf(style)
  }
  put(t('access.title'), heading)
  if (letters !== null) put(spaced(letters), { size: 17, weight: 'bold' })
  at += 0.8
  for (const line of lines) put(line, body)
  at += 0.8
  if (until !== '') put(until, note)
  flow.skip(height)
}

/** Shows eight characters in two groups, which are easier to read and type. */
function spaced(letters: string): string {
  return letters.length === 8 ? `${letters.slice(0, 4)} ${letters.slice(4)}` : letters
}

function drawContents(flow: Flow, block: InfoBlock): void {
  const t = textsOf(block.language, 'outputs-printable')
  const parts = [
    { name: t('contents.document'), sheets: block.pages },
    { name: t('contents.card'), sheets: block.ownSheets },
    ...(block.compactSheets === null
      ? block.signatures.map(({ name, sheets }, i) => {
          return { name: t('contents.signature', { number: i + 1, name }), sheets }
        })
      : [{ name: t('contents.signatures'), sheets: block.compactSheets }]),
  ]
  headed(flow, t('contents.title'), heightOf(row))
  let first = 1
  for (const { name, sheets } of parts) {
    const last = first + sheets - 1
    const pages = last === first ? t('contents.page', { first }) : t('contents.pages', { first, last })
    const width = area.width - 30
    flow.keepTogether(flow.heightOf(name, row, width))
    flow.on().lineTo(pages, area.left + area.width, flow.at() + baselineOf(row), { ...row, colour: 'soft' })
    flow.text(name, row, { width })
    first = last + 1
  }
}

function drawFiles(flow: Flow, block: InfoBlock): void {
  const t = textsOf(block.language, 'outputs-printable')
  const columns = { number: 0, file: 9, note: 97 }
  const rows = [
    [block.facts.fileName, t(isSignedInside(block) ? 'files.signed' : 'files.original')] as const,
    ...block.signatures.flatMap(({ fileName, name }) =>
      fileName === null ? [] : [[fileName, t('files.signature', { name })] as const],
    ),
  ]
  headed(flow, t('files.title'), 2 * heightOf(row) + 3)
  const [head, top] = [flow.on(), flow.at()]
  head.fill(area.left, top, area.width, 4.8, 'pale')
  for (const key of ['number', 'file', 'note'] as const) {
    head.line(t(`files.${key}`), area.left + columns[key] + 1.5, top + 3.4, label)
  }
  flow.skip(4.8)
  const [fileWidth, noteWidth] = [columns.note - columns.file - 4, area.width - columns.note - 3]
  for (const [i, [name, words]] of rows.entries()) {
    const names = wrapped(flow.on(), name, fileWidth, row)
    const notes = wrapped(flow.on(), words, noteWidth, row)
    const height = Math.max(names.length, notes.length) * heightOf(row) + 1.2
    flow.keepTogether(height)
    const [drawing, y] = [flow.on(), flow.at()]
    const put = (lines: readonly string[], x: number) => {
      for (const [number, line] of lines.entries()) {
        drawing.line(line, area.left + x + 1.5, y + 0.7 + number * heightOf(row) + baselineOf(row), row)
      }
    }
    put([String(i + 1)], columns.number)
    put(names, columns.file)
    put(notes, columns.note)
    drawing.rule(area.left, y + height, area.width, 'line', 0.4)
    flow.skip(height)
  }
  if (block.ownFiles > 0) drawNote(flow, t('files.own', { count: block.ownFiles }))
  if (block.hasSeals) drawNote(flow, t('files.seals'))
}

function isSignedInside({ signatures }: InfoBlock): boolean {
  return signatures.some(({ fileName }) => fileName === null)
}

function drawNote(flow: Flow, words: string): void {
  flow.skip(1.2)
  flow.text(words, note)
}

function drawExplanations(flow: Flow, block: InfoBlock): void {
  const { language, facts, compactSheets } = block
  const t = textsOf(language, 'outputs-printable')
  headed(flow, t('about.title'), 3 * heightOf(plain))
  for (const key of ['about.checked', 'about.what', 'about.force', 'about.open'] as const) {
    bullet(flow, t(key, { system: facts.systemName }))
  }
  headed(flow, t('check.title'), 3 * heightOf(plain))
  for (const key of compactSheets === null && !isSignedInside(block)
    ? (['check.how', 'check.codes'] as const)
    : (['check.how'] as const))
    bullet(flow, t(key, { address: facts.verifyUrl }))

  const law: Style = { ...plain, weight: 'bold' }
  const inForce = lawOn(facts.signingDate)
  const basis = textsOf(language, 'law')(`${inForce.name}.equal`, lawParameters(inForce))
  const warning: Style = { ...plain, colour: 'danger' }
  flow.skip(3)
  flow.keepTogether(flow.heightOf(basis, law, area.width))
  flow.text(basis, law)
  flow.skip(1.5)
  flow.keepTogether(flow.heightOf(t('warning'), warning, area.width))
  flow.text(t('warning'), warning)
}

function bullet(flow: Flow, words: string): void {
  flow.keepTogether(heightOf(plain))
  flow.on().fill(area.left + 0.6, flow.at() + 1.4, 1, 1, 'gold')
  flow.text(words, plain, { indent: 4 })
  flow.skip(0.6)
}
