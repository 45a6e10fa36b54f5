/** Somebody with a printed document and neither an account nor a key: the code on it opens what was signed. */
import type { Page } from '@playwright/test'
import { updateRequest } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf } from './requests.ts'

test('the author gets an access code; its holder types it, or follows the QR code, and sees who signed', async ({
  callerOf,
  stranger,
}) => {
  const author = await callerOf(people.owner)
  const organizationId = organizationOf(author)
  const { id, name } = await completedContract(author)
  const generationSetting = { additionalComponents: 3, accessCodeExpirationDate: '2099-12-31' }
  await callFrom(author, updateRequest, { organizationId, signingRequestId: id, generationSetting })
  await author.goto(`/signingRequests/outgoings/${id}?organizationId=${organizationId}`)
  await author.getByRole('button', { name: 'Получить код' }).click()
  await expect(author.getByText('Код показан один раз', { exact: false })).toBeVisible()
  const [letters, link] = await author
    .locator('p > code', { hasText: /^[A-Z\d]{8}$|#code=/ })
    .allTextContents()

  const holder = await stranger()
  await holder.goto(`/signingRequests/redirect/${id}`)
  const field = holder.getByLabel('Код с печатного документа')
  await field.fill('ACDE FGHJ')
  await holder.getByRole('button', { name: 'Открыть по коду' }).click()
  await expect(holder.getByText('Код не подходит', { exact: false })).toBeVisible()
  await expectAccessible(holder)
  await field.fill(letters!.toLowerCase())
  await holder.getByRole('button', { name: 'Открыть по коду' }).click()
  await expect(holder.locator('header').getByRole('heading', { name })).toBeVisible()
  await expect(holder.getByText('Код действует до 31.12.2099.', { exact: false })).toBeVisible()
  await expect(holder.getByText('Подпись верна').first()).toBeVisible()
  await expect(holder.getByRole('region', { name: /\.(pdf|docx|xlsx)$/ })).toBeVisible()
  await expectAccessible(holder)

  await holder.goto('/')
  await holder.goto(link!)
  await expect(holder.locator('header').getByRole('heading', { name })).toBeVisible()
  const arriving = holder.waitForEvent('download')
  await holder.getByRole('button', { name: 'Скачать документ' }).click()
  await arriving
})

test('the author sends a copy of a completed document; whoever gets it opens it without an account', async ({
  callerOf,
  stranger,
  linkInEmail,
}) => {
  const author = await callerOf(people.owner)
  const organizationId = organizationOf(author)
  const { id, name } = await completedContract(author)
  await author.goto(`/signingRequests/outgoings/${id}?organizationId=${organizationId}`)
  await author.getByRole('button', { name: 'Отправить копию' }).click()
  const dialog = author.getByRole('dialog', { name: 'Отправить копию' })
  await dialog.getByRole('button', { name: 'Отправить' }).click()
  await expect(dialog.getByText('Обязательное поле')).toBeVisible()
  const field = dialog.getByRole('combobox', { name: 'Электронная почта' })
  const address = `auditor-${Date.now()}@bank.example`
  await field.pressSequentially(`clerk-${Date.now()}@bank.example, аудитор`)
  await dialog.getByRole('button', { name: 'Отправить' }).click()
  await expect(dialog.getByText('Адрес почты указан неверно')).toBeVisible()
  await expectAccessible(author)
  // The address is typed without Enter or a comma after it.
  await field.fill(address)
  await dialog.getByRole('button', { name: 'Отправить' }).click()
  await expect(author.getByText('Копия отправлена')).toBeVisible()

  const reader = await stranger({ width: 375 })
  await reader.goto(await linkInEmail(address, /копия подписанного документа/))
  await expect(reader.locator('header').getByRole('heading', { name })).toBeVisible()
  await expect(reader.getByText('Подпись верна').first()).toBeVisible()
})

/** A contract of the demo that was signed: other journeys complete requests that were only approved. */
async function completedContract(page: Page) {
  const { items } = await callFrom(page, getRequests, {
    organizationId: organizationOf(page),
    route: 'outgoings',
    skip: 0,
    take: 1,
    name: 'Договор поставки пшеницы № 14/2026',
    status: requestStatuses.of('Completed'),
  })
  return items[0]!
}
