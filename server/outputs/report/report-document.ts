/** The contents and layout of the signing report. */
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { dateInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { toldSides, toldSteps } from '@kelisim/domain/requests/correcting/told-steps.ts'
import { pointStatusWord } from '@kelisim/domain/requests/point-status-word.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { conditionText } from '@kelisim/domain/routes/condition-words.ts'
import { finalStatuses, requestStatusOf } from '@kelisim/domain/requests/status.ts'
import { palette } from '@kelisim/pdf/palette.ts'
import { millimetre } from '@kelisim/pdf/units.ts'
import { withInnerQuotes } from '@kelisim/texts/translate.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { ReportJob, ReportFacts } from './report-job.ts'
import {
  heading,
  note,
  pairs,
  table,
  isShort,
  breakable,
  grouped,
  moment,
  type Line,
} from './report-parts.ts'

export const logFiles = { entries: 'log-entries.jsonl', proofs: 'log-proofs.txt' } as const

type RequestFacts = ReportFacts['request']
type PointFacts = RequestFacts['points'][number]
type SignatureFacts = PointFacts['signatures'][number]

export function reportDefinition(job: ReportJob): TDocumentDefinitions {
  const { language, facts, log } = job
  const { request } = facts
  const t = textsOf(language, 'outputs-report')
  return {
    // embedded files and the language of the text need a later version than the 1.3 of the library
    version: '1.7',
    pageSize: 'A4',
    pageMargins: [20 * millimetre, 18 * millimetre, 15 * millimetre, 18 * millimetre],
    defaultStyle: { font: 'Golos', fontSize: 9, lineHeight: 1.2, color: palette.ink },
    info: { title: `${t('title')}: ${request.name}`, creator: 'Kelisim', producer: 'Kelisim' },
    language,
    files: Object.fromEntries(
      (['entries', 'proofs'] as const).map((part) => [
        logFiles[part],
        { src: `data:text/plain;base64,${Buffer.from(log[part]).toString('base64')}`, name: logFiles[part] },
      ]),
    ),
    content: [
      {
        text: textsOf(language, 'common')('product'),
        bold: true,
        fontSize: 10,
        color: palette.turquoise,
        margin: [0, 0, 0, 10],
      },
      { text: t('title'), bold: true, fontSize: 18, margin: [0, 0, 0, 2] },
      { text: breakable(request.name, 40), fontSize: 12, margin: [0, 0, 0, 6] },
      { text: t('lead'), color: palette.soft, margin: [0, 0, 0, 2] },
      { text: t('madeAt', { time: moment(facts.madeAt) }), color: palette.soft },
      ...documentSection(job),
      ...routeSection(job),
      ...signatureSections(job),
      ...historySection(job),
      ...logSection(job),
    ],
    footer: (page, count) => ({
      columns: [
        { text: request.id, color: palette.soft, fontSize: 8 },
        { text: t('page', { page, count }), alignment: 'right', color: palette.soft, fontSize: 8 },
      ],
      margin: [20 * millimetre, 18, 15 * millimetre, 0],
    }),
  }
}

function documentSection({ language, facts }: ReportJob): Content[] {
  const { request } = facts
  const t = textsOf(language, 'outputs-report')
  const status = requestStatusOf(request.status)
  const { withdrawal } = request
  return [
    heading(t('document.title')),
    pairs([
      [t('document.name'), request.name],
      [t('document.description'), request.description],
      [
        t('document.registration'),
        request.registration &&
          t('document.registered', {
            number: request.registration.number,
            date: shownDate(request.registration.registeredOn),
          }),
      ],
      [t('document.file'), request.document.fileName],
      [t('document.size'), t('document.bytes', { count: grouped.format(request.document.size) })],
      [t('document.digest'), request.document.sha256],
      [t('document.date'), shownDate(request.signingDate)],
      [t('document.status'), textsOf(language, 'requests-lists')(`status.${status}`)],
      [t('document.sender'), senderOf(request, language)],
      [t('document.author'), request.author.fullName],
      [t('document.sentAt'), moment(request.createdAt)],
      [t('document.timestamps'), t(request.isTimestampRequired ? 'document.required' : 'document.optional')],
      [t('document.expiresOn'), request.expiresOn && shownDate(request.expiresOn)],
      [t('document.expired'), request.expiredAt && moment(request.expiredAt)],
      [
        t('document.withdrawn'),
        withdrawal && `${doer(withdrawal, language)}, ${moment(withdrawal.at)}. ${withdrawal.comment}`,
      ],
      [t('document.request'), request.id],
      // The id at the end of the link must not be broken across lines.
      [t('document.link'), facts.link.replace(/[^/]+$/, '\n$&')],
    ]),
  ]
}

function routeSection({ language, facts }: ReportJob): Content[] {
  const { request, hidden } = facts
  const t = textsOf(language, 'outputs-report')
  const isOver = finalStatuses.includes(requestStatusOf(request.status))
  const { termination } = request
  return [
    heading(t('route.title')),
    pointsTable(request.points, isOver, language),
    ...passedNotes(request, language),
    ...(hidden > 0 ? [note(t('route.hidden', { count: hidden }))] : []),
    ...(termination
      ? [
          heading(t('route.termination', { number: termination.attempt })),
          note(
            t('route.begun', {
              name: doer(termination.begunBy, language),
              time: moment(termination.begunAt),
            }),
          ),
          note(t('route.reason', { comment: termination.comment })),
          note(t('route.terminatingDocument', { name: termination.title })),
          pointsTable(termination.points, isOver, language),
        ]
      : []),
  ]
}

/** The points of the route that the document did not need, each with its condition. */
function passedNotes({ conditions }: RequestFacts, language: ReportJob['language']): Content[] {
  const t = textsOf(language, 'outputs-report')
  const passed = conditions?.points.filter(({ verdict }) => verdict === 'notMet') ?? []
  return passed.map(({ order, name, condition }) =>
    note(`${t('route.passed')}: ${order}. ${name}. ${neededIf(condition, language)}`),
  )
}

function neededIf(condition: Condition, language: ReportJob['language']): string {
  const what = conditionText(condition, textsOf(language, 'points'))
  return textsOf(language, 'outputs-report')('route.neededIf', { what })
}

function pointsTable(
  points: readonly PointFacts[],
  isOver: boolean,
  language: ReportJob['language'],
): Content {
  const t = textsOf(language, 'outputs-report')
  const ofRequests = textsOf(language, 'requests')
  const ofPoints = textsOf(language, 'points')
  const row = (point: PointFacts): Line[][] => [
    [{ text: String(point.order) }],
    [
      { text: point.name, bold: true },
      { text: ofPoints(`types.${typeOf(point.type)!}`), color: palette.soft },
      ...(point.agreementCondition === 'all' ? [{ text: t('route.all'), color: palette.soft }] : []),
      ...(point.quorum === null
        ? []
        : [{ text: t('route.quorum', { quorum: point.quorum }), color: palette.soft }]),
      ...(point.signatureForm === 'pades' ? [{ text: t('route.inside'), color: palette.soft }] : []),
      ...(point.signatureForm === 'xades' ? [{ text: t('route.inXml'), color: palette.soft }] : []),
    ],
    [{ text: point.organizationName }, ...(point.bin === '' ? [] : [{ text: inGroups(point.bin) }])],
    [
      { text: ofRequests(`pointStatus.${pointStatusWord(point, isOver)}`), bold: true },
      ...(point.doneAt
        ? [{ text: t('route.done', { time: moment(point.doneAt) }), color: palette.soft }]
        : point.turnCameAt
          ? [{ text: t('route.turn', { time: moment(point.turnCameAt) }), color: palette.soft }]
          : []),
      ...(point.dueOn
        ? [{ text: t('route.due', { date: shownDate(point.dueOn) }), color: palette.soft }]
        : []),
      ...point.acts.map((act) => ({
        text: `${doer(act, language)}: ${ofRequests(`did.${act.act}`)}, ${moment(act.at)}${act.comment && `. «${withInnerQuotes(act.comment)}»`}`,
      })),
    ],
  ]
  return table(
    [30, '*', '*', '*'],
    [t('route.order'), t('route.point'), t('route.side'), t('route.state')],
    points.map(row),
  )
}

function signatureSections(job: ReportJob): Content[] {
  const { language, facts } = job
  const { points, termination } = facts.request
  const t = textsOf(language, 'outputs-report')
  const signed = (of: readonly PointFacts[]) =>
    of
      .flatMap((point) => point.signatures.map((signature) => ({ point, signature })))
      .toSorted((one, other) => one.signature.receivedAt.localeCompare(other.signature.receivedAt))
  const cards = signed(points)
  const terminating = signed(termination?.points ?? [])
  return [
    ...(cards.length === 0 ? [heading(t('signatures.title')), note(t('signatures.none'))] : []),
    ...cardsUnder(t('signatures.title'), cards, job),
    ...cardsUnder(t('signatures.terminating'), terminating, job),
  ]
}

/** Keeps a heading with the first item below it. */
function cardsUnder(title: string, cards: readonly SignatureCard[], job: ReportJob): Content[] {
  return cards.map((card, i) => {
    const content = signatureCard(card, i + 1, job)
    // An unbreakable block longer than a page would be cut off.
    const isShort = card.signature.comment.length < 600 && card.point.name.length < 100
    return { stack: i === 0 ? [heading(title), content] : [content], unbreakable: isShort }
  })
}

type SignatureCard = { point: PointFacts; signature: SignatureFacts }

function signatureCard({ point, signature }: SignatureCard, number: number, job: ReportJob): Content {
  const { language, facts } = job
  const t = textsOf(language, 'outputs-report')
  const of = textsOf(language, 'requests')
  const { certificate: own, by, receivedAt, checkedAt, comment, id, power } = signature
  const name = own?.fullName || by.fullName
  const isGood = signature.state === 'accepted'
  return {
    stack: [
      {
        text: breakable(t('signatures.heading', { number, name }), 40),
        bold: true,
        fontSize: 10,
        margin: [0, 8, 0, 2],
      },
      {
        text: verdictText(signature, language),
        color: isGood ? palette.success : palette.danger,
        bold: true,
        margin: [0, 0, 0, 4],
      },
      pairs([
        [t('signatures.point'), point.name],
        [of('signature.owner'), own?.fullName],
        [of('signature.iin'), own?.iin && inGroups(own.iin)],
        [of('signature.bin'), own?.bin && inGroups(own.bin)],
        [of('signature.organization'), own?.organization],
        [of('signature.serial'), own?.serialNumber],
        [of('signature.issuer'), own?.issuer],
        [of('signature.valid'), own && `${moment(own.validFrom)} – ${moment(own.validTo)}`],
        [of('signature.power'), power && powerText(power, language)],
        [of('signature.algorithm'), own?.algorithm],
        [of('signature.revocation'), own && of(`signature.${own.revocation ?? 'unknown'}`)],
        [
          of('signature.timestamp'),
          own && (own.timestampTime === null ? of('signature.none') : moment(own.timestampTime)),
        ],
        [of('signature.received'), moment(receivedAt)],
        [of('signature.checkedAt'), checkedAt && moment(checkedAt)],
        [t('signatures.by'), doer(by, language)],
        [t('signatures.comment'), comment],
        [t('signatures.cms'), facts.digests[id]],
      ]),
    ],
  }
}

function powerText(
  { number, validFrom, validUntil }: NonNullable<SignatureFacts['power']>,
  language: ReportJob['language'],
): string {
  const range = { number, from: shownDate(validFrom), to: shownDate(validUntil) }
  return textsOf(language, 'requests')('signature.powerRange', range)
}

function verdictText({ state, verdict }: SignatureFacts, language: ReportJob['language']): string {
  const t = textsOf(language, 'outputs-report')
  if (state === 'accepted') return t('signatures.passed')
  if (!verdict) return t('signatures.checking')
  const code = verdict.code
  const why =
    code === null ? '' : `${textsOf(language, 'signatures')(`codes.${code}` as 'codes.DS-101')} (${code})`
  return t(verdict.verdict === 'INDETERMINATE' ? 'signatures.indeterminate' : 'signatures.failed', {
    reason: why,
  })
}

function historySection({ language, facts }: ReportJob): Content[] {
  const { events, eventsCount } = facts
  const t = textsOf(language, 'outputs-report')
  const of = textsOf(language, 'requests')
  const rows = events.map(({ at, type, actor, pointName, comment, data, logIndex }): Line[][] => {
    const { code, number, condition } = data
    const key = `history.events.${type}` as 'history.events.sent'
    const eventName = of(key, { point: pointName ?? '' })
    return [
      [{ text: moment(at) }],
      [
        { text: eventName === key ? of('history.events.other') : eventName },
        ...(comment ? [{ text: `«${withInnerQuotes(comment)}»`, color: palette.soft }] : []),
        ...(typeof code === 'string' ? [{ text: code, color: palette.soft }] : []),
        ...(typeof number === 'string'
          ? [{ text: of('history.number', { number }), color: palette.soft }]
          : []),
        ...toldOfSteps(type, data, language).map((text) => ({ text, color: palette.soft })),
        ...(type === 'passed-over'
          ? [{ text: neededIf(condition as Condition, language), color: palette.soft }]
          : []),
      ],
      [{ text: actor ? doer(actor, language) : of('history.system') }],
      [{ text: logIndex === null ? '' : String(logIndex), alignment: 'right' }],
    ]
  })
  const left = eventsCount - events.length
  const title = heading(t('history.title'))
  const content = table(
    [88, '*', 120, 44],
    [t('history.time'), t('history.event'), t('history.who'), t('history.log')],
    rows,
  )
  return [
    // The heading must not stand alone at the end of a page, so a short table is kept together with it and a long one
    // begins a page.
    rows.length <= 10 && isShort(rows.flat(2))
      ? { stack: [title, content], unbreakable: true }
      : { stack: [title, content], pageBreak: 'before' },
    ...(left > 0 ? [note(t('history.more', { count: left }))] : []),
  ]
}

/** Lines that tell which steps were changed, or who signs from then on. */
function toldOfSteps(type: string, data: Record<string, unknown>, language: Language): string[] {
  const of = textsOf(language, 'requests')
  const steps = type === 'rerouted' ? toldSteps(data) : null
  const names = type === 'sides-changed' ? toldSides(data) : null
  const list = (text: string) => text || of('history.noSteps')
  return [
    ...(steps
      ? [
          of('history.stepsBefore', { steps: list(steps.before) }),
          of('history.stepsAfter', { steps: list(steps.after) }),
        ]
      : []),
    ...(names === null ? [] : [of('history.sides', { names })]),
  ]
}

function logSection({ language, log: { head } }: ReportJob): Content[] {
  const t = textsOf(language, 'outputs-report')
  return [
    heading(t('log.title')),
    note(t('log.lead', { files: Object.values(logFiles).join(', ') })),
    pairs([
      [t('log.size'), String(head.size)],
      [t('log.root'), Buffer.from(head.root).toString('hex')],
      [t('log.at'), moment(head.at)],
      [t('log.key'), Buffer.from(head.keyId).toString('hex')],
      [t('log.signature'), Buffer.from(head.signature).toString('base64')],
    ]),
  ]
}

function senderOf({ organization }: ReportJob['facts']['request'], language: ReportJob['language']): string {
  const t = textsOf(language, 'outputs-report')
  const { shortName: name, bin, confirmedAt } = organization
  const date = confirmedAt && shownDate(dateInAlmaty(new Date(confirmedAt)))
  const sender = t('document.numbered', { name, number: inGroups(bin) })
  return date ? `${sender}, ${t('document.confirmed', { date })}` : sender
}

function doer(
  who: { fullName: string; insteadOf?: string | undefined; program?: string | undefined },
  language: ReportJob['language'],
): string {
  const t = textsOf(language, 'requests')
  const name =
    who.insteadOf === undefined ? who.fullName : t('insteadOf', { name: who.fullName, absent: who.insteadOf })
  return who.program === undefined ? name : t('byProgram', { name, program: who.program })
}
