import { expect, people, test } from './fixtures.ts'

test('leaving a changed page asks: by a link, by the menu, by the back button', async ({ pageOf }) => {
  const page = await pageOf(people.individual)
  await page.getByRole('button', { name: 'Настройки' }).click()
  await page.getByRole('link', { name: 'Уведомления' }).click()
  await expect(page.getByRole('heading', { name: 'Уведомления' })).toBeVisible()
  await page.getByRole('radio', { name: 'Раз в день' }).first().check()

  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?' })
  await page.getByRole('link', { name: 'Группа быстрой отправки' }).click()
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(page.getByRole('radio', { name: 'Раз в день' }).first()).toBeChecked()

  await page.getByRole('button', { name: 'Точки', exact: true }).click()
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(page.getByRole('button', { name: 'Настройки' })).toHaveAttribute('aria-expanded', 'true')

  await page.goBack()
  await question.getByRole('button', { name: 'Уйти' }).click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  await page.goto('/options/NotificationSettings')
  await expect(page.getByRole('radio', { name: 'Сразу' }).first()).toBeChecked()
})

test('closing the tab with unsaved changes is questioned by the browser', async ({ pageOf }) => {
  const page = await pageOf(people.individual, { at: '/options/NotificationSettings' })
  await page.getByRole('radio', { name: 'Раз в день' }).first().check()
  const asked = page.waitForEvent('dialog')
  const closed = page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await closed
})

test('what was typed outlives a reload', async ({ pageOf }) => {
  const page = await pageOf(people.individual)
  await page.goto('/login?changeAccount=true')
  await page.getByLabel('Название организации или ФИО').fill('ТОО «Бәйтерек»')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByLabel('Название организации или ФИО')).toHaveValue('ТОО «Бәйтерек»')
})
