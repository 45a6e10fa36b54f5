import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { addPoint, expectSteps, makePersonalPoint, nextStep, optionOf, unique } from './route-editor.ts'

const lawyers = 'Юридическая экспертиза'
const director = 'Подпись директора'

async function makeTemplate(page: Page, name: string): Promise<void> {
  await page.goto('/signaturePointsRouteTemplates/add')
  await expect(page.getByRole('heading', { name: 'Новый шаблон маршрута' })).toBeVisible()
  await page.getByLabel('Название').fill(name)
  await addPoint(page, 'юрид', lawyers)
  await addPoint(page, 'директ', director)
  await page.getByRole('button', { name: 'Создать шаблон' }).click()
  await expect(page.getByText('Шаблон создан')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test('a route is created from a template in two presses, and names its template', async ({
  pageOf,
  callerOf,
}) => {
  const name = unique('Договор услуг')
  const page = await callerOf(people.owner)
  await makeTemplate(page, name)
  await expectAccessible(page)

  const colleague = await pageOf(people.routesAdministrator, {
    at: `/signaturePointsRouteTemplates/public?name=${encodeURIComponent(name)}`,
  })
  await expectAccessible(colleague)
  await colleague.getByRole('row', { name }).hover()
  await colleague.getByRole('button', { name: `Создать маршрут по шаблону: ${name}` }).click()
  const dialog = colleague.getByRole('dialog', { name: 'Маршрут по шаблону' })
  await expect(dialog.getByLabel('Название')).toHaveValue(name)
  await expectAccessible(colleague)
  await dialog.getByLabel('Название').fill(`${name} — Астана`)
  await dialog.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(colleague.getByRole('heading', { level: 1, name: `${name} — Астана` })).toBeVisible()
  await expect(colleague).toHaveURL(/signaturePointsRoutes\/my\//)
  await expectSteps(colleague, [lawyers], [director])
  await colleague.getByRole('link', { name, exact: true }).click()
  await expect(colleague).toHaveURL(/signaturePointsRouteTemplates\/public\//)

  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog', { name: 'Удалить шаблон?' }).getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByRole('dialog')).toContainText('По шаблону созданы маршруты')
})

test('no routes are created from a template that is switched off; an unused one can be deleted', async ({
  callerOf,
}) => {
  const name = unique('Старый порядок')
  const page = await callerOf(people.owner)
  await makeTemplate(page, name)
  await expect(page.getByRole('button', { name: 'Создать маршрут' })).toBeVisible()
  await page.getByRole('button', { name: 'Выключить' }).click()
  await expect(page.getByText('по нему нельзя создать маршрут')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Создать маршрут' })).toBeHidden()
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog', { name: 'Удалить шаблон?' }).getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Шаблон удалён')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Мои шаблоны маршрутов' })).toBeVisible()
  await expect(page.getByRole('row', { name })).toBeHidden()
})

test('a common route from a template with personal points: the person agrees to leave them out', async ({
  pageOf,
}) => {
  const name = unique('Мой порядок')
  const page = await pageOf(people.owner, { at: '/signaturePointsRouteTemplates/add' })
  await page.getByLabel('Название').fill(name)
  await page.getByLabel('Только я').check()
  await makePersonalPoint(page, unique('Только моя'))
  await addPoint(page, 'директ', director)
  await page.getByRole('button', { name: 'Создать шаблон' }).click()
  await expect(page.getByText('Шаблон создан')).toBeVisible()

  await page.getByRole('button', { name: 'Создать маршрут' }).click()
  const dialog = page.getByRole('dialog', { name: 'Маршрут по шаблону' })
  await dialog.getByLabel('Все сотрудники').check()
  await dialog.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Личные точки не войдут')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Создать без личных точек' }).click()
  await expect(page.getByText('Маршрут создан')).toBeVisible()
  await expectSteps(page, [director])
})

test('a route template is created on a phone and by keyboard alone', async ({ pageOf }) => {
  const name = unique('Шаблон с телефона')
  const page = await pageOf(people.owner, { width: 375, at: '/signaturePointsRouteTemplates/add' })
  await page.getByLabel('Название').focus()
  await page.keyboard.type(name)
  await nextStep(page).focus()
  await page.keyboard.type('директ')
  await expect(optionOf(page, director)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expectSteps(page, [director])
  await page.getByRole('button', { name: 'Создать шаблон' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Создать маршрут' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Маршрут по шаблону' })
  await expect(dialog.getByLabel('Название')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Создать маршрут' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Маршрут создан')).toBeVisible()
  await expectSteps(page, [director])
  await expectNoOverflow(page)
})
