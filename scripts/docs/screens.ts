/** Every family of screens, and how a person comes to see it. */
import type { Page } from '@playwright/test'
import { getMail, getMails, mailPage } from '../../domain/mail/contract.ts'
import { makeDocx, makePdf } from '../../demo/sample-files.ts'
import { saveOptions } from '../../domain/options/contract.ts'
import { getRequests } from '../../domain/requests/list-contract.ts'
import { routeCalls } from '../../domain/routes/contract.ts'
import { people } from '../../e2e/fixtures.ts'
import { callFrom, organizationOf, sendRequest, upload } from '../../e2e/requests.ts'
import { signedFiles, type BroughtFile } from '../../e2e/signed-files.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/server.ts'
import { until } from './demo.ts'

export type Scene = Awaited<ReturnType<typeof prepareScene>>

export type Screen = {
  name: string
  /** A person of the demo; without one nobody is signed in. */
  person?: string
  /** A page, or what is done to see it. */
  at: string | ((scene: Scene) => string)
  act?: (page: Page, language: Language, scene: Scene) => Promise<unknown>
}

const { owner, inTwo: employee, otherOwner } = people

/** Sends what the demo lacks, once for all pictures, and finds the addresses of what it has. */
export async function prepareScene(page: Page, dataDir: string) {
  const organizationId = organizationOf(page)
  await callFrom(page, saveOptions, { organizationId, documentsUploadXml: true })
  const xml = await sendRequest(
    page,
    [{ type: 'CompanyInternalSign', name: 'Директор', group: 'Руководство' }],
    {
      name: 'Счёт-фактура № 44',
      ending: 'xml',
      file: Buffer.from(
        '<?xml version="1.0" encoding="UTF-8"?><счёт xmlns="urn:demo"><сумма валюта="KZT">100</сумма></счёт>',
      ),
    },
  )
  const toStranger = await sendRequest(
    page,
    [
      {
        type: 'ExternalSign',
        name: 'Жаңа Жол',
        bin: '250340012341',
        organizationName: 'ТОО «Жаңа Жол»',
      },
    ],
    { name: 'Договор перевозки № 31/2026', description: 'Перевозка зерна в ноябре' },
  )
  const document = await upload(
    page,
    organizationId,
    'Спецификация к договору № 21.docx',
    makeDocx('Спецификация к договору № 21', 'Пшеница 3 класса, 500 тонн.', 'Цена тонны: 98 500 тенге.'),
  )
  const requests = async (route: 'incomings' | 'outgoings', name: string) => {
    const { items } = await callFrom(page, getRequests, {
      organizationId,
      route,
      skip: 0,
      take: 100,
      ownScope: 3,
    })
    const found = items.find((item) => item.name.includes(name))
    if (!found) throw new Error(`the demo has no request ${name}`)
    return `/signingRequests/${route}/${found.id}`
  }
  const { items: routes } = await callFrom(page, routeCalls.list, {
    organizationId,
    skip: 0,
    take: 50,
    ownScope: 3,
    visibilityScope: 3,
  })
  const files = await signedFiles(dataDir)
  const [good, changed]: BroughtFile[][] = [
    [files.document, files.good],
    [files.changed, files.good],
  ]
  return {
    organizationId,
    xml: xml.address,
    entry: await linkInMail(page, toStranger.name),
    mails: await mailsOf(page),
    document: `/documents/my/${document}`,
    send: `/signingRequests/add/${document}`,
    quickSend: `/signingRequests/addQuick/${document}`,
    waiting: await requests('incomings', 'масла № 15'),
    completed: await requests('outgoings', 'пшеницы № 14'),
    terminating: await requests('outgoings', 'Дополнительное соглашение № 2'),
    terminated: await requests('outgoings', 'хранения зерна'),
    rejected: await requests('outgoings', 'Дополнительное соглашение № 3'),
    route: `/signaturePointsRoutes/public/${routes.find(({ name }) => name.startsWith('Договор поставки'))!.id}`,
    good: good!,
    changed: changed!,
  }
}

