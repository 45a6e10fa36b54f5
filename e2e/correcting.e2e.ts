/** A running request is corrected: everybody is asked again about the new document, and the earlier one stays. */
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { expect, expectAccessible, expectNoOverflow, people, test } from './fixtures.ts'
import { sendRequest } from './requests.ts'

test('the author replaces the document, and who had approved it reads why and approves again', async ({
  pageOf,
}) => {
  const author = await pageOf(people.owner)
  const { address, id, name } = await sendRequest(author, [
    { type: 'InternalApprove', name: 'Юристы', group: 'Юристы' },
    { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство' },
  ])
  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })
  const approve = async () => {
    await lawyer.getByRole('button', { name: 'Согласовать', exact: true }).click()
    await lawyer.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
    await expect(lawyer.getByRole('button', { name: 'Согласовать', exact: true })).toHaveCount(0)
  }
  await approve()
  await expect(lawyer.getByRole('button', { name: 'Исправить документ' })).toHaveCount(0)

  await author.goto(address)
  await author.getByRole('button', { name: 'Исправить документ' }).click()
  const dialog = author.getByRole('dialog', { name: 'Исправить и продолжить' })
  await expect(dialog.getByText(/Будут спрошены снова: .*Прежние ответы/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Исправить и продолжить' })).toBeDisabled()
  const buffer = makePdf(['SUPPLY AGREEMENT', 'Price: 500'])
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Исправленный.pdf', mimeType: 'application/pdf', buffer })
  await expect(dialog.getByText('Исправленный.pdf')).toBeVisible()
  await expectAccessible(author)
  await dialog.getByLabel('Что изменено').fill('Цена в пункте 2')
  await dialog.getByRole('button', { name: 'Исправить и продолжить' }).click()
  await expect(author.getByText('Документ исправлен, маршрут начат сначала')).toBeVisible()
  await expect(author.getByText('Исправленный.pdf').first()).toBeVisible()
  const arriving = author.waitForEvent('download')
  await author.getByRole('button', { name: 'Скачать: Версия 1' }).click()
  expect((await arriving).suggestedFilename()).toBe(`${name}.pdf`)

  await expect(lawyer.getByText('Цена в пункте 2').first()).toBeVisible()
  await expectAccessible(lawyer)
  await lawyer.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(lawyer)
  await lawyer.setViewportSize({ width: 1440, height: 900 })
  await lawyer.getByRole('link', { name: 'Сравнить с прежним' }).click()
  await expect(lawyer.getByRole('insertion').filter({ hasText: '500' })).toBeVisible()
  await lawyer.goBack()
  await approve()
})
