import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'

test('leaving a changed page by a link, by the menu or by the back button asks first', async ({ pageOf }) => {
  const page = await pageOf(people.individual)
  await page.getByRole('button', { name: 'Классификаторы', exact: true }).click()
  await page.getByRole('link', { name: 'Создать' }).click()
  const name = page.getByLabel('Название')
  await name.fill('Аренда')

  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?' })
  await page.getByRole('link', { name: 'Список' }).click()
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(name).toHaveValue('Аренда')

  await page.getByRole('button', { name: 'Настройки', exact: true }).click()
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(page.getByRole('button', { name: 'Классификаторы', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  )

  await page.goBack()
  await question.getByRole('button', { name: 'Уйти' }).click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  await page.goto('/classificators/add')
  await expect(name).toHaveValue('')
})

test('the browser asks before a tab with unsaved changes is closed', async ({ pageOf }) => {
  const page = await pageOf(people.individual, { at: '/classificators/add' })
  await page.getByLabel('Название').fill('Аренда')
  const asked = page.waitForEvent('dialog')
  const closed = page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await closed
})

test('unsaved input survives a reload', async ({ callerOf }) => {
  const page = await callerOf(people.individual)
  await page.goto('/login?changeAccount=true')
  await page.getByLabel('Название организации или ФИО').fill('ТОО «Бәйтерек»')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByLabel('Название организации или ФИО')).toHaveValue('ТОО «Бәйтерек»')
})

test('a restored draft is announced and can be cleared', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/points/add' })
  const name = page.getByRole('textbox', { name: 'Название', exact: true })
  await name.fill('Точка, которую не дописали')
  await expect(page.getByText('Восстановлен черновик')).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Восстановлен черновик')).toBeVisible()
  await expect(name).toHaveValue('Точка, которую не дописали')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Очистить' }).click()
  await expect(name).toHaveValue('')
  await expect(page.getByText('Восстановлен черновик')).toHaveCount(0)
})

test('a template is chosen on the page where a document is written', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/documents/write' })
  const chooser = page.getByRole('combobox', { name: 'Шаблон' })
  await chooser.fill('Договор пос')
  await page.getByRole('option', { name: 'Договор поставки' }).first().click()
  await expect(page).toHaveURL(/\/documents\/write\/[0-9a-f-]{36}/)
  await expect(chooser).toHaveValue('Договор поставки')
  await expect(page.getByText('Заполните', { exact: false }).first()).toBeVisible()
  await expectAccessible(page)
})