/** The address behind the button of the e-mail to a recipient without an account. */
async function linkInMail(page: Page, name: string): Promise<string> {
  const recipient = 'contracts@zhana-zhol.example'
  let found: string | undefined
  await until(async () => {
    const { items } = await callFrom(page, getMails, { skip: 0, take: 20, recipient })
    const mails = await Promise.all(items.map(({ id }) => callFrom(page, getMail, { id })))
    found = mails.find(({ text }) => text.includes(name))?.text
    return found !== undefined
  }, `the e-mail to ${recipient}`)
  return /https?:\/\/\S+/.exec(found!)![0]
}

/** The newest e-mail of each kind in each language: those of one kind begin their subject with the same words. */
async function mailsOf(page: Page) {
  const { items } = await callFrom(page, getMails, { skip: 0, take: 100 })
  const kinds = new Map(
    items.toReversed().map(({ id, subject, language }) => {
      const kind = subject.split(' ').slice(0, 2).join(' ')
      return [`${language} ${kind}`, { language, address: mailPage(id) }] as const
    }),
  )
  return [...kinds.values()]
}

const portal =
  (section: string) =>
  ({ organizationId }: Scene) =>
    `/portal/${organizationId}/${section}`

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()

/** Waits until the first page of the document is painted; in a narrow window it is behind a tab. */
async function drawn(page: Page) {
  if (page.viewportSize()!.width < 1280) return
  await page.locator('canvas').first().waitFor()
  await page.waitForFunction(() => {
    const { width, height } = document.querySelector('canvas')!
    const painted = document.querySelector('canvas')!.getContext('2d')!.getImageData(0, 0, width, height)
    return painted.data.some((value, i) => i % 4 === 0 && value > 0 && value < 128)
  })
}

async function openFilter(page: Page, language: Language, filter: 'status' | 'period') {
  const t = textsOf(language, 'requests-lists')
  await button(page, t(`requests.filters.${filter}`)).click()
  await page.getByRole('dialog').waitFor()
}

async function typeIntoSearch(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(text)
  await page.getByRole('dialog').getByRole('option').first().waitFor()
}

async function openSigning(page: Page, language: Language) {
  const t = textsOf(language, 'requests')
  await button(page, t('acts.sign')).click()
  await page.getByRole('dialog').waitFor()
}

async function check(page: Page, files: BroughtFile[]) {
  await page.locator('input[type="file"]').first().setInputFiles(files)
  await page.getByRole('heading', { level: 2 }).first().waitFor()
}

