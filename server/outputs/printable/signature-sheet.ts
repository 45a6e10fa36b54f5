/**
 * The sheet of one signature: signer and time at the left, certificate, timestamp and revocation at the right, and
 * below the whole signature as QR codes. Long texts are cut; the attached file has them in full.
 */
import { textsOf } from '@kelisim/texts/server.ts'
import type { KeyOf } from '@kelisim/texts/translate.ts'
import { shownMoment } from './dates.ts'
import {
  baselineOf,
  cut,
  heightOf,
  wrapped,
  type Drawing,
  type Paper,
  type Style,
} from '@kelisim/pdf/drawing.ts'
import { drawTick } from './info-block.ts'
import type { PrintableJob, PrintableSignature } from './printable-job.ts'
import { qrSetOf } from './qr-set.ts'
import { area, openFlow, type Flow } from './sheets.ts'
import type { CertificateFacts, SignatureFacts } from './signature-facts.ts'

export type SignatureSheet = Pick<PrintableJob, 'language'> & {
  number: number
  signature: PrintableSignature
  facts: SignatureFacts
  areTimesShown: boolean
}

type Words = ReturnType<typeof textsOf<'outputs-printable'>>
type Rows = (readonly [string, string])[]

const title: Style = { size: 13, weight: 'bold', colour: 'turquoise' }
const codeSize = 42
const codesInRow = 4

export function drawSignatureSheets(paper: Paper, sheet: SignatureSheet): Drawing[] {
  const flow = openFlow(paper)
  const t = textsOf(sheet.language, 'outputs-printable')
  flow.text(t('signature.title', { number: sheet.number }), title)
  flow.skip(2)
  const left = drawSigner(flow.on(), flow.at(), sheet, t)
  const right = drawBoxes(flow.on(), flow.at(), sheet, t)
  flow.skip(Math.max(left, right) - flow.at() + 3)
  drawCodes(flow, sheet, t)
  return flow.sheets
}

const leftWidth = 104
const small: Style = { size: 6.5 }
const value: Style = { size: 9 }
const label: Style = { size: 7.5, colour: 'soft' }

/** Returns the position below it. */
function drawSigner(drawing: Drawing, top: number, sheet: SignatureSheet, t: Words): number {
  const { facts, signature } = sheet
  let y = top
  const put = (lines: readonly string[], style: Style) => {
    for (const line of lines) {
      drawing.line(line, area.left, y + baselineOf(style), style)
      y += heightOf(style)
    }
  }
  const field = (name: string, values: readonly string[], most: number, style = value) => {
    const lines = values.filter(Boolean).flatMap((words) => wrapped(drawing, words, leftWidth, style))
    if (lines.length === 0) return
    put([name], label)
    put(cut(lines, most), style)
    y += 1.6
  }
  y = drawVerdict(drawing, y, sheet, t) + 2.5
  if (sheet.areTimesShown) {
    const { timestamp } = facts
    field(
      t(timestamp ? 'signature.signedAt' : 'signature.acceptedAt'),
      [shownMoment(timestamp?.at ?? signature.acceptedAt)],
      1,
    )
  }
  put([t('signature.signer')], label)
  put(
    cut(wrapped(drawing, facts.name || t('signature.unnamed'), leftWidth, { size: 12, weight: 'bold' }), 3),
    {
      size: 12,
      weight: 'bold',
    },
  )
  const numbers = (key: 'signature.iin' | 'signature.bin', number: string | null) =>
    number === null ? '' : `${t(key)} ${number}`
  put([numbers('signature.iin', facts.iin)].filter(Boolean), value)
  y += 1
  const organization = [facts.organization ?? '', numbers('signature.bin', facts.bin)]
  put(
    organization.filter(Boolean).flatMap((words) => cut(wrapped(drawing, words, leftWidth, value), 3)),
    value,
  )
  y += 1.6
  const { policies = [], keyUsage = [], extendedKeyUsage = [] } = facts.certificate ?? {}
  const small8: Style = { size: 8 }
  field(
    t('signature.template'),
    policies.map((oid) => named(t, 'policies', oid)),
    6,
    small8,
  )
  const uses = [
    ...keyUsage.map((use) => `${t(`keyUsage.${use}`)} (${use})`),
    ...extendedKeyUsage.map((oid) => named(t, 'extendedKeyUsage', oid)),
  ]
  field(t('signature.usage'), uses, 12, small8)
  field(t('signature.algorithm'), [named(t, 'algorithms', facts.algorithm)], 2, small8)
  return y
}

function drawVerdict(
  drawing: Drawing,
  y: number,
  { signature, areTimesShown }: SignatureSheet,
  t: Words,
): number {
  const { indication, code, checkedAt } = signature.verdict
  const hasPassed = indication === 'TOTAL-PASSED'
  const colour = hasPassed ? 'success' : 'danger'
  const more = [areTimesShown ? t('verdict.checkedAt', { at: shownMoment(checkedAt) }) : '', code ?? '']
  const lines = more.filter(Boolean)
  const height = lines.length === 0 ? 9 : 13
  drawing.fill(area.left, y, leftWidth, height, 'pale')
  drawing.fill(area.left, y, 1.2, height, colour)
  drawTick(drawing, area.left + 5, y + 2.6, colour, hasPassed)
  drawing.line(t(`verdict.${indication}`), area.left + 11, y + 5.8, { size: 10, weight: 'bold', colour })
  if (lines.length > 0) drawing.line(lines.join(' · '), area.left + 11, y + 10.4, label)
  return y + height
}

