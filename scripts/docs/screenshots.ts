/** `npm run docs:screenshots`: screenshots of the demo for the instruction, in each language. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { makePdf } from '../../demo/sample-files.ts'
import { getDocuments } from '../../domain/documents/contract.ts'
import { fillPath, type Endpoint } from '../../domain/endpoint.ts'
import { getRequests } from '../../domain/requests/list-contract.ts'
import { requestStatuses } from '../../domain/requests/status.ts'
import { routeCalls } from '../../domain/routes/contract.ts'
import { signedFiles } from '../../e2e/signed-files.ts'
import { languages, type Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/server.ts'
import { openWindow, signIn, startDemo, type Demo } from './demo.ts'

const folder = join(import.meta.dirname, '..', '..', 'help', 'screenshots')
const owner = 'Айгерім Серікова'

const demo = await startDemo()
try {
  for (const language of languages) await picture(demo, language)
} finally {
  await demo.stop()
}

async function picture(demo: Demo, language: Language): Promise<void> {
  mkdirSync(join(folder, language), { recursive: true })
  const { context, page } = await openWindow(demo, { language })
  const of = textsOf(language, 'requests-sending')
  const requests = textsOf(language, 'requests')
  const take = async (name: string) => {
    await page.waitForLoadState('networkidle')
    await page.screenshot({
      path: join(folder, language, `${name}.jpg`),
      type: 'jpeg',
      quality: 56,
      animations: 'disabled',
    })
  }

  await page.goto('/signingRequests/incomings')
  await page.getByRole('button', { name: owner }).waitFor()
  await take('sign-in')
  await signIn(page, owner)
  const organizationId = new URL(page.url()).searchParams.get('organizationId')!
  await page.getByRole('row').nth(2).waitFor()
  await take('incomings')

  await page.goto(`/documents/my?upload=true`)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.locator('input[type="file"]').setInputFiles([
    { name: 'Договор поставки № 21.pdf', mimeType: 'application/pdf', buffer: makePdf(['Contract 21']) },
    { name: 'Спецификация к договору № 21.pdf', mimeType: 'application/pdf', buffer: makePdf(['Annex']) },
  ])
  await take('upload')

  const { items: documents } = await ask(page, getDocuments, {
    organizationId,
    skip: 0,
    take: 20,
    path: 'public',
  })
  const contract = documents.find(({ name }) => name.startsWith('Supply agreement'))!
  await page.goto(`/signingRequests/add/${contract.id}`)
  await page.getByRole('combobox', { name: of('route.choose') }).fill('Договор поставки с')
  await page.getByRole('option', { name: 'Договор поставки с «Тұлпар Трейд»' }).click()
  await page.getByText(of('trial.ok')).waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await take('send')

  await page.goto(`/signingRequests/addQuick/${contract.id}`)
  await page.getByLabel(textsOf(language, 'common')('binOrIin')).fill('240540017348')
  await page.getByRole('combobox', { name: of('quick.emails') }).click()
  await page.getByRole('option', { name: 'info@tulpar-trade.example' }).click()
  await page.keyboard.press('Escape')
  await page
    .getByRole('heading', { name: of('quick.who') })
    .evaluate((one) => one.scrollIntoView({ block: 'center' }))
  await take('quick-send')

  const { items: routes } = await ask(page, routeCalls.list, {
    organizationId,
    skip: 0,
    take: 50,
    ownScope: 3,
    visibilityScope: 3,
  })
  const route = routes.find(({ name }) => name === 'Договор поставки с «Тұлпар Трейд»')!
  await page.goto(`/signaturePointsRoutes/public/${route.id}`)
  const steps = page.getByRole('heading', { name: textsOf(language, 'routes')('form.steps') })
  await steps.evaluate((one) => one.scrollIntoView({ block: 'start' }))
  await page.mouse.wheel(0, -120)
  await take('route')
  await page.goto('/points/add')
  await page.getByLabel(textsOf(language, 'points')('form.type')).selectOption({ index: 2 })
  await take('point')

  const find = async (path: 'incomings' | 'outgoings', status: 'InProgress' | 'Completed') => {
    const { items } = await ask(page, getRequests, {
      organizationId,
      route: path,
      skip: 0,
      take: 50,
      status: requestStatuses.of(status),
    })
    return items
  }
  const waiting = (await find('incomings', 'InProgress')).find(
    ({ acts, format }) => format === 'pdf' && acts.some(({ act }) => act === 'sign'),
  )!
  await page.goto(`/signingRequests/incomings/${waiting.id}`)
  await page.getByRole('button', { name: requests('acts.sign'), exact: true }).waitFor()
  await page.locator('canvas').first().waitFor()
  await take('request')
  await page
    .getByRole('button', { name: requests('acts.sign'), exact: true })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: requests('signing.start') })
    .waitFor()
  await take('sign')
  await page.keyboard.press('Escape')

  const done = (await find('outgoings', 'Completed')).find(({ format }) => format === 'pdf')!
  await page.goto(`/signingRequests/outgoings/${done.id}`)
  await page.getByRole('heading', { name: requests('files.title') }).scrollIntoViewIfNeeded()
  await take('files')

  await page.goto(`/options/NotificationSettings?organizationId=${organizationId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await take('notifications')
  await page.goto(`/portal/${organizationId}/groups`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await take('groups')

  const files = await signedFiles(demo.dataDir)
  await page.goto('/verify')
  await page.locator('input[type="file"]').first().setInputFiles([files.document, files.good])
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  await take('check')
  await context.close()
}

async function ask<E extends Endpoint>(
  page: Page,
  e: E,
  input: E['input']['_zod']['input'],
): Promise<E['result']['_zod']['output']> {
  const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
  const given = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await page.context().request.get(`${path}?${new URLSearchParams(given)}`)
  if (!answer.ok()) throw new Error(await answer.text())
  return (await answer.json()) as E['result']['_zod']['output']
}
