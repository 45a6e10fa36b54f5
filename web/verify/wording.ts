/** The result of a check as text: the same on the page, in the copied text and in the PDF. */
import { shownDate } from '@kelisim/domain/calendar.ts'
import { unbroken } from '@kelisim/domain/numbers.ts'
import {
  verdictOf,
  type Fault,
  type FaultCode,
  type SubIndication,
} from '@kelisim/domain/signatures/verdict.ts'
import type { Text } from '../i18n/use-texts.ts'
import type { LogKeyState } from './checking/log-keys.ts'
import {
  outcomeOf,
  type FileFacts,
  type RecordFacts,
  type Group,
  type CheckOutcome,
  type SignatureReport,
  type SignerReport,
  type BundleFacts,
} from './checking/report.ts'

export type T = Text<'verify'>

const moment = new Intl.DateTimeFormat('ru-RU', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** A time with its time zone, because a verdict may be read in another zone. */
export function timeText(time: Date): string {
  const minutes = -time.getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const zone = `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
  return `${moment.format(time).replace(',', '')} (${zone})`
}

const number = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 1 })

export function sizeText(bytes: number, t: T): string {
  if (bytes < 1024) return `${number.format(bytes)} ${t('unitB')}`
  if (bytes < 1024 ** 2) return `${number.format(bytes / 1024)} ${t('unitKB')}`
  return `${number.format(bytes / 1024 ** 2)} ${t('unitMB')}`
}

export function sentenceOf(outcome: CheckOutcome, signers: number, t: T): string {
  return signers > 1 ? t(`outcome.${outcome}Many`) : t(`outcome.${outcome}`)
}

/** If only the archive around valid signatures is damaged, the sentence says so instead of blaming the signatures. */
export function sentenceOfGroup(group: Group, t: T): string {
  if (group.record) return recordSentence(group.outcome, group.record, t)
  if (group.outcome === 'invalid' && holdsButArchive(group)) return t('outcome.invalidArchive')
  return sentenceOf(group.outcome, signersIn(group), t)
}

function recordSentence(outcome: CheckOutcome, { existedAt }: RecordFacts, t: T): string {
  if (outcome === 'valid' && existedAt) return t('record.valid', { time: timeText(existedAt) })
  return t(`record.${recordOutcome(outcome)}`)
}

/** The texts of records know three outcomes besides valid; every other one counts as not confirmed. */
function recordOutcome(outcome: CheckOutcome): 'invalid' | 'incomplete' | 'unconfirmed' {
  return outcome === 'invalid' || outcome === 'incomplete' ? outcome : 'unconfirmed'
}

export function meaningOf(group: Group, t: T): string {
  if (group.record)
    return t(`record.means.${group.outcome === 'valid' ? 'valid' : recordOutcome(group.outcome)}`)
  const { outcome, trouble, kind, signatures } = group
  const isOnlyArchive = holdsButArchive(group)
  const what = [
    isOnlyArchive && outcome === 'later'
      ? t('means.laterLog')
      : isOnlyArchive && outcome === 'invalid'
        ? t('means.invalidArchive')
        : t(`means.${outcome}`),
  ]
  if (trouble !== null) what.push(t(`trouble.${trouble}`))
  if (kind === 'card' && outcome !== 'inside' && signatures.length > 1) what.push(t('means.card'))
  if (kind === 'bundle' && outcome === 'valid') what.push(t('means.bundle'))
  return what.join(' ')
}

function holdsButArchive({ bundle, signatures }: Group): boolean {
  return (
    bundle !== null &&
    signatures.length > 0 &&
    signatures.every(({ verdict }) => outcomeOf(verdict) === 'valid')
  )
}

/**
 * The visible pages of a card can be changed without touching what was signed: only the embedded files were checked.
 * The same applies to a scan with the codes of a signature.
 */
export function cautionOf({ kind, signatures, sheets }: Group, t: T): string | null {
  if (sheets) return t('means.sheets', { names: sheets.join(', ') })
  return kind === 'card' && signatures.length > 0 ? t('means.pages') : null
}

export function signersIn({ signatures }: Pick<Group, 'signatures'>): number {
  return signatures.reduce((sum, { signers }) => sum + Math.max(1, signers.length), 0)
}

export function whenText({ provedTime, provedBy, signingTime }: SignerReport, t: T): string {
  if (provedTime) {
    return t(provedBy === 'log' ? 'signer.provedByLog' : 'signer.proved', { time: timeText(provedTime) })
  }
  return signingTime ? t('signer.claimed', { time: timeText(signingTime) }) : t('signer.noTime')
}

export function organizationText({ organization, bin }: SignerReport, t: T): string {
  if (bin === null && organization === null) return t('signer.own')
  return [organization, bin && `${t('signer.bin')}\u00a0${unbroken(bin)}`].filter(Boolean).join(', ')
}

export function roleText({ roles }: SignerReport, find: Find): string {
  // The head of a legal entity acts for a legal entity too.
  const telling = roles.length > 1 ? roles.filter((role) => role !== 'legal-entity') : roles
  return telling.flatMap((role) => find(`verify:roles.${role}`) ?? []).join(', ')
}

export type Find = (key: string, values?: Record<string, unknown>) => string | undefined

export type Reason = { code: FaultCode; text: string; advice: string }

/**
 * Why the signature is not valid and what to do. Only the first sentence of a code's text is used: the rest advises
 * the signer, not the reader of this page. A missing document is reported separately.
 */
export function reasonsOf(faults: readonly Fault[], find: Find): Reason[] {
  const told = faults.filter((fault) => fault !== 'document-missing')
  const verdicts = [...new Set(told)].map(verdictOf)
  const reasons = verdicts.flatMap(({ code, subIndication }) => (code ? [{ code, subIndication }] : []))
  return reasons.map(({ code, subIndication }) => ({
    code,
    text: `${(find(`signatures:codes.${code}`) ?? code).split('. ')[0]}.`,
    advice: (subIndication && find(`verify:advice.${subIndication}`)) ?? '',
  }))
}

export type CheckState = 'good' | 'bad' | 'unknown'
export type CheckLine = { key: keyof typeof areas | 'time'; state: CheckState; text: string }

const areas = {
  format: /^DS-1/,
  document: /^DS-2/,
  signature: /^DS-3/,
  certificate: /^DS-[47]/,
  revocation: /^DS-(5|90[124])/,
} as const
const notWrong: readonly (SubIndication | null)[] = ['TRY_LATER', 'SIGNED_DATA_NOT_FOUND']

/** What was checked for one signer, with the results. */
export function checksOf(
  signer: SignerReport,
  { faults }: Pick<SignatureReport, 'faults'>,
  t: T,
): CheckLine[] {
  const found = [...faults, ...signer.faults].map(verdictOf)
  const isTold: Record<keyof typeof areas, boolean> = {
    format: true,
    document: !faults.includes('document-missing'),
    signature: signer.certificate !== null,
    certificate: signer.certificate !== null,
    revocation: signer.revocation?.status === 'good',
  }
  const lines = (Object.keys(areas) as (keyof typeof areas)[]).map((key): CheckLine => {
    const its = found.filter(({ code }) => code !== null && areas[key].test(code))
    const isBad = its.some(({ subIndication }) => !notWrong.includes(subIndication))
    const state = isBad ? 'bad' : its.length > 0 || !isTold[key] ? 'unknown' : 'good'
    const form = ({ good: '', bad: 'Bad', unknown: 'Unknown' } as const)[state]
    return { key, state, text: t(`checks.${key}${form}`) }
  })
  return [...lines, timeLine(signer, t)]
}

function timeLine({ provedBy, timestamps, faults }: SignerReport, t: T): CheckLine {
  if (faults.some((fault) => fault.startsWith('signing-time-')))
    return { key: 'time', state: 'bad', text: t('checks.timeBad') }
  if (provedBy === 'log') return { key: 'time', state: 'good', text: t('checks.timeLog') }
  if (provedBy === 'timestamp') return { key: 'time', state: 'good', text: t('checks.timeGood') }
  const isBad = timestamps.some(({ isGood }) => !isGood)
  return { key: 'time', state: isBad ? 'bad' : 'unknown', text: t('checks.timeNone') }
}

export type Row = readonly [label: string, value: string]

export function fileRows({ name, size, sha256 }: FileFacts, label: string, t: T): Row[] {
  return [
    [label, name],
    [t('result.size'), sizeText(size, t)],
    [t('result.sha256'), sha256],
  ]
}

/** In a card the name of the document is only claimed: the maker of the PDF wrote it, and it is not signed. */
export function documentLabel({ kind }: Pick<Group, 'kind'>, t: T): string {
  return kind === 'card' ? t('result.documentClaimed') : t('result.document')
}

export function attachmentRows({ attachments = [] }: Group, t: T): Row[] {
  return attachments.map(({ name, state }) => [t(`attachment.${state}`), name])
}

export function signerRows(signer: SignerReport, { find, t }: { find: Find; t: T }): Row[] {
  const role = roleText(signer, find)
  return [
    ...(signer.iin ? [[t('signer.iin'), unbroken(signer.iin)] as const] : []),
    [t('signer.for'), organizationText(signer, t)],
    ...(role === '' ? [] : [[t('signer.role'), role] as const]),
    [t('signer.when'), whenText(signer, t)],
    ...(signer.power ? [[t('signer.power'), powerText(signer.power, t)] as const] : []),
  ]
}

function powerText({ number, validFrom, validUntil }: NonNullable<SignerReport['power']>, t: T): string {
  return t('signer.powerRange', { number, from: shownDate(validFrom), to: shownDate(validUntil) })
}

/** For a signature inside a document: which part was signed, and what was added later. */
export function placeRows({ inPdf, inXml }: Pick<SignatureReport, 'inPdf' | 'inXml'>, t: T): Row[] {
  if (inXml) {
    const { elements } = inXml
    const signed =
      elements.length > 0
        ? t('xmlSignature.elements', { paths: elements.join(', ') })
        : t('pdfSignature.whole')
    return [[t('pdfSignature.covers'), signed]]
  }
  if (!inPdf) return []
  const { covers, changesAfter, timestampTime } = inPdf
  const signed = !covers
    ? t('pdfSignature.nothing')
    : covers.isWhole
      ? t('pdfSignature.whole')
      : t('pdfSignature.revision', { revision: covers.revision, of: covers.of })
  return [
    ...(timestampTime ? [[t('signer.when'), timeText(timestampTime)] as const] : []),
    [t('pdfSignature.covers'), signed],
    ...(changesAfter.length > 0
      ? [
          [
            t('pdfSignature.after'),
            changesAfter.map((kind) => t(`pdfSignature.changes.${kind}`)).join(', '),
          ] as const,
        ]
      : []),
  ]
}

/** A timestamp over a document names no person. */
export function titleOfUnnamed({ inPdf }: Pick<SignatureReport, 'inPdf'>, t: T): string {
  return inPdf?.format === 'document-timestamp' ? t('pdfSignature.timestamp') : t('signer.unknown')
}

/** Technical details: the certificate, its chain, the response of the centre, the timestamp. */
export function detailRows(signer: SignerReport, { fileName, alsoIn = [] }: SignatureReport, t: T): Row[] {
  const { certificate, algorithm, chain, timestamps, signingTime } = signer
  return [
    [t('result.fileOfSignature'), fileName],
    ...(alsoIn.length > 0 ? [[t('result.alsoIn'), alsoIn.join(', ')] as const] : []),
    ...(certificate ? certificateRows(certificate, t) : []),
    ...(algorithm ? [[t('facts.algorithm'), algorithm] as const] : []),
    ...(chain.length > 1 ? [[t('facts.chain'), chain.slice(1).join(' → ')] as const] : []),
    [t('facts.revocation'), revocationText(signer, t)],
    ...timestamps.map(({ time, service, isGood }): Row => {
      const parts = [time && timeText(time), service, !isGood && t('facts.badTimestamp')]
      return [t('facts.timestamp'), parts.filter(Boolean).join(', ')]
    }),
    ...(signingTime ? [[t('facts.claimedTime'), timeText(signingTime)] as const] : []),
  ]
}

function certificateRows(certificate: NonNullable<SignerReport['certificate']>, t: T): Row[] {
  const { subject, issuer, serialNumber, validFrom, validTo, policies, keyUsage } = certificate
  return [
    [t('facts.subject'), subject],
    [t('facts.issuer'), issuer],
    [t('facts.serialNumber'), serialNumber],
    [t('facts.valid'), t('facts.validValue', { from: timeText(validFrom), to: timeText(validTo) })],
    ...(policies.length > 0 ? [[t('facts.policies'), policies.join(', ')] as const] : []),
    ...(keyUsage.length > 0 ? [[t('facts.keyUsage'), keyUsage.join(', ')] as const] : []),
  ]
}

function revocationText({ revocation }: SignerReport, t: T): string {
  if (!revocation || revocation.status === 'unknown') return t('facts.unknown')
  const { status, by, at, revokedAt } = revocation
  // A certificate that was revoked only later was valid at the time that counts; both facts are told.
  const isBack = status === 'revoked' || revokedAt !== null
  const said = isBack ? t('facts.revoked', { time: revokedAt ? timeText(revokedAt) : '' }) : t('facts.good')
  return by && at ? `${said}, ${t(`facts.${by}`, { time: timeText(at) })}` : said
}

export function bundleRows({ bundle }: Group, t: T): Row[] {
  if (!bundle) return []
  const { request, sender, madeAt, events, shortened, leftOut, logFingerprint, logKey, isHistoryProved } =
    bundle
  const { witnessedBy, earlierSignatures } = bundle
  const history = [
    isHistoryProved ? String(events) : t('bundle.historyUnproved', { count: events ?? 0 }),
    ...(shortened > 0 ? [t('bundle.historyShort', { count: shortened })] : []),
    ...(leftOut > 0 ? [t('bundle.leftOut', { count: leftOut })] : []),
  ]
  return [
    ...(request === null ? [] : [[t('bundle.request'), request] as const]),
    ...(sender ? [[t('bundle.sender'), senderText(sender, t)] as const] : []),
    ...(madeAt ? [[t('bundle.madeAt'), timeText(madeAt)] as const] : []),
    ...(earlierSignatures > 0
      ? [[t('bundle.earlier'), t('bundle.earlierSignatures', { count: earlierSignatures })] as const]
      : []),
    ...(events === null ? [] : [[t('bundle.history'), history.join('; ')] as const]),
    ...(logFingerprint === null || logKey === null
      ? []
      : [[t('bundle.log'), `${logFingerprint} — ${logKeyText(logKey, t)}`] as const]),
    ...(witnessedBy === null ? [] : [[t('bundle.witnesses'), witnessesText(witnessedBy, t)] as const]),
  ]
}

/** Since when and until when an evidence record proves its files, and by what. */
export function recordRows({ record }: Group, t: T): Row[] {
  if (!record) return []
  const { existedAt, holdsUntil, others, timestamps } = record
  return [
    ...(existedAt ? [[t('record.since'), timeText(existedAt)] as const] : []),
    ...(holdsUntil ? [[t('record.until'), timeText(holdsUntil)] as const] : []),
    ...(others > 0 ? [[t('record.others'), t('record.othersCount', { count: others })] as const] : []),
    ...timestamps.map(({ time, service, hash, isGood }): Row => {
      const parts = [timeText(time), service, hash.toUpperCase(), !isGood && t('facts.badTimestamp')]
      return [t('facts.timestamp'), parts.filter(Boolean).join(', ')]
    }),
  ]
}

function witnessesText(witnessedBy: NonNullable<BundleFacts['witnessedBy']>, t: T): string {
  if (witnessedBy.length === 0) return t('bundle.noWitness')
  return witnessedBy.map(({ name, at }) => t('bundle.witness', { name, time: timeText(at) })).join('; ')
}

function senderText({ name, bin, confirmedAt }: NonNullable<BundleFacts['sender']>, t: T): string {
  const proof = confirmedAt === null ? [] : [t('bundle.confirmed', { date: timeText(new Date(confirmedAt)) })]
  return [name, unbroken(bin), ...proof].join(', ')
}

function logKeyText(key: LogKeyState, t: T): string {
  switch (key.state) {
    case 'published':
      return t('bundle.logKnown')
    case 'replacing':
      return t('bundle.logReplacing', { time: timeText(key.formerSeenAt) })
    case 'former':
      return t('bundle.logFormer', { first: timeText(key.firstSeenAt), last: timeText(key.lastSeenAt) })
    case 'remembered':
      return t('bundle.logRemembered', { time: timeText(key.lastSeenAt) })
    case 'other':
      return t('bundle.logOther')
    case 'unknown':
      return t('bundle.logUnknown')
  }
}

export function bundleFaults({ bundle }: Group, find: Find): string[] {
  return (bundle?.faults ?? []).map(({ fault, of }) => find(`verify:bundle.fault.${fault}`, { of }) ?? fault)
}
