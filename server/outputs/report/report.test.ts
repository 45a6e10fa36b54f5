/** The contents of the report, read from its pages. */
import { describe, expect, test } from 'vitest'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { pointStatuses, requestStatuses } from '@kelisim/domain/requests/status.ts'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { pdfBytes } from '@kelisim/pdf/make-pdf.ts'
import { attachmentsOf, pdfText } from '../../rich-text/testing-pdf.ts'
import { logFiles, reportDefinition } from './report-document.ts'
import { mostCharacters, withShortComments } from './shorten-comments.ts'
import type { ReportFacts } from './report-job.ts'

const id = (n: number) => `0190b3c4-0000-7000-8000-00000000000${n}`

const certificate = {
  fullName: 'ӘЛІМБЕК ҰЛПАН ҒАБИТҚЫЗЫ',
  iin: '900101400123',
  bin: '160440007161',
  organization: 'ТОО «Қызғалдақ»',
  serialNumber: '1f2e3d4c5b6a79880123456789abcdef01234567',
  issuer: 'CN=ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ (GOST), C=KZ',
  validFrom: '2026-01-01T00:00:00.000Z',
  validTo: '2027-01-01T00:00:00.000Z',
  algorithm: 'gost-kz-512',
  revocation: 'ocsp' as const,
  timestampTime: '2026-11-15T06:10:03.000Z',
}

type PointFacts = ReportFacts['request']['points'][number]

const point = (n: number, change: Partial<PointFacts>): PointFacts => ({
  pointId: id(n),
  order: n,
  name: `Точка ${n}`,
  type: pointTypes.of('CompanyInternalSign'),
  pointType: 0,
  bin: '',
  organizationName: 'ТОО «Арай»',
  groupName: null,
  agreementCondition: 'any',
  quorum: null,
  isEdsPresentationRequired: false,
  keyHolder: 'employee',
  keyHolderIin: null,
  signatureForm: 'cms',
  status: pointStatuses.Signed,
  statusDescriptionData: null,
  turnCameAt: '2026-11-15T06:00:00.000Z',
  doneAt: '2026-11-15T06:10:05.000Z',
  participants: [],
  acts: [],
  openings: [],
  proposal: null,
  place: null,
  signatures: [],
  isMine: false,
  takesMyKey: true,
  hasPower: false,
  actsInsteadOf: null,
  dueOn: null,
  escalation: null,
  ...change,
})