const boxes = { x: area.left + 109, width: area.width - 109, padding: 2 }

function drawBoxes(drawing: Drawing, top: number, sheet: SignatureSheet, t: Words): number {
  const { certificate, timestamp, revocation } = sheet.facts
  const moment = (at: Date): string => (sheet.areTimesShown ? shownMoment(at) : '')
  const service = (of: CertificateFacts | null): Rows =>
    of === null
      ? []
      : [[t('certificate.subject'), of.subject], [t('certificate.serial'), of.serial], [t('certificate.issuer'), of.issuer]] // prettier-ignore
  let y = top
  const box = (name: string, rows: Rows) => {
    y =
      drawBox(
        drawing,
        y,
        name,
        rows.filter(([, words]) => words !== ''),
      ) + 2
  }
  box(
    t('certificate.title'),
    certificate === null
      ? [['', t('certificate.none')]]
      : [
          [t('certificate.subject'), certificate.subject],
          [t('certificate.alternative'), certificate.alternativeNames],
          [t('certificate.serial'), certificate.serial],
          [t('certificate.from'), shownMoment(certificate.from)],
          [t('certificate.until'), shownMoment(certificate.until)],
          [t('certificate.issuer'), certificate.issuer],
        ],
  )
  box(
    t('timestamp.title'),
    timestamp === null
      ? [['', t('timestamp.none')]]
      : [[t('timestamp.at'), moment(timestamp.at)], ...service(timestamp.service)],
  )
  if (revocation === null) box(t('revocation.title'), [['', t('revocation.none')]])
  else if (revocation.by === 'ocsp') {
    const status = t(`revocation.${revocation.status}`)
    box(t('revocation.ocsp'), [
      [t('revocation.status'), status],
      [t('revocation.at'), moment(revocation.at)],
      ...service(revocation.service),
    ])
  } else {
    box(t('revocation.crl'), [
      [t('certificate.issuer'), revocation.issuer],
      [t('revocation.number'), revocation.number],
      [t('revocation.at'), moment(revocation.at)],
    ])
  }
  return y
}

function drawBox(drawing: Drawing, top: number, name: string, rows: Rows): number {
  const { x, width, padding } = boxes
  const inner = width - 2 * padding
  const head: Style = { ...small, weight: 'bold', colour: 'turquoise' }
  const quiet: Style = { ...small, colour: 'soft' }
  const drawn = rows.map(([key, words]) => {
    const prefix = key === '' ? '' : `${key}: `
    const indent = drawing.widthOf(prefix, small)
    // The label takes a part of the first line, so the text is wrapped together with it.
    const lines = cut(wrapped(drawing, prefix + words, inner, small), 6)
    return { prefix, indent, lines: lines.map((line, i) => (i === 0 ? line.slice(prefix.length) : line)) }
  })
  const count = drawn.reduce((sum, { lines }) => sum + lines.length, 1)
  const height = count * heightOf(small) + drawn.length * 0.5 + 2 * padding
  drawing.frame(x, top, width, height, 'line')
  let y = top + padding
  const put = (words: string, at: number, style: Style) =>
    drawing.line(words, at, y + baselineOf(style), style)
  put(name, x + padding, head)
  y += heightOf(small) + 0.5
  for (const { prefix, indent, lines } of drawn) {
    put(prefix, x + padding, quiet)
    for (const [i, line] of lines.entries()) {
      put(line, x + padding + (i === 0 ? indent : 0), small)
      y += heightOf(small)
    }
    y += 0.5
  }
  return top + height
}

function drawCodes(flow: Flow, { signature, number }: SignatureSheet, t: Words): void {
  // The codes serve to restore a signature and check it beside the document; a signature inside the document is not
  // checked so.
  if (signature.fileName === null) {
    flow.text(t('signature.inside'), { size: 8, colour: 'soft' })
    return
  }
  const codes = qrSetOf(signature.cms, number)
  const head = () => {
    flow.text(t('codes.title', { count: codes.length }), { size: 8, colour: 'soft' })
    flow.skip(0.5)
  }
  flow.keepTogether(codeSize + 6)
  head()
  for (let first = 0; first < codes.length; first += codesInRow) {
    if (flow.at() + codeSize > area.bottom + 1) {
      flow.turnPage()
      flow.text(t('signature.continued', { number }), title)
      flow.skip(2)
      head()
    }
    for (const [i, code] of codes.slice(first, first + codesInRow).entries()) {
      flow.on().code(code, area.left + i * codeSize, flow.at(), codeSize)
    }
    flow.skip(codeSize)
  }
}

/** The known name of an algorithm, and always its OID. */
function named(t: Words, group: 'policies' | 'extendedKeyUsage' | 'algorithms', oid: string): string {
  // Keys of texts are separated by dots, as OIDs are.
  const key = `${group}.${oid.replaceAll('.', '-')}` as KeyOf<'outputs-printable'>
  const name = t(key)
  return name === key ? oid : `${name} (${oid})`
}
