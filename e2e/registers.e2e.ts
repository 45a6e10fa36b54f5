import { saveDocumentKind, getDocumentKinds } from '@kelisim/domain/registers/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest, uploadHere } from './requests.ts'
import { unique } from './route-editor.ts'

test('an owner adds a journal and a kind; a sent document gets its number, is found by it and exported', async ({
  pageOf,
}) => {
  const [journal, kind, name] = [unique('Исходящие'), unique('Письмо'), unique('О поставке')]
  const prefix = `П${Date.now() % 1_000_000}-`
  const year = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Almaty', year: 'numeric' }).format(new Date())
  const page = await pageOf(people.owner, { at: '/journals' })
  await page.getByRole('button', { name: 'Новый журнал' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Новый журнал' })
  await dialog.getByLabel('Название').fill(journal)
  await dialog.getByLabel('Начало номера').fill(prefix)
  await dialog.getByLabel('Первый номер').fill('17')
  await expect(dialog.getByText(`Первый номер будет таким: ${prefix}0017/${year}`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Открыть журнал' }).click()
  await expect(page.getByText('Журнал открыт', { exact: true })).toBeVisible()

  await page.goto('/journals/kinds')
  await page.getByRole('button', { name: 'Новый вид' }).first().click()
  const kindDialog = page.getByRole('dialog', { name: 'Новый вид документов' })
  await kindDialog.getByLabel('Название').fill(kind)
  await kindDialog.getByRole('combobox', { name: 'Журнал' }).fill(journal)
  await page.getByRole('option', { name: journal }).click()
  await expectAccessible(page)
  await kindDialog.getByRole('button', { name: 'Добавить' }).click()
  await expect(page.getByText('Вид добавлен')).toBeVisible()

  await page.goto('/signingRequests/add')
  await uploadHere(page, `${name}.pdf`)
  await page.getByRole('combobox', { name: 'Вид документа' }).fill(kind)
  await page.getByRole('option', { name: kind }).click()
  await expect(page.getByText(`При отправке документ получит номер в журнале «${journal}».`)).toBeVisible()
  await page.getByRole('combobox', { name: 'Выберите маршрут' }).fill('Договор поставки')
  await page.getByRole('option', { name: 'Договор поставки с «Тұлпар Трейд»' }).click()
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  const number = `${prefix}0017/${year}`
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText(`№ ${number}`).first()).toBeVisible()
  await expect(page.getByText(`Вид: ${kind}`)).toBeVisible()
  await expectAccessible(page)

  await page.goto('/signingRequests/outgoings')
  await page.getByRole('button', { name: 'Номер', exact: true }).click()
  await page.getByLabel('Номер или его начало').fill(prefix)
  await page.getByRole('button', { name: 'Показать' }).click()
  await expect(page.getByRole('row', { name })).toContainText(`№ ${number}`)

  const other = await sendRequest(page, [
    { type: 'CompanyInternalSign', name: 'Подпись', group: 'Руководство' },
  ])
  await page.goto(other.address)
  await page.getByRole('button', { name: 'Зарегистрировать' }).click()
  const registering = page.getByRole('dialog', { name: 'Зарегистрировать документ' })
  await registering.getByRole('combobox', { name: 'Журнал' }).fill(journal)
  await page.getByRole('option', { name: journal }).click()
  await expect(registering.getByText(`${prefix}0018/${year}`)).toBeVisible()
  await expectAccessible(page)
  await registering.getByRole('button', { name: 'Зарегистрировать' }).click()
  await expect(page.getByText(`Документ получил номер ${prefix}0018/${year}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Зарегистрировать' })).toBeHidden()

  await page.goto(`/journals?name=${encodeURIComponent(journal)}`)
  await page.getByRole('link', { name: journal }).click()
  await expect(page.getByRole('row', { name })).toContainText(number)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Скачать XLSX' }).click()
  expect((await download).suggestedFilename()).toBe(`${journal}.xlsx`)

  // Other journeys send from this organisation, too, so the kind that only this one needs is not offered to them.
  const organizationId = organizationOf(page)
  const { items } = await callFrom(page, getDocumentKinds, { organizationId })
  const made = items.find((one) => one.name === kind)!
  await callFrom(page, saveDocumentKind, {
    organizationId,
    kindId: made.id,
    name: kind,
    journalId: made.journal!.id,
    registersAtSending: true,
    isActive: false,
    currentVersion: made.currentVersion,
  })
})

test('an employee sees the list of journals but cannot open any, on a phone and in Kazakh', async ({
  pageOf,
}) => {
  const page = await pageOf(people.pointsAdministrator, { width: 375, language: 'kk', at: '/journals' })
  await expect(page.getByRole('heading', { name: 'Тіркеу журналдары' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Жаңа журнал' })).toBeHidden()
  await expectAccessible(page)
  await expectNoOverflow(page)
})
