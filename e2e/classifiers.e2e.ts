import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'

test('an owner creates a classifier and renames it; a taken name is reported at the field', async ({
  pageOf,
}) => {
  const name = `Аренда ${Date.now()}`
  const page = await pageOf(people.owner)
  await page.getByRole('button', { name: 'Классификаторы' }).click()
  await page.getByRole('link', { name: 'Список' }).click()
  await expect(page.getByRole('heading', { name: 'Классификаторы' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Новый классификатор' }).click()

  const field = page.getByLabel('Название')
  await field.fill('приказы')
  await page.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByText('Классификатор с таким названием уже есть')).toBeVisible()
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await field.fill(name)
  await page.getByRole('button', { name: 'Создать' }).click()

  await expect(page.getByText('Классификатор создан')).toBeVisible()
  const row = page.getByRole('row', { name })
  await expect(row).toContainText(people.owner)
  await row.getByRole('button', { name: `Переименовать: ${name}` }).click()
  await page.getByLabel('Название').fill(`${name} 2`)
  await page.getByRole('link', { name: 'Отмена' }).click()
  await page
    .getByRole('dialog', { name: 'Уйти без сохранения?' })
    .getByRole('button', { name: 'Отмена' })
    .click()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()

  await page.goto(`/classificators?name=${encodeURIComponent(name.slice(-9))}`)
  await expect(page.getByRole('row', { name: `${name} 2` })).toBeVisible()
})

test('an employee can read classifiers and nothing else', async ({ pageOf }) => {
  const page = await pageOf(people.pointsAdministrator, { at: '/classificators' })
  await expect(page.getByRole('link', { name: 'Новый классификатор' })).toBeHidden()
  await page.getByRole('link', { name: 'Кадры' }).click()
  await expect(page.getByText('Переименовать классификатор может владелец организации.')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/classificators/add')
  await expect(page.getByRole('heading', { name: 'Недостаточно прав' })).toBeVisible()
})

test('a classifier is created on a phone and by keyboard alone', async ({ pageOf }) => {
  const name = `Тендер ${Date.now()}`
  const page = await pageOf(people.otherOwner, { width: 375, language: 'kk', at: '/classificators/add' })
  await page.getByLabel('Атауы').focus()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Жіктеуіштер' })).toBeVisible()
  const row = page.getByRole('link', { name, exact: true })
  await row.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Атауы' })).toHaveValue(name)
  await expectAccessible(page)
  await expectNoOverflow(page)
})
