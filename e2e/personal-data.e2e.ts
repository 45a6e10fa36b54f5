/** A person takes what is stored about them, and does not close the account by accident. */
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'

test('my data are saved; the account closes only for who types its e-mail and has left the others', async ({
  pageOf,
}) => {
  const page = await pageOf(people.otherEmployee, { at: '/options/PersonalData' })
  const mine = page.getByRole('region', { name: 'Мои данные' })
  const download = page.waitForEvent('download')
  await mine.getByRole('button', { name: 'Скачать мои данные' }).click()
  expect((await download).suggestedFilename()).toBe('personal-data.zip')

  await mine.getByRole('button', { name: 'Закрыть учётную запись' }).click()
  const dialog = page.getByRole('dialog', { name: 'Закрыть учётную запись?' })
  await dialog.getByLabel('Ваша почта').fill('nobody@example.kz')
  await dialog.getByRole('button', { name: 'Закрыть и стереть' }).click()
  await expect(dialog.getByText('Это не почта вашей учётной записи')).toBeVisible()
  await expect(dialog.getByLabel('Ваша почта')).toHaveValue('nobody@example.kz')
  await expectAccessible(page)
})
