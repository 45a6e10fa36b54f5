/** Makes requests by the calls of the pages, for journeys that only begin with a request. */
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { uploadDocument } from '@kelisim/domain/documents/contract.ts'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import { addPoint } from '@kelisim/domain/points/contract.ts'
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import type { SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export type StepPoint = {
  type: PointType
  name: string
  /** The name of an own group. */
  group?: string
  /** The number of the outside recipient. */
  bin?: string
  organizationName?: string
  isEds?: boolean
  condition?: 'any' | 'all'
  quorum?: number
  signatureForm?: SignatureForm
}

/** Makes a call from this browser as the person signed in there; a response other than success fails the journey. */
export async function callFrom<E extends Endpoint>(
  page: Page,
  e: E,
  input: E['input']['_zod']['input'],
): Promise<E['result']['_zod']['output']> {
  const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
  const isGet = e.method === 'GET'
  const given = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await page.context().request.fetch(isGet ? `${path}?${new URLSearchParams(given)}` : path, {
    method: e.method,
    headers: { origin: new URL(page.url()).origin },
    ...(!isGet && { data: rest }),
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as E['result']['_zod']['output']
}

export function organizationOf(page: Page): string {
  return new URL(page.url()).searchParams.get('organizationId')!
}

export type Sent = { id: string; name: string; address: string }

/** Sends a document along a route of these steps; points in one array act at the same time. */
export async function sendRequest(
  page: Page,
  steps: (StepPoint | StepPoint[])[],
  change: {
    name?: string
    isTimestampRequired?: boolean
    file?: Buffer
    /** The ending of the file name, `pdf` if left out. */
    ending?: string
    description?: string
  } = {},
): Promise<Sent> {
  const organizationId = organizationOf(page)
  const mark = crypto.randomUUID().slice(0, 8)
  const name = change.name ?? `Договор поставки ${mark}`
  const routeId = await addRoute(page, steps, mark)
  const documentId = await upload(
    page,
    organizationId,
    `${name}.${change.ending ?? 'pdf'}`,
    change.file ?? contract(mark),
  )
  const { isTimestampRequired = false, description = '' } = change
  const made = await callFrom(page, createRequest, {
    organizationId,
    documentId,
    routeId,
    name,
    description,
    isTimestampRequired,
  })
  return {
    id: made.id,
    name,
    address: `/signingRequests/outgoings/${made.id}?organizationId=${organizationId}`,
  }
}

/** Adds a route named "Маршрут" with the mark. */
export async function addRoute(
  page: Page,
  steps: (StepPoint | StepPoint[])[],
  mark: string,
): Promise<string> {
  const organizationId = organizationOf(page)
  const { items: groups } = await callFrom(page, getGroups, { organizationId, skip: 0, take: 100 })
  const points: { pointId: string; order: number }[] = []
  for (const [i, step] of steps.entries()) {
    for (const point of [step].flat()) {
      const { id: pointId } = await callFrom(page, addPoint, {
        organizationId,
        name: `${point.name} ${mark}`,
        description: '',
        visibilityScope: 1,
        type: pointTypes.of(point.type),
        groupId: groups.find((group) => group.name === point.group)?.id ?? null,
        responsiblePersons: [],
        agreementCondition: point.condition ?? 'any',
        quorum: point.quorum ?? null,
        signatureForm: point.signatureForm ?? 'cms',
        isEdsPresentationRequired: point.isEds ?? false,
        bin: point.bin ?? null,
        organizationName: point.organizationName ?? '',
        emails: point.bin ? ['contracts@zhana-zhol.example'] : [],
      })
      points.push({ pointId, order: i + 1 })
    }
  }
  const route = { name: `Маршрут ${mark}`, description: '', visibilityScope: 1 as const, points }
  return (await callFrom(page, routeCalls.add, { organizationId, ...route })).id
}

export function contract(mark: string): Buffer {
  return makePdf([`SUPPLY AGREEMENT No ${mark}`, '1. Subject', '2. Price'], ['3. Signatures'])
}

/** Uploads a document as the person signed in there. */
export async function upload(
  page: Page,
  organizationId: string,
  name: string,
  file: Buffer,
): Promise<string> {
  const { path } = fillPath(uploadDocument.path, { organizationId })
  const query = new URLSearchParams({ name, visibilityScope: '1' })
  const answer = await page.context().request.post(`${path}?${query}`, {
    headers: { origin: new URL(page.url()).origin, 'content-type': 'application/octet-stream' },
    data: file,
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return ((await answer.json()) as { id: string }).id
}

/** Chooses a file on a page that takes one. */
export async function uploadHere(page: Page, name: string): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: makePdf([name.replaceAll(/[^ -~]/g, '')]) })
}

/** The stand-ins listen on the ports after the product's. */
export function portAfter(baseURL: string | undefined, offset: number): string {
  return `http://127.0.0.1:${Number(new URL(baseURL!).port) + offset}`
}

/**
 * At the window of the desktop program: chooses a key by its owner, types the password, signs. The window is closed
 * only after it has finished loading: Chromium opens no further page after one was closed while navigating.
 */
export async function signAtTheWindow(
  page: Page,
  owner: RegExp,
  baseURL: string | undefined,
  /** The text by which the page asks for a second signature, which is given at the same window. */
  asksAgain?: Locator,
): Promise<void> {
  const window = await page.context().newPage()
  await window.goto(`${portAfter(baseURL, 2)}/?lang=ru`)
  await giveSignature(window, owner)
  if (asksAgain) {
    await expect(asksAgain).toBeVisible()
    await giveSignature(window, owner)
  }
  await expect(window.getByRole('button', { name: 'Подписать' })).toBeHidden()
  await window.close()
}

/** Signs, and waits until the window shows the result. */
async function giveSignature(window: Page, owner: RegExp): Promise<void> {
  await window.getByRole('radio', { name: owner }).first().check()
  await window.getByLabel('Пароль ключа').fill('Qwerty12')
  await window.waitForLoadState()
  const isWritten = window.waitForEvent('load')
  await window.getByRole('button', { name: 'Подписать' }).click()
  await isWritten
}

export function signingDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^(Подписание|Согласование с ЭЦП)/ })
}

/** Shows the code of the signing dialog and opens it on the phone of the demo. */
export async function openOnPhone(page: Page): Promise<Page> {
  const dialog = signingDialog(page)
  await dialog.getByText('Телефон', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Показать QR-код' }).click()
  await expect(dialog.getByRole('img', { name: 'QR-код для подписания' })).toBeVisible()
  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('link', { name: 'Открыть телефон (демо)' }).click()
  return opened
}

/** Agrees on the phone and chooses a key by its owner. */
export async function signOnPhone(phone: Page, owner: RegExp): Promise<void> {
  await phone.getByText('Подписать', { exact: true }).click()
  await phone.getByRole('radio', { name: owner }).check()
  await phone.getByRole('button', { name: 'Подписать' }).click()
}

/** Signs through the dialog, from the button that opens it to its end. */
export async function signOnPage(
  page: Page,
  button: string,
  owner: RegExp,
  baseURL: string | undefined,
  asksAgain?: Locator,
): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  const dialog = signingDialog(page)
  await dialog.getByRole('button', { name: 'Выбрать ключ и подписать' }).click()
  await expect(dialog.getByText('Выберите ключ и введите пароль в окне NCALayer')).toBeVisible()
  await signAtTheWindow(page, owner, baseURL, asksAgain)
}