const facts: ReportFacts = {
  request: {
    id: id(0),
    name: 'Договор поставки № 7',
    description: 'На зиму',
    status: requestStatuses.of('Completed'),
    signingDate: '2026-11-15',
    isTimestampRequired: true,
    isQuick: false,
    generationSetting: { additionalComponents: 0, accessCodeExpirationDate: null },
    classificators: [],
    document: {
      id: null,
      fileName: 'договор.pdf',
      format: 'pdf',
      size: 1_234_567,
      destroyedAt: null,
      sha256: 'ab'.repeat(32),
    },
    revision: 1,
    revisions: [],
    kind: null,
    registration: { number: 'ИСХ-0007/2026', registeredOn: '2026-11-15' },
    ownRegistration: null,
    canRegister: false,
    conditions: null,
    expiresOn: null,
    expiredAt: null,
    isFirstLook: false,
    route: null,
    author: { id: id(8), fullName: 'Ерлан Сағынтаев' },
    organization: { id: id(9), shortName: 'ТОО «Арай»', bin: '160440007161', confirmedAt: null },
    createdAt: '2026-11-15T05:59:00.000Z',
    changedAt: '2026-11-15T06:10:05.000Z',
    currentVersion: 4,
    points: [
      point(1, {
        type: pointTypes.of('InternalApprove'),
        status: pointStatuses.Approved,
        agreementCondition: 'all',
        acts: [
          {
            act: 'approved',
            fullName: 'Болат Нұрланов',
            insteadOf: 'Айгүл Төлеген',
            at: '2026-11-15T06:05:00.000Z',
            comment: 'Согласен с ценой',
            signatureId: null,
          },
        ],
      }),
      point(2, {
        bin: '160440007161',
        signatures: [
          {
            id: id(5),
            by: { fullName: 'Ұлпан Әлімбек' },
            comment: 'Подписываю',
            state: 'accepted',
            receivedAt: '2026-11-15T06:10:00.000Z',
            nextTryAt: null,
            power: null,
            checkedAt: '2026-06-02T09:00:00Z',
            certificate,
            verdict: { verdict: 'TOTAL-PASSED', subIndication: null, code: null },
          },
          {
            id: id(6),
            by: { fullName: 'Ұлпан Әлімбек' },
            comment: '',
            state: 'refused',
            receivedAt: '2026-11-15T06:08:00.000Z',
            nextTryAt: null,
            power: null,
            checkedAt: '2026-06-02T09:00:00Z',
            certificate,
            verdict: { verdict: 'TOTAL-FAILED', subIndication: 'REVOKED', code: 'DS-302' },
          },
        ],
      }),
    ],
    termination: null,
    canEdit: false,
    signingRequestActions: { CanEdit: false },
    acts: [],
    canSendAgain: false,
    follows: null,
    followedBy: null,
    withdrawal: null,
    package: null,
    lock: null,
  },
  hidden: 2,
  events: [
    {
      number: 1,
      at: '2026-11-15T05:59:00.000Z',
      type: 'sent',
      actor: { fullName: 'Ерлан Сағынтаев' },
      pointName: null,
      comment: '',
      data: {},
      before: 0,
      after: 1,
      logIndex: 41,
    },
    {
      number: 7,
      at: '2026-11-15T06:10:05.000Z',
      type: 'completed',
      actor: null,
      pointName: null,
      comment: '',
      data: {},
      before: 2,
      after: 8,
      logIndex: 48,
    },
    {
      number: 8,
      at: '2026-11-15T06:10:06.000Z',
      type: 'of-tomorrow',
      actor: null,
      pointName: null,
      comment: 'Слова',
      data: {},
      before: 8,
      after: 8,
      logIndex: null,
    },
  ],
  eventsCount: 5,
  digests: { [id(5)]: 'cd'.repeat(32), [id(6)]: 'ef'.repeat(32) },
  link: 'https://kelisim.example/signingRequests/redirect/1',
  madeAt: new Date('2026-11-15T07:00:00Z'),
}

const log = {
  head: {
    size: 300,
    at: new Date('2026-11-15T07:00:00Z'),
    root: Buffer.alloc(32, 7),
    keyId: Buffer.alloc(32, 9),
    signature: Buffer.alloc(64, 3),
  },
  entries: Buffer.from('{"number":1}\n'),
  proofs: Buffer.from('1 41 00ff\n'),
}

const print = (language: Language, change: Partial<ReportFacts> = {}) =>
  pdfBytes(reportDefinition({ language, facts: { ...facts, ...change }, log }), [facts, language])

/** Without spaces, so that line breaks do not matter. */
const bare = (text: string) => text.replaceAll(/\s/g, '')

describe.each(languages)('in %s', (language) => {
  test('the report contains request, route, signatures, history and log', async () => {
    const text = bare(await pdfText(await print(language)))
    const t = textsOf(language, 'outputs-report')
    const of = textsOf(language, 'requests')
    for (const expected of [
      t('title'),
      'Договор поставки № 7',
      'договор.pdf',
      'ab'.repeat(32),
      '15.11.2026',
      '1 234 567',
      'Ерлан Сағынтаев',
      '160440007161',
      textsOf(language, 'requests-lists')('status.Completed'),
      'Точка 1',
      'Точка 2',
      of('insteadOf', { name: 'Болат Нұрланов', absent: 'Айгүл Төлеген' }),
      'Согласен с ценой',
      of('pointStatus.Approved'),
      t('route.hidden', { count: 2 }),
      t('route.all'),
      'ӘЛІМБЕК ҰЛПАН ҒАБИТҚЫЗЫ',
      '900 101 400 123',
      certificate.serialNumber,
      certificate.issuer,
      t('signatures.passed'),
      'cd'.repeat(32),
      'ef'.repeat(32),
      of('signature.ocsp'),
      '15.11.2026 11:10:03',
      textsOf(language, 'signatures')('codes.DS-302'),
      'DS-302',
      of('history.events.sent'),
      of('history.events.completed'),
      of('history.events.other'),
      'Слова',
      '41',
      '48',
      t('history.more', { count: 2 }),
      '300',
      '07'.repeat(32),
      '09'.repeat(32),
      log.head.signature.toString('base64'),
      facts.link,
    ]) {
      expect(text).toContain(bare(expected))
    }
  })
})