export const screens: Screen[] = [
  { name: 'landing', at: '/' },
  { name: 'sign-in', at: '/signingRequests/incomings' },
  {
    name: 'registration',
    at: '/signingRequests/incomings',
    act: (page, language) =>
      page.getByRole('link', { name: textsOf(language, 'sign-in')('login.register') }).click(),
  },
  { name: 'agreement', person: owner, at: '/agreementPage' },
  { name: 'onboarding', person: owner, at: '/login?changeAccount=true' },
  { name: 'today', person: owner, at: '/today' },
  { name: 'insight', person: owner, at: '/insight' },
  { name: 'incoming', person: owner, at: '/signingRequests/incomings' },
  { name: 'incoming-all', person: owner, at: '/signingRequests/incomings?signedStatus=0' },
  { name: 'outgoing', person: owner, at: '/signingRequests/outgoings' },
  {
    name: 'outgoing-status',
    person: owner,
    at: '/signingRequests/outgoings',
    act: (page, language) => openFilter(page, language, 'status'),
  },
  {
    name: 'outgoing-period',
    person: owner,
    at: '/signingRequests/outgoings',
    act: (page, language) => openFilter(page, language, 'period'),
  },
  {
    name: 'search',
    person: owner,
    at: '/signingRequests/outgoings',
    act: (page) => typeIntoSearch(page, 'договор'),
  },
  { name: 'documents', person: owner, at: '/documents/organization' },
  { name: 'document', person: owner, at: ({ document }) => document },
  { name: 'write', person: owner, at: '/documents/write' },
  { name: 'comparison', person: owner, at: '/documents/compare' },
  { name: 'upload', person: owner, at: '/documents/my?upload=true', act: chooseFiles },
  { name: 'request-waiting', person: owner, at: ({ waiting }) => waiting, act: drawn },
  { name: 'request-completed', person: owner, at: ({ completed }) => completed, act: drawn },
  { name: 'request-terminating', person: owner, at: ({ terminating }) => terminating },
  { name: 'request-terminated', person: owner, at: ({ terminated }) => terminated },
  { name: 'request-rejected', person: owner, at: ({ rejected }) => rejected },
  {
    name: 'request-history',
    person: owner,
    at: ({ completed }) => completed,
    act: (page, language) =>
      page.getByLabel(textsOf(language, 'requests')('history.whole'), { exact: true }).check(),
  },
  { name: 'request-xml', person: owner, at: ({ xml }) => xml },
  {
    name: 'viewer-full-screen',
    person: owner,
    at: ({ completed }) => completed,
    act: async (page, language) => {
      await drawn(page)
      await button(page, textsOf(language, 'documents')('preview.fullScreen')).click()
    },
  },
  { name: 'signing', person: owner, at: ({ waiting }) => waiting, act: openSigning },
  {
    name: 'signing-phone',
    person: owner,
    at: ({ waiting }) => waiting,
    act: async (page, language) => {
      const t = textsOf(language, 'requests')
      await openSigning(page, language)
      await page.getByRole('dialog').getByText(t('signing.phone'), { exact: true }).click()
    },
  },
  { name: 'queue', person: owner, at: '/signingRequests/queue' },
  { name: 'entry', at: ({ entry }) => entry },
  { name: 'sending', person: owner, at: ({ send }) => send },
  { name: 'quick-send', person: owner, at: ({ quickSend }) => quickSend },
  { name: 'package', person: owner, at: '/signingRequests/addPackage' },
  { name: 'bulk', person: owner, at: '/bulk' },
  { name: 'campaigns', person: owner, at: '/campaigns' },
  { name: 'campaign-form', person: owner, at: '/campaigns/add' },
  { name: 'points', person: owner, at: '/points/organization' },
  { name: 'point-form', person: owner, at: '/points/add' },
  { name: 'routes', person: owner, at: '/signaturePointsRoutes/organization' },
  { name: 'route-editor', person: owner, at: ({ route }) => route },
  { name: 'route-templates', person: owner, at: '/signaturePointsRouteTemplates/organization' },
  { name: 'templates', person: owner, at: '/document-templates' },
  { name: 'template-editor', person: owner, at: '/document-templates/new' },
  { name: 'classifiers', person: owner, at: '/classificators' },
  { name: 'classifier-form', person: owner, at: '/classificators/add' },
  { name: 'journals', person: owner, at: '/journals' },
  { name: 'kinds', person: owner, at: '/journals/kinds' },
  { name: 'options', person: owner, at: '/options' },
  { name: 'portal-card', person: owner, at: portal('card') },
  { name: 'portal-members', person: owner, at: portal('members') },
  { name: 'portal-groups', person: owner, at: portal('groups') },
  { name: 'portal-invitations', person: owner, at: portal('invitations') },
  { name: 'portal-integration', person: owner, at: portal('integration') },
  { name: 'portal-retention', person: owner, at: portal('retention') },
  { name: 'portal-history', person: owner, at: portal('history') },
  { name: 'operator', person: owner, at: '/operator' },
  { name: 'operator-jobs', person: owner, at: '/operator/jobs' },
  { name: 'help', person: owner, at: '/frame/instruction' },
  { name: 'developers', person: owner, at: '/developers' },
  { name: 'log', person: owner, at: '/log' },
  { name: 'mailbox', at: '/mailbox' },
  { name: 'not-found', person: owner, at: '/no/such/page' },
  { name: 'no-rights', person: employee, at: '/classificators/add' },
  { name: 'empty-list', person: otherOwner, at: '/campaigns' },
  { name: 'verify', at: '/verify' },
  { name: 'verify-valid', at: '/verify', act: (page, _, { good }) => check(page, good) },
  { name: 'verify-changed', at: '/verify', act: (page, _, { changed }) => check(page, changed) },
]

async function chooseFiles(page: Page) {
  await page
    .getByRole('dialog')
    .locator('input[type="file"]')
    .setInputFiles([
      { name: 'Договор поставки № 21.pdf', mimeType: 'application/pdf', buffer: makePdf(['Contract 21']) },
      { name: 'Таблица.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    ])
}
