import type { Page } from '@playwright/test'
import { expectAccessible, expectNoFindings } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import {
  addPoint,
  expectSteps,
  handleOf,
  makePersonalPoint,
  nextStep,
  optionOf,
  rehearsalOn,
  unique,
} from './route-editor.ts'

const lawyers = 'Юридическая экспертиза'
const accountants = 'Согласование бухгалтерии'
const director = 'Подпись директора'

const save = (page: Page) => page.getByRole('button', { name: 'Сохранить' })

/** A common route of the lawyers and then the director; its page stays open. */
async function makeRoute(page: Page, name: string): Promise<void> {
  await page.goto('/signaturePointsRoutes/add')
  await page.getByLabel('Название').fill(name)
  await addPoint(page, 'юрид', lawyers)
  await addPoint(page, 'директ', director)
  await page.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(page.getByText('Маршрут создан')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test('a route is built by typing: missing values are reported, the draft survives a reload, and it is rehearsed', async ({
  pageOf,
}) => {
  const name = unique('Договор поставки')
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/my' })
  await page.getByRole('link', { name: 'Новый маршрут' }).first().click()
  const create = page.getByRole('button', { name: 'Создать маршрут' })
  await create.click()
  await expect(page.getByText('Обязательное поле')).toBeVisible()
  await expect(page.getByText('Выберите точку подписания')).toBeVisible()
  await expect(page.getByLabel('Название')).toBeFocused()
  await page.getByLabel('Название').fill(name)
  await create.click()
  await expect(nextStep(page)).toBeFocused()
  await expectAccessible(page)

  await addPoint(page, 'юрид', lawyers)
  await addPoint(page, 'бухг', accountants, 1)
  await addPoint(page, 'директ', director)
  await expectSteps(page, [lawyers, accountants], [director])
  await nextStep(page).fill('юрид')
  await expect(optionOf(page, lawyers)).toContainText('Уже в маршруте')
  await page.reload()
  await expectSteps(page, [lawyers, accountants], [director])

  const turns = rehearsalOn(page).getByRole('listitem')
  await expect(turns).toHaveCount(4)
  await expect(turns.nth(1)).toContainText('Юристы — согласует или отклонит каждый в группе')
  await expect(turns.nth(1)).toContainText('Бухгалтерия — согласует или отклонит любой из группы')
  await expect(turns.nth(1)).toContainText('Письма: Гүлнар Оспанова')
  await expect(turns.nth(2)).toContainText('Руководство — подпишет любой из группы ключом организации')
  await expectAccessible(page)
  await create.click()
  await expect(page.getByText('Маршрут создан')).toBeVisible()
  await expect(save(page)).toBeDisabled()

  await page.goto(`/signaturePointsRoutes/public?name=${encodeURIComponent(name)}`)
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('2 шага, 3 точки')
  await expect(row).toContainText('Согласование, Подписание')
  await expect(row).toContainText(people.owner)
  await expectAccessible(page)
})

test('a point that was typed but not chosen is not silently left out', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  await page.getByLabel('Название').fill(unique('Договор поставки'))
  await addPoint(page, 'директ', director)
  await nextStep(page).fill('240540017348')
  await nextStep(page).press('Escape')
  await page.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(nextStep(page)).toBeFocused()
  await expect(page.getByText('Выберите точку из списка или очистите поле')).toBeVisible()
  await nextStep(page).fill('')
  await nextStep(page).press('Escape')
  await page.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(page.getByText('Маршрут создан')).toBeVisible()
})

test('by keyboard alone: a point is added, moved, removed and put back, and each change is announced to screen readers', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  await nextStep(page).focus()
  for (const [typed, name] of [
    ['юрид', lawyers],
    ['согласование бух', accountants],
    ['директ', director],
  ] as const) {
    await page.keyboard.type(typed)
    await expect(optionOf(page, name)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(handleOf(page, name)).toBeVisible()
    await expect(nextStep(page)).toBeFocused()
  }
  await expectSteps(page, [lawyers], [accountants], [director])

  const handle = handleOf(page, director)
  await handle.focus()
  await page.keyboard.press('ArrowUp')
  await expectSteps(page, [lawyers], [accountants, director])
  await expect(page.getByText(`${director}: шаг 2 из 2, вместе с ${accountants}`)).toBeAttached()
  await expect(handle).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expectSteps(page, [lawyers], [director], [accountants])
  await expect(page.getByText(`${director}: шаг 2 из 3`)).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expectSteps(page, [lawyers], [accountants, director])

  await page.keyboard.press('Delete')
  await expectSteps(page, [lawyers], [accountants])
  const undo = page.getByRole('button', { name: 'Вернуть' })
  await expect(undo).toBeFocused()
  await page.keyboard.press('Enter')
  await expectSteps(page, [lawyers], [accountants, director])
  await expect(undo).toBeHidden()

  await page.getByRole('button', { name: `Действия: ${director}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Отдельным шагом ниже' }).press('Enter')
  await expectSteps(page, [lawyers], [accountants], [director])
  await expect(handle).toBeFocused()
  await expectAccessible(page)
})

test('a point is dragged beside another one, and into a step of its own', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  await addPoint(page, 'юрид', lawyers)
  await addPoint(page, 'согласование бух', accountants)
  await addPoint(page, 'директ', director)

  /** Drags a point by its handle over a step: to its middle, or to its lower edge. */
  const dragOver = async (name: string, step: RegExp, where: 'middle' | 'edge') => {
    await handleOf(page, name).hover()
    await page.mouse.down()
    const { x, y, height } = (await page.getByRole('listitem', { name: step }).boundingBox())!
    await page.mouse.move(x + 200, where === 'middle' ? y + height / 2 : y + height - 4, { steps: 8 })
  }
  await dragOver(director, /Шаг 2 из/, 'middle')
  await page.mouse.up()
  await expectSteps(page, [lawyers], [accountants, director])
  await dragOver(lawyers, /Шаг 2 из/, 'edge')
  await page.mouse.up()
  await expectSteps(page, [accountants, director], [lawyers])
  await dragOver(lawyers, /Шаг 1 из/, 'middle')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expectSteps(page, [accountants, director], [lawyers])
})

test('a point is created in the editor: for a group, and for a number without a point', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const [forGroup, forNumber] = [unique('Кадры согласуют'), unique('Қасымов подписывает')]
  await page.goto('/signaturePointsRoutes/add')
  await page.getByLabel('Название').fill('Черновик')
  await nextStep(page).fill('Бухгалтерия')
  await page.getByRole('option', { name: 'Для группы «Бухгалтерия»' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новая точка' })
  await expect(dialog.getByLabel('Тип')).toHaveValue('1')
  await expect(dialog.getByRole('combobox', { name: 'Группа' })).toHaveValue('Бухгалтерия')
  await dialog.getByRole('textbox', { name: 'Название', exact: true }).fill(forGroup)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Создать точку' }).click()
  await expectSteps(page, [forGroup])
  await expect(dialog).toBeHidden()

  await nextStep(page).fill('880 315 300 123')
  await page.getByRole('option', { name: 'Для БИН/ИИН 880 315 300 123' }).click()
  await expect(dialog.getByLabel('БИН/ИИН')).toHaveValue('880 315 300 123')
  await dialog.getByRole('textbox', { name: 'Название', exact: true }).fill(forNumber)
  await dialog.getByRole('combobox', { name: 'Электронная почта' }).fill('alikhan@kasymov.example')
  await dialog.getByRole('combobox', { name: 'Электронная почта' }).press('Enter')
  await dialog.getByRole('button', { name: 'Создать точку' }).click()
  await expectSteps(page, [forGroup], [forNumber])
  await expect(page.getByLabel('Название')).toHaveValue('Черновик')
})

test('a counterparty’s published point is found by its number', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  const name = 'Сатып алу бөлімі қабылдайды'
  await nextStep(page).fill('240 540 017 348')
  await expect(page.getByText('Точки контрагента: «Тұлпар Трейд» ЖШС')).toBeVisible()
  await page.getByRole('option', { name }).click()
  await expectSteps(page, [name])
  await expect(rehearsalOn(page)).toContainText(
    '«Тұлпар Трейд» ЖШС — подпишет ключом с номером 240 540 017 348',
  )
})

test('personal points are removed from a common route, after the person is asked', async ({ pageOf }) => {
  const mine = unique('Только моя')
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  await page.getByLabel('Только я').check()
  await makePersonalPoint(page, mine)
  await addPoint(page, 'директ', director)

  await page.getByLabel('Все сотрудники').click()
  const question = page.getByRole('dialog', { name: 'Убрать личные точки?' })
  await expect(question).toContainText(`«${mine}»`)
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(page.getByLabel('Только я')).toBeChecked()
  await expectSteps(page, [mine], [director])
  await page.getByLabel('Все сотрудники').click()
  await question.getByRole('button', { name: 'Убрать и сделать общим' }).click()
  await expect(page.getByLabel('Все сотрудники')).toBeChecked()
  await expectSteps(page, [director])
  await nextStep(page).fill(mine)
  await expect(optionOf(page, mine)).toContainText('в общий маршрут не добавить')
  await expect(optionOf(page, mine)).toHaveAttribute('aria-disabled', 'true')
})

test('if somebody else saved meanwhile, their changes are shown, and either version can be chosen', async ({
  callerOf,
}) => {
  const name = unique('Акт сверки')
  const mine = await callerOf(people.owner)
  await makeRoute(mine, name)
  const address = mine.url()
  const theirs = await callerOf(people.routesAdministrator)
  const change = async () => {
    await theirs.goto(address)
    await theirs.getByLabel('Описание').fill(`Раз в квартал, ${Date.now()}`)
    await addPoint(theirs, 'согласование бух', accountants, 1)
    await save(theirs).click()
    await expect(theirs.getByText('Сохранено')).toBeVisible()
  }
  await mine.getByLabel('Название').fill(`${name} — мой`)
  await change()
  await save(mine).click()
  const dialog = mine.getByRole('dialog', { name: 'Маршрут изменился' })
  await expect(dialog).toContainText(people.routesAdministrator)
  await expect(dialog.getByRole('list', { name: 'Что изменилось' })).toContainText(
    `Добавлена точка «${accountants}» — шаг 1`,
  )
  await expect(dialog).toContainText('Описание: пусто Раз в квартал')
  await expectAccessible(mine)
  await dialog.getByRole('button', { name: 'Взять новую версию' }).click()
  await expect(mine.getByLabel('Название')).toHaveValue(name)
  await expectSteps(mine, [lawyers, accountants], [director])
  await expect(save(mine)).toBeDisabled()

  await mine.getByRole('button', { name: `Убрать: ${accountants}` }).click()
  await theirs.getByLabel('Название').fill(`${name} — их`)
  await save(theirs).click()
  await expect(theirs.getByRole('heading', { level: 1, name: `${name} — их` })).toBeVisible()
  await save(mine).click()
  await dialog.getByRole('button', { name: 'Оставить мои правки' }).click()
  await expectSteps(mine, [lawyers], [director])
  await save(mine).click()
  await expect(mine.getByText('Сохранено')).toBeVisible()
  await expect(mine.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
})

test('faults are shown at the points that have them, and saving leads there', async ({ pageOf }) => {
  const point = unique('Временная точка')
  const page = await pageOf(people.owner, { at: '/points/add' })
  await page.getByLabel('Тип').selectOption('Согласование')
  await page.getByRole('textbox', { name: 'Название', exact: true }).fill(point)
  // Chosen with the keyboard, because the list moves while it is filled and a click may miss.
  const group = page.getByRole('combobox', { name: 'Группа' })
  await group.fill('юр')
  await expect(page.getByRole('option', { name: 'Юристы' })).toBeVisible()
  await group.press('ArrowDown')
  await group.press('Enter')
  await page.getByRole('button', { name: 'Создать точку' }).click()
  await expect(page.getByText('Точка создана')).toBeVisible()
  const routeName = unique('Маршрут с временной точкой')
  await makeRoute(page, routeName)
  await addPoint(page, point, point)
  await save(page).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  const route = page.url()

  await page.goto(`/points/my?name=${encodeURIComponent(point)}`)
  await page.getByRole('link', { name: point, exact: true }).click()
  await page.getByLabel('Точка включена').uncheck()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog', { name: 'Удалить точку?' }).getByRole('button', { name: 'Удалить' }).click()
  const refusal = page.getByRole('dialog', { name: 'Точка используется' })
  await expect(refusal).toContainText('её нельзя удалить')
  await expect(refusal.getByRole('link', { name: routeName })).toBeVisible()
  await expectNoFindings(page)
  await refusal.getByRole('button', { name: 'Понятно' }).click()
  await expect(page.getByRole('heading', { name: 'Где используется' })).toBeVisible()
  await page.getByRole('link', { name: routeName }).click()
  await expect(page.getByRole('heading', { name: routeName, level: 1 })).toBeVisible()
  await expect(page.getByText('По этому маршруту ещё ничего не отправляли')).toBeVisible()

  await page.goto(route)
  const step = page.getByRole('listitem', { name: 'Шаг 3 из 3' })
  await expect(step).toContainText('Точка выключена')
  await expect(page.getByText('Исправьте отмеченные точки')).toBeVisible()
  await page.getByLabel('Описание').fill('Проверяем')
  await save(page).click()
  await expect(handleOf(page, point)).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Убрать: ${point}` }).click()
  await expect(page.getByText('Исправьте отмеченные точки')).toBeHidden()
  await save(page).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
})

test('a route is switched off and on, copied and deleted', async ({ pageOf, callerOf }) => {
  const name = unique('Приказ')
  const page = await callerOf(people.owner)
  await makeRoute(page, name)
  await page.getByRole('button', { name: 'Выключить' }).click()
  await expect(page.getByText('по нему нельзя отправить документ')).toBeVisible()
  await page.getByRole('button', { name: 'Включить' }).click()
  await expect(page.getByText('по нему нельзя отправить документ')).toBeHidden()

  await page.getByRole('button', { name: 'Копировать' }).click()
  const dialog = page.getByRole('dialog', { name: 'Копия' })
  await expect(dialog.getByLabel('Название')).toHaveValue(`${name} — копия`)
  await dialog.getByLabel('Только я').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Копировать' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name} — копия` })).toBeVisible()
  await expectSteps(page, [lawyers], [director])

  const other = await pageOf(people.routesAdministrator, {
    at: `/signaturePointsRoutes/public?name=${encodeURIComponent(name)}`,
  })
  await expect(other.getByRole('row', { name })).toHaveCount(1)
  await other.goto(page.url())
  await expect(other.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()

  await page.getByRole('button', { name: 'Удалить' }).click()
  await page
    .getByRole('dialog', { name: 'Удалить маршрут?' })
    .getByRole('button', { name: 'Удалить' })
    .click()
  await expect(page.getByText('Маршрут удалён')).toBeVisible()
  await page.goto(`/signaturePointsRoutes/my?name=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
})

test('leaving an unsaved route asks first', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  await addPoint(page, 'юрид', lawyers)
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Мои' }).first().click()
  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?' })
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expectSteps(page, [lawyers])
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Мои' }).first().click()
  await question.getByRole('button', { name: 'Уйти' }).click()
  await expect(page.getByRole('heading', { name: 'Мои маршруты' })).toBeVisible()
})

test('on a phone the same editor has one column and does not overflow', async ({ callerOf }) => {
  const page = await callerOf(people.owner, { width: 375 })
  await makeRoute(page, unique('С телефона'))
  await addPoint(page, 'согласование бух', accountants, 1)
  await expectSteps(page, [lawyers, accountants], [director])
  await page.getByRole('button', { name: `Действия: ${accountants}` }).click()
  await page.getByRole('menuitem', { name: 'Отдельным шагом выше' }).click()
  await expectSteps(page, [accountants], [lawyers], [director])
  await expectAccessible(page)
  await expectNoOverflow(page)
  await save(page).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.goto('/signaturePointsRoutes/my')
  await expect(page.getByRole('heading', { name: 'Мои маршруты' })).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
})

for (const [language, heading, steps] of [
  ['kk', 'Жаңа бағыт', 'Қадамдар'],
  ['en', 'New route', 'Steps'],
] as const) {
  test(`the editor is in ${language}`, async ({ pageOf }) => {
    const page = await pageOf(people.owner, { language, width: 375, at: '/signaturePointsRoutes/add' })
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: steps })).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
  })
}
