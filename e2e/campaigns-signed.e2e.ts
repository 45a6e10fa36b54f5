import { getDocuments } from '@kelisim/domain/documents/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf, signAtTheWindow, signingDialog } from './requests.ts'

test('employees sign an acknowledgement at the same time, and the sheet names their certificates', async ({
  pageOf,
  callerOf,
  baseURL,
}) => {
  const name = `Политика ${Date.now()}`
  const page = await callerOf(people.owner)
  const organizationId = organizationOf(page)
  const { items } = await callFrom(page, getDocuments, { organizationId, path: 'my', skip: 0, take: 1 })
  await page.goto(`/campaigns/add/${items[0]!.id}`)
  await page.getByRole('radio', { name: 'Выбранные группы и люди' }).check()
  const field = page.getByRole('combobox', { name: 'Сотрудники' })
  for (const person of ['Гүлнар', 'Ерлан']) {
    await field.fill(person)
    await page.getByRole('option', { name: new RegExp(person) }).click()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'Подписывают ЭЦП' }).check()
  await page.getByRole('radio', { name: 'Ключ сотрудника этой организации' }).check()
  await page.getByLabel('Название').fill(name)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Отправить на ознакомление' }).click()
  await expect(page.getByText('Ознакомились 0 из 2')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)!

  // Both people have the dialog open before either has signed.
  const at = `/signingRequests/incomings/${id}`
  const signers = [
    { page: await pageOf(people.pointsAdministrator, { at }), key: /ОСПАНОВА.*Алтын Дала/i },
    { page: await pageOf(people.routesAdministrator, { at }), key: /ТӨЛЕГЕНОВ.*Алтын Дала/i },
  ]
  for (const signer of signers) {
    await signer.page.getByRole('button', { name: 'Подписать ЭЦП', exact: true }).click()
    await expect(signingDialog(signer.page).getByText('Нужен ключ')).toBeVisible()
  }
  // A computer has one window of the signing program, so they take turns.
  for (const signer of signers) {
    const dialog = signingDialog(signer.page)
    await dialog.getByRole('button', { name: 'Выбрать ключ и подписать' }).click()
    await expect(dialog.getByText('Выберите ключ и введите пароль в окне NCALayer')).toBeVisible()
    await signAtTheWindow(signer.page, signer.key, baseURL)
  }
  for (const signer of signers)
    await expect(signingDialog(signer.page).getByText('Документ подписан, подпись проверена.')).toBeVisible()

  await page.reload()
  await expect(page.getByText('Ознакомились 2 из 2')).toBeVisible()
  await expect(page.getByRole('row', { name: /Гүлнар/ })).toContainText('Подписано ЭЦП')
  const sheet = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Лист ознакомления (PDF)' }).click()
  expect((await sheet).suggestedFilename()).toBe(`Лист ознакомления ${name}.pdf`)
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(page)
})