test('the report declares a version of PDF that has attachments', async () => {
  expect((await print('ru')).subarray(0, 8).toString()).toBe('%PDF-1.7')
})

test('log entries and their proofs are attached to the report', async () => {
  const files = await attachmentsOf(await print('ru'))
  expect(files.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
    [logFiles.entries, '{"number":1}\n'],
    [logFiles.proofs, '1 41 00ff\n'],
  ])
})

test('the same facts give the same bytes', async () => {
  expect((await print('kk')).equals(await print('kk'))).toBe(true)
})

test('the report of an unsigned request states that there are no signatures', async () => {
  const points = facts.request.points.map((one) => ({ ...one, signatures: [] }))
  const text = await pdfText(await print('ru', { request: { ...facts.request, points }, hidden: 0 }))
  expect(bare(text)).toContain(bare(textsOf('ru', 'outputs-report')('signatures.none')))
})

test('a row of the route is not split between pages', async () => {
  const points = Array.from({ length: 40 }, (_, i) =>
    point(1, { name: `начало${i}. ${'согласование '.repeat(6)} конец${i}.` }),
  )
  const pages = (await pdfText(await print('ru', { request: { ...facts.request, points } }))).split('\n')
  const split = pages.flatMap((page) =>
    points.flatMap((_, i) =>
      bare(page).includes(`начало${i}.`) === bare(page).includes(`конец${i}.`) ? [] : [i],
    ),
  )
  expect(split).toEqual([])
})

test.each([5, 40])(
  'the heading of a history of %i events has the first of them on its page',
  async (count) => {
    const title = bare(textsOf('ru', 'outputs-report')('history.title'))
    const first = bare(textsOf('ru', 'requests')('history.events.sent'))
    const events = Array.from({ length: count }, () => facts.events[0]!)
    // A growing number of points before the heading moves it through a page.
    for (let more = 0; more < 24; more += 6) {
      const points = [...facts.request.points, ...Array.from({ length: more }, () => point(9, {}))]
      const text = await pdfText(await print('ru', { events, request: { ...facts.request, points } }))
      const pages = text.split('\n').map(bare)
      expect(pages.find((page) => page.includes(title) && page.includes(first))).toBeDefined()
    }
  },
)

test('long comments are in the report in full', async () => {
  const comment = 'Слово '.repeat(330).trim()
  const points = facts.request.points.map((one) => ({
    ...one,
    name: 'Т'.repeat(250),
    acts: one.acts.map((act) => ({ ...act, comment })),
    signatures: one.signatures.map((signature) => ({ ...signature, comment })),
  }))
  const events = facts.events.map((event) => ({ ...event, comment: 'Пояснение '.repeat(800).trim() }))
  const text = await pdfText(await print('ru', { events, request: { ...facts.request, points } }))
  const count = (word: string) => bare(text).split(word).length - 1
  expect([count('Слово'), count('Пояснение')]).toEqual([3 * 330, 3 * 800])
})

test('too many long comments are shortened, those of accepted signatures last', () => {
  const comment = 'a\n'.repeat(1000)
  const [first, second] = facts.request.points
  const [accepted, refused] = second!.signatures
  const many = Array.from({ length: 500 }, () => ({ ...refused!, comment }))
  const signatures = [...many, { ...accepted!, comment }]
  const events = Array.from({ length: 1000 }, (_, i) => ({ ...facts.events[0]!, number: i + 1, comment }))
  const request = { ...facts.request, points: [first!, { ...second!, signatures }] }
  const short = withShortComments({ ...facts, request, events })
  expect(short.request.points[1]!.signatures.at(-1)!.comment).toBe(comment)
  expect(short.request.points[1]!.signatures[0]!.comment).toBe(comment)
  expect(short.events[999]!.comment).toBe(`${'a '.repeat(50)}…`)
  const all = [...short.request.points.flatMap((one) => one.signatures), ...short.events]
  const length = all.reduce((sum, one) => sum + one.comment.length, 0)
  expect(length).toBeLessThan(mostCharacters + 101 * all.length)
  expect(withShortComments(facts)).toEqual(facts)
})
