/** Reads the PDF of the verdict back with another PDF reader, in each language. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import en from '@kelisim/texts/en/verify.json'
import enCodes from '@kelisim/texts/en/signatures.json'
import kk from '@kelisim/texts/kk/verify.json'
import kkCodes from '@kelisim/texts/kk/signatures.json'
import ru from '@kelisim/texts/ru/verify.json'
import ruCodes from '@kelisim/texts/ru/signatures.json'
import { languages } from '@kelisim/texts/languages.ts'
import { translate } from '@kelisim/texts/translate.ts'
import { judge } from '@kelisim/domain/signatures/verdict.ts'
import type { Report, SignerReport } from './checking/report.ts'
import { writtenPdf } from './verdict-pdf.ts'
import { timeText } from './wording.ts'

const texts = {
  ru: { verify: ru, signatures: ruCodes },
  kk: { verify: kk, signatures: kkCodes },
  en: { verify: en, signatures: enCodes },
}
const at = new Date('2026-11-15T06:00:00Z')
const sha256 = 'ab'.repeat(32)

const signer: SignerReport = {
  verdict: judge([]),
  faults: [],
  name: 'Ғабитов Қуаныш Өмірұлы',
  iin: '880412300126',
  organization: 'ЖШС «Ұлы Көш» 漢',
  bin: '180340021791',
  roles: ['legal-entity', 'head'],
  algorithm: 'GOST 34.10-2015 512',
  signingTime: at,
  provedTime: at,
  provedBy: 'timestamp',
  certificate: {
    subject: 'CN=ҒАБИТОВ ҚУАНЫШ',
    issuer: 'CN=ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ',
    serialNumber: '7f'.repeat(20),
    validFrom: at,
    validTo: at,
    policies: ['1.2.398.3.3.2'],
    keyUsage: ['digitalSignature'],
  },
  trust: {
    root: { name: 'НЕГІЗГІ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ', sha256 },
    roles: [{ role: 'head', oid: '1.2.398.3.3.4.1.2.1' }],
    policies: ['1.2.398.3.3.2'],
    revocation: [
      {
        certificate: 'ҒАБИТОВ ҚУАНЫШ',
        status: 'good',
        revokedAt: null,
        by: 'ocsp',
        of: 'OCSP RESPONDER',
        at,
      },
    ],
    timestamps: [{ time: at, service: 'TSA', root: 'НЕГІЗГІ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ', revocation: [] }],
  },
  chain: ['CN=ҒАБИТОВ ҚУАНЫШ', 'CN=ОРТАЛЫҚ', 'CN=ТҮБІР'],
  revocation: { status: 'good', by: 'ocsp', at, revokedAt: null },
  timestamps: [{ time: at, service: 'CN=TSA', isGood: true }],
}
const document = { name: 'Әріптестік туралы шарт.pdf', size: 1234567, sha256, inside: null }
const bad: SignerReport = { ...signer, faults: ['revoked-by-ocsp'], verdict: judge(['revoked-by-ocsp']) }
const signature = { fileName: '1.cms', document: document.name, verdict: judge([]), faults: [] }

const report: Report = {
  at,
  isDemo: true,
  groups: [
    {
      kind: 'detached',
      outcome: 'unconfirmed',
      container: null,
      documents: [document],
      bundle: null,
      trouble: null,
      signatures: [
        { ...signature, signers: [signer] },
        ...Array.from({ length: 6 }, () => ({ ...signature, verdict: bad.verdict, signers: [bad] })),
      ],
    },
  ],
}

const folder = join(
  createRequire(import.meta.url).resolve('@expo-google-fonts/golos-text/package.json'),
  '..',
)
const face = (name: string) => new Uint8Array(readFileSync(join(folder, name)))
const faces = {
  regular: face('400Regular/GolosText_400Regular.ttf'),
  bold: face('700Bold/GolosText_700Bold.ttf'),
}

async function written(of: Report, language: (typeof languages)[number]) {
  const find = (key: string, values?: Record<string, unknown>) =>
    translate(texts[language], language, key, values)
  const t = (key: string, values?: Record<string, unknown>) => find(`verify:${key}`, values) ?? key
  const bytes = await writtenPdf(of, { t, find, language, address: 'https://kelisim.kz/verify' }, faces)
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise
  let words = ''
  for (let i = 1; i <= pdf.numPages; i++) {
    const { items } = await (await pdf.getPage(i)).getTextContent()
    words += items.map((item) => ('str' in item ? item.str : '')).join(' ')
  }
  return { t, pages: pdf.numPages, says: (text: string) => bare(words).includes(bare(text)) }
}

const bare = (text: string) => text.replaceAll(/\s/g, '')

test.each(languages)(
  'in %s the PDF has file names, fingerprints, the time with its zone and all verdicts',
  async (language) => {
    const { t, pages, says } = await written(report, language)
    expect(pages).toBeGreaterThan(1)
    for (const expected of [
      t('pdf.title'),
      'Әріптестік туралы шарт.pdf',
      'Ғабитов Қуаныш Өмірұлы',
      'ЖШС «Ұлы Көш» ?',
      sha256,
      '880 412 300 126',
      '(UTC',
      'https://kelisim.kz/verify',
      'DS-501',
      t('outcome.unconfirmedMany'),
      t('roles.head'),
      t('checks.timeGood'),
      t('trust.title'),
      t('trust.root', { root: 'НЕГІЗГІ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ', sha256 }),
      t('trust.role', { role: t('roles.head'), oid: '1.2.398.3.3.4.1.2.1' }),
      t('trust.ocsp', { of: 'OCSP RESPONDER', time: timeText(at) }),
      t('trust.time', { time: timeText(at), service: 'TSA', root: 'НЕГІЗГІ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ' }),
      t('pdf.page', { page: 2, pages }),
    ]) {
      expect([expected, says(expected)]).toEqual([expected, true])
    }
    expect(says(t('means.pages'))).toBe(false)
  },
)

test('the PDF about a card says that its embedded files were checked, not its pages', async () => {
  const groups = report.groups.map((group) => ({ ...group, kind: 'card' as const }))
  const { t, says } = await written({ ...report, groups }, 'kk')
  expect(says(t('means.pages'))).toBe(true)
})
