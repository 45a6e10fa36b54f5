// @vitest-environment happy-dom
/** The verdict on a signature as shown: who signed, in which role, for whom, when, and why it is trusted. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import { judge } from '@kelisim/domain/signatures/verdict.ts'
import type { Group, SignerReport } from './checking/report.ts'
import { loadTexts } from '../i18n/language.ts'
import { render, texts } from '../ui/testing/render.tsx'
import { ResultView } from './result-view.tsx'
import { timeText } from './wording.ts'

const at = new Date('2026-11-15T06:00:00Z')
const revokedAt = new Date('2026-11-16T06:00:00Z')
const signer: SignerReport = {
  verdict: judge([]),
  faults: [],
  name: 'Ахметов Ерлан',
  iin: '880412300126',
  organization: 'ТОО «Достык Трейд»',
  bin: '180340021791',
  roles: ['legal-entity', 'head'],
  algorithm: 'GOST 34.10-2015 512',
  signingTime: at,
  provedTime: at,
  provedBy: 'timestamp',
  certificate: {
    subject: 'CN=АХМЕТОВ ЕРЛАН',
    issuer: 'CN=ҰКО',
    serialNumber: '7f',
    validFrom: at,
    validTo: at,
    policies: [],
    keyUsage: [],
  },
  trust: {
    root: { name: 'НЕГІЗГІ ОРТАЛЫҚ', sha256: 'ab12' },
    roles: [{ role: 'head', oid: '1.2.398.3.3.4.1.2.1' }],
    policies: ['1.2.398.3.3.2'],
    revocation: [
      {
        certificate: 'АХМЕТОВ ЕРЛАН',
        status: 'good',
        revokedAt: null,
        by: 'ocsp',
        of: 'OCSP RK',
        at,
      },
      {
        certificate: 'ҰКО',
        status: 'good',
        revokedAt: null,
        by: 'crl',
        of: 'НЕГІЗГІ ОРТАЛЫҚ',
        at,
      },
    ],
    timestamps: [
      {
        time: at,
        service: 'TSA RK',
        root: 'НЕГІЗГІ ОРТАЛЫҚ',
        revocation: [
          { certificate: 'TSA RK', status: 'good', revokedAt: null, by: 'crl', of: 'ҰКО', at },
          {
            certificate: 'ҰКО',
            status: 'good',
            revokedAt: null,
            by: 'crl',
            of: 'НЕГІЗГІ ОРТАЛЫҚ',
            at,
          },
        ],
      },
    ],
  },
  chain: ['CN=АХМЕТОВ ЕРЛАН', 'CN=ҰКО', 'CN=НЕГІЗГІ ОРТАЛЫҚ'],
  revocation: { status: 'good', by: 'ocsp', at, revokedAt: null },
  timestamps: [{ time: at, service: 'CN=TSA RK', isGood: true }],
}

beforeAll(() => loadTexts('verify', 'signatures'))

let leave = async () => {}
afterEach(() => leave())

async function shown(one: SignerReport, outcome: Group['outcome'] = 'inside') {
  const group: Group = {
    kind: 'card',
    outcome,
    container: { name: 'card.pdf', size: 10, sha256: 'cd', inside: null },
    documents: [{ name: 'Договор.pdf', size: 9, sha256: 'ef', inside: null }],
    signatures: [
      {
        fileName: '1.cms',
        document: 'Договор.pdf',
        verdict: one.verdict,
        faults: [],
        signers: [one],
      },
    ],
    bundle: null,
    trouble: null,
    attachments: [{ name: 'Договор.pdf', state: 'signed' }],
  }
  const { place, unmount } = await render(
    <ResultView report={{ at, isDemo: false, groups: [group] }} onRetry={() => {}} />,
  )
  leave = unmount
  return {
    verdict: texts(place, 'h2'),
    said: place.textContent.replaceAll('\u00a0', ' '),
    rule: texts(place, 'li li'),
  }
}

test('for a card, it is shown that the document inside is signed, by whom, in what role, for whom and when', async () => {
  const { verdict, said } = await shown(signer)
  expect(verdict).toEqual(['Подписан вложенный документ; страницы вокруг не проверены'])
  for (const fact of ['Ахметов Ерлан', '880 412 300 126', 'ТОО «Достык Трейд»', 'первый руководитель'])
    expect(said).toContain(fact)
  expect(said).toContain(`${timeText(at)} — подтверждено меткой времени`)
})

test('the rule by which a signature is trusted is shown in sentences', async () => {
  const { rule } = await shown(signer)
  expect(rule.slice(-7)).toEqual([
    'Сертификат ведёт к корневому сертификату «НЕГІЗГІ ОРТАЛЫҚ», которому здесь доверяют (SHA-256 ab12)',
    'Роль «первый руководитель» указана в сертификате (1.2.398.3.3.4.1.2.1)',
    'Сертификат выдан по политике 1.2.398.3.3.2',
    `Сертификат подписавшего не отозван: ответ службы OCSP «OCSP RK» от ${timeText(at)}`,
    `Сертификат центра «ҰКО» не отозван: список отозванных центра «НЕГІЗГІ ОРТАЛЫҚ» от ${timeText(at)}`,
    `Время ${timeText(at)} доказывает метка службы «TSA RK», сертификат которой ведёт к корневому «НЕГІЗГІ ОРТАЛЫҚ»`,
    `Сертификат службы меток времени «TSA RK» не отозван: список отозванных центра «ҰКО» от ${timeText(at)}`,
  ])
})

test.each([
  ['revoked', 'отозван'],
  ['good', 'отозван, уже после подписания'],
] as const)(
  'a certificate with the status %s and a day of revocation is explained',
  async (status, words) => {
    const [own] = signer.trust!.revocation
    const trust = { ...signer.trust!, revocation: [{ ...own!, status, revokedAt }] }
    const { rule } = await shown({ ...signer, trust })
    const [head, tail] = words.split(',')
    const time = timeText(revokedAt)
    expect(rule).toContain(
      `Сертификат подписавшего ${head} ${time}${tail ? `,${tail}` : ''}: ответ службы OCSP «OCSP RK» от ${timeText(at)}`,
    )
  },
)

test('it is shown that nothing proves the time, or that the root is not trusted', async () => {
  const bare = { ...signer, provedTime: null, provedBy: null, timestamps: [] }
  const noStamp = await shown({ ...bare, trust: { ...signer.trust!, timestamps: [] } })
  expect(noStamp.rule.at(-1)).toBe(
    'Время подписания ничем не доказано, поэтому сертификат проверен на время этой проверки',
  )
  await leave()
  const faults = ['issuer-unknown'] as const
  const unknown = { ...signer, faults: [...faults], verdict: judge(faults) }
  const { rule, verdict } = await shown(
    { ...unknown, trust: { ...signer.trust!, root: null, revocation: [] } },
    'unconfirmed',
  )
  expect(verdict).toEqual(['Подпись не подтверждена'])
  expect(rule.at(-1)).toBe('Сертификат не ведёт ни к одному корневому сертификату, которому здесь доверяют')
})

test('a timestamp over a whole PDF is shown with the certificates that it is based on', async () => {
  const group: Group = {
    kind: 'pdf',
    outcome: 'valid',
    container: null,
    documents: [{ name: 'Договор.pdf', size: 9, sha256: 'ef', inside: null }],
    signatures: [
      {
        fileName: 'Договор.pdf',
        document: 'Договор.pdf',
        verdict: judge([]),
        faults: [],
        signers: [],
        inPdf: {
          format: 'document-timestamp',
          covers: { revision: 1, of: 1, isWhole: true, to: 9 },
          changesAfter: [],
          signedVersion: null,
          timestampTime: at,
          timestampTrust: signer.trust!.timestamps[0]!,
        },
      },
    ],
    bundle: null,
    trouble: null,
  }
  const { place, unmount } = await render(
    <ResultView report={{ at, isDemo: false, groups: [group] }} onRetry={() => {}} />,
  )
  leave = unmount
  expect(texts(place, 'li li')).toEqual([
    `Время ${timeText(at)} доказывает метка службы «TSA RK», сертификат которой ведёт к корневому «НЕГІЗГІ ОРТАЛЫҚ»`,
    `Сертификат службы меток времени «TSA RK» не отозван: список отозванных центра «ҰКО» от ${timeText(at)}`,
    `Сертификат центра «ҰКО» не отозван: список отозванных центра «НЕГІЗГІ ОРТАЛЫҚ» от ${timeText(at)}`,
  ])
})
