/** A person downloads what is stored about them, and closes their account, but not by accident. */
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'

test('personal data are downloaded; an account is not closed if another e-mail is typed', async ({
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

test('an account is closed by its e-mail; afterwards nobody can sign in to it', async ({ newcomer }) => {
  const { page, email, password } = await newcomer()
  await page.getByLabel('Условия прочитаны, принимаю их').check()
  await page.getByRole('button', { name: 'Продолжить' }).click()
  await page.getByLabel('БИН или ИИН').fill('180140005198')
  await page.getByLabel('Название организации или ФИО').fill('ТОО «Қарлығаш»')
  await page.getByRole('button', { name: 'Добавить организацию' }).click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  await page.goto('/options/PersonalData')
  await page.getByRole('button', { name: 'Закрыть учётную запись' }).click()
  const dialog = page.getByRole('dialog', { name: 'Закрыть учётную запись?' })
  await dialog.getByLabel('Ваша почта').fill(email)
  await dialog.getByRole('button', { name: 'Закрыть и стереть' }).click()
  await expect(page.getByRole('heading', { name: 'Договор подписан, пока остывает чай' })).toBeVisible()

  await page.goto('/signingRequests/incomings')
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByLabel('Пароль').fill(password)
  await page.getByRole('button', { name: 'Войти', exact: true }).click()
  await expect(page.getByText('Почта или пароль не подошли')).toBeVisible()
})
