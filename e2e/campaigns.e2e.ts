import { getDocuments } from '@kelisim/domain/documents/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf } from './requests.ts'

test('an owner sends a document to chosen people to acknowledge, one confirms, and the sheet is downloaded', async ({
  pageOf,
  callerOf,
}) => {
  const name = `Правила ${Date.now()}`
  const page = await callerOf(people.owner)
  const organizationId = organizationOf(page)
  const { items } = await callFrom(page, getDocuments, { organizationId, path: 'my', skip: 0, take: 1 })
  await page.goto(`/documents/my/${items[0]!.id}`)
  await page.getByRole('link', { name: 'Ознакомить сотрудников' }).click()
  await expect(page.getByRole('heading', { name: 'Новое ознакомление' })).toBeVisible()
  await page.getByRole('radio', { name: 'Выбранные группы и люди' }).check()
  await page.getByRole('combobox', { name: 'Сотрудники' }).fill('Гүлнар')
  await page.getByRole('option', { name: /Гүлнар/ }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Название').fill(name)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Отправить на ознакомление' }).click()
  await expect(page.getByText('Ознакомились 0 из 1')).toBeVisible()
  await page.getByRole('button', { name: 'Напомнить тем, кто не ответил' }).click()
  await expect(page.getByText('Напоминание отправлено')).toBeVisible()

  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const hers = await pageOf(people.pointsAdministrator, { at: `/signingRequests/incomings/${id}` })
  await hers.getByRole('button', { name: 'Подтвердить ознакомление' }).first().click()
  const dialog = hers.getByRole('dialog', { name: 'Подтвердить ознакомление' })
  await dialog.getByRole('button', { name: 'Подтвердить ознакомление' }).click()
  await expect(hers.getByText('Ознакомление подтверждено').first()).toBeVisible()

  await page.reload()
  await expect(page.getByText('Ознакомились 1 из 1')).toBeVisible()
  await expect(page.getByRole('row', { name: /Гүлнар/ })).toContainText('Ознакомлен')
  const sheet = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Лист ознакомления (PDF)' }).click()
  expect((await sheet).suggestedFilename()).toBe(`Лист ознакомления ${name}.pdf`)
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(page)
})
