/** Document templates: written, found, used by colleagues, copied, deleted. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'

async function writeTemplate(
  page: Page,
  name: string,
  scope: 'Только я' | 'Все сотрудники' = 'Только я',
): Promise<void> {
  await page.goto('/document-templates/new')
  await page.getByLabel('Название').fill(name)
  await page.getByRole('radio', { name: scope }).check()
  await page.getByRole('textbox', { name: 'Текст шаблона' }).click()
  await page.keyboard.type('Приказ о назначении ')
  await page.getByRole('button', { name: 'Вставить переменную' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новая переменная' })
  await dialog.getByLabel('Название').fill('Сотрудник')
  await dialog.getByLabel('Обычное значение').fill('Данияр Омаров')
  await dialog.getByRole('button', { name: 'Вставить' }).click()
  await page.getByRole('button', { name: 'Создать шаблон' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test('a template is written with a variable, found in its list, changed and deleted', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const name = `Приказ ${Date.now()}`
  await writeTemplate(page, name)
  await expect(page.getByText('Шаблон создан')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Сотрудник' })).toContainText(
    'Текст: Данияр Омаров',
  )
  await expectAccessible(page)

  // After a change, leaving without saving asks first.
  await page.getByLabel('Описание').fill('О назначении на должность')
  await page.getByRole('link', { name: 'Все', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Уйти без сохранения?' })
    .getByRole('button', { name: 'Отмена' })
    .click()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()

  await page.goto('/document-templates/my')
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill(name)
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('О назначении на должность')
  await expect(row).toContainText('Только я')
  await expectAccessible(page)
  await row.getByRole('button', { name: `Удалить: ${name}` }).click()
  const deleting = page.getByRole('dialog', { name: 'Удалить шаблон?' })
  await deleting.getByRole('button', { name: 'Удалить' }).click()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'Вернуть' }).click()
  await expect(page.getByText('Возвращено')).toBeVisible()
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: `Удалить: ${name}` }).click()
  await deleting.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Шаблон удалён')).toBeVisible()
  await expect(row).toBeHidden()
})

test('a variable renamed in its dialog is renamed everywhere; a taken name is refused', async ({
  callerOf,
}) => {
  const page = await callerOf(people.inTwo)
  await writeTemplate(page, `Переменные ${Date.now()}`)
  const text = page.getByRole('textbox', { name: 'Текст шаблона' })
  await page.getByRole('button', { name: 'Вставить в текст: Сотрудник' }).click()
  await expect(text.getByText('Сотрудник')).toHaveCount(2)
  await page.getByRole('button', { name: 'Изменить: Сотрудник' }).click()
  const dialog = page.getByRole('dialog', { name: 'Переменная' })
  await dialog.getByLabel('Название').fill('')
  await dialog.getByRole('button', { name: 'Сохранить' }).click()
  await expect(dialog.getByText('Обязательное поле')).toBeVisible()
  await dialog.getByLabel('Название').fill('Работник')
  await dialog.getByRole('button', { name: 'Сохранить' }).click()
  await expect(text.getByText('Работник')).toHaveCount(2)
  await page.getByRole('button', { name: 'Новая переменная' }).click()
  const another = page.getByRole('dialog', { name: 'Новая переменная' })
  await another.getByLabel('Название').fill('Работник')
  await another.getByRole('button', { name: 'Вставить' }).click()
  await expect(another.getByText('Такая переменная уже есть')).toBeVisible()
  await expectAccessible(page)
})

test('a colleague sees a common template, uses and copies it, and cannot change it', async ({
  pageOf,
  callerOf,
}) => {
  test.slow()
  const author = await callerOf(people.owner)
  const name = `Общий приказ ${Date.now()}`
  await writeTemplate(author, name, 'Все сотрудники')

  const page = await pageOf(people.routesAdministrator, { at: '/document-templates/public' })
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill(name)
  const row = page.getByRole('row', { name })
  await expect(row.getByRole('button', { name: `Удалить: ${name}` })).toBeHidden()
  await row.getByRole('link', { name, exact: false }).first().click()
  await expect(page.getByText('Этот шаблон меняет его автор')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Текст шаблона' })).toBeHidden()
  await page.getByRole('button', { name: 'Скопировать' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name} (копия)` })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Текст шаблона' })).toContainText('Приказ о назначении')

  // A private template is not visible to others.
  const id = /([0-9a-f-]{36})(\?|$)/.exec(page.url())![1]!
  const other = await pageOf(people.pointsAdministrator, { at: `/document-templates/my/${id}` })
  await expect(other.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
})

test('without a name or a text no template is created, and the input stays', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/document-templates/new' })
  await page.getByRole('button', { name: 'Создать шаблон' }).click()
  await expect(page.getByLabel('Название')).toBeFocused()
  await expect(page.getByText('Обязательное поле')).toHaveCount(2)
  await page.getByLabel('Название').fill('Со знаком')
  await page.getByRole('textbox', { name: 'Текст шаблона' }).click()
  await page.keyboard.type('Хорошо 👍')
  await page.getByRole('button', { name: 'Создать шаблон' }).click()
  await expect(page.getByText('Эти знаки не напечатаются в PDF: 👍', { exact: false })).toBeVisible()
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect(page.getByRole('textbox', { name: 'Текст шаблона' })).toContainText('Хорошо')
})

test('the list and a template on a phone, in Kazakh', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { width: 375, language: 'kk', at: '/document-templates' })
  await expect(page.getByRole('row', { name: 'Қызмет көрсету шарты' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('row', { name: 'Қызмет көрсету шарты' }).getByRole('link').first().click()
  await expect(page.getByRole('textbox', { name: 'Үлгі мәтіні' })).toContainText('Шарттың мәні')
  await expectAccessible(page)
  await expectNoOverflow(page)
})
