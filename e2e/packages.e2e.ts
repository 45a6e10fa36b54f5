/** Several documents in one package: sent at once, decided together, signed with one prompt of the program or of the phone. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import {
  addRoute,
  contract,
  openOnPhone,
  organizationOf,
  signOnPage,
  signOnPhone,
  upload,
  type StepPoint,
} from './requests.ts'

const lawyers: StepPoint = { type: 'InternalApprove', name: 'Юристы', group: 'Юристы' }
const board: StepPoint = { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство' }

/** Uploads two documents, chooses both in the list and sends them as a package. */
async function sendPackage(author: Page, steps: StepPoint[]): Promise<{ mark: string; address: string }> {
  const mark = crypto.randomUUID().slice(0, 8)
  const organizationId = organizationOf(author)
  await addRoute(author, steps, mark)
  for (const name of ['Договор', 'Приложение'])
    await upload(author, organizationId, `${name} ${mark}.pdf`, contract(`${mark} ${name.length}`))
  await author.goto(`/documents/my?name=${mark}&organizationId=${organizationId}`)
  for (const name of ['Договор', 'Приложение'])
    await author.getByRole('checkbox', { name: `Выбрать: ${name} ${mark}.pdf` }).check()
  await author.getByRole('button', { name: 'Отправить пакетом (2)' }).click()
  await expect(author.getByLabel('Название документа 1')).toHaveValue(`Договор ${mark}`)
  await author.getByLabel('Название пакета').fill(`Сделка ${mark}`)
  await author.getByRole('combobox', { name: 'Выберите маршрут' }).fill(mark)
  await author.getByRole('option', { name: `Маршрут ${mark}` }).click()
  await expect(author.getByText('Всё готово к отправке')).toBeVisible()
  await expectAccessible(author)
  await author.getByRole('button', { name: 'Отправить 2 документа' }).click()
  await expect(author.getByRole('heading', { name: `Пакет «Сделка ${mark}»` })).toBeVisible()
  return { mark, address: author.url() }
}

test('a package is approved and signed as a whole, and no document of it alone', async ({
  pageOf,
  callerOf,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { mark, address } = await sendPackage(author, [lawyers, board])
  const id = /[\da-f-]{36}/.exec(address)![0]
  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })
  await lawyer.getByRole('button', { name: 'Согласовать', exact: true }).click()
  const dialog = lawyer.getByRole('dialog', { name: 'Согласовать документы пакета: 2?' })
  await expect(dialog.getByRole('listitem')).toHaveText([`Договор ${mark}`, `Приложение ${mark}`])
  await expectAccessible(lawyer)
  await dialog.getByLabel('Комментарий').fill('Оба в порядке')
  await dialog.getByRole('button', { name: 'Согласовать все' }).click()
  await expect(lawyer.getByText('Документы согласованы')).toBeVisible()
  await expect(lawyer.getByRole('button', { name: 'Согласовать', exact: true })).toHaveCount(0)

  await signOnPage(author, 'Подписать ЭЦП', /СЕРІКОВА.*Алтын Дала/i, baseURL)
  await expect(author.getByText('Подписано 2 из 2')).toBeVisible()
  await author.getByRole('dialog').getByRole('button', { name: 'Закрыть' }).last().click()
  const documents = author.getByRole('list', { name: 'Документы пакета' })
  await expect(documents.getByText('Завершён')).toHaveCount(2)
  const arriving = author.waitForEvent('download')
  await author.getByRole('button', { name: 'Скачать пакет' }).click()
  expect((await arriving).suggestedFilename()).toBe(`Сделка ${mark}.zip`)
  await author.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(author)
  await documents.getByRole('link', { name: `Приложение ${mark}` }).click()
  await expect(author.getByRole('heading', { level: 1, name: `Приложение ${mark}` })).toBeVisible()
})

test('one code of the phone signs the whole package', async ({ callerOf }) => {
  const author = await callerOf(people.owner)
  await sendPackage(author, [board])
  await author.getByRole('button', { name: 'Подписать ЭЦП' }).click()
  const phone = await openOnPhone(author)
  await signOnPhone(phone, /СЕРІКОВА.*Алтын Дала/i)
  await expect(author.getByText('Подписано 2 из 2')).toBeVisible()
})
