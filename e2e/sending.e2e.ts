import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { tryRequest } from '@kelisim/domain/requests/contract.ts'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf, uploadHere } from './requests.ts'
import { addPoint, unique } from './route-editor.ts'

const supply = 'Договор поставки с «Тұлпар Трейд»'
const send = (page: Page) => page.getByRole('button', { name: 'Отправить', exact: true })

async function chooseRoute(page: Page, typed: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Выберите маршрут' }).fill(typed)
  await page.getByRole('option', { name }).click()
}

const used = async (page: Page) =>
  (await callFrom(page, getSubscriptions, { organizationId: organizationOf(page) })).activeSubscription
    .createdSigningRequestCount

test('an uploaded document is sent along a route: missing values are reported, the draft survives a reload, recipients are previewed', async ({
  pageOf,
}) => {
  const name = unique('Договор подряда')
  const page = await pageOf(people.owner, { at: '/signingRequests/add' })
  await send(page).click()
  await expect(page.getByText('Обязательное поле')).toBeVisible()
  await expect(page.getByText('Выберите маршрут', { exact: true })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Выберите документ' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  await page.locator('input[type="file"]').setInputFiles({
    name: 'пустой.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(0),
  })
  await expect(page.getByRole('alert')).toContainText('пуст')
  await uploadHere(page, `${name}.pdf`)
  await expect(page.getByText(`${name}.pdf`)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue(name)
  await page.getByLabel('Дата документа').fill('31022026')
  await send(page).click()
  await expect(page.getByText('Такой даты нет')).toBeVisible()
  await page.getByLabel('Дата документа').fill('20122026')
  await page.getByRole('combobox', { name: 'Классификаторы' }).fill('прик')
  await page.getByRole('option', { name: 'Приказы' }).click()
  await chooseRoute(page, 'Договор поставки', supply)
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()
  const turns = page.getByRole('list', { name: 'Как пойдёт документ' }).getByRole('listitem')
  await expect(turns).toHaveCount(5)
  await expect(turns.nth(2)).toContainText('Руководство — подпишет любой из группы ключом организации')
  await page.getByLabel('Требовать метку времени').check({ force: true })
  await page.getByLabel('Код из букв и цифр').check()
  await page.getByLabel('Код действует до').fill('31122027')
  await page.getByLabel('Код из букв и цифр').uncheck()
  await page.getByLabel('Код из букв и цифр').check()
  await expect(page.getByLabel('Код действует до')).toHaveValue('')
  await page.reload()
  await expect(page.getByLabel('Дата документа')).toHaveValue('20.12.2026')
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()
  await expectAccessible(page)

  const before = await used(page)
  await send(page).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page).toHaveURL(/\/signingRequests\/outgoings\/[0-9a-f-]{36}/)
  expect(await used(page)).toBeGreaterThan(before)
  await page.getByRole('link', { name: 'Исходящие' }).first().click()
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('20.12.2026')
  await expect(row).toContainText('В процессе')
})

test('sending from the list of documents: a route is created on the way, and leaving with unsaved input asks first', async ({
  pageOf,
}) => {
  const routeName = unique('Быстрый маршрут')
  const page = await pageOf(people.owner, { at: '/documents/public' })
  await page.getByRole('button', { name: 'Отправить на подписание: Supply agreement 14-2026.pdf' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('Supply agreement 14-2026')
  await page.getByLabel('Название').fill('Supply agreement')
  await page.getByRole('button', { name: 'Новый маршрут' }).click()
  await page.getByRole('dialog', { name: 'Новый маршрут' }).getByRole('button', { name: 'Закрыть' }).click()
  await page.getByRole('link', { name: 'Исходящие' }).click()
  // After a dialog was opened and closed, the page still counts as dirty.
  const leaving = page.getByRole('dialog', { name: 'Уйти без сохранения?' })
  await leaving.getByRole('button', { name: 'Отмена' }).click()
  await page.getByRole('button', { name: 'Новый маршрут' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новый маршрут' })
  await dialog.getByLabel('Название').fill(routeName)
  await addPoint(page, 'директ', 'Подпись директора')
  await dialog.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Выберите маршрут' })).toHaveValue(routeName)
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()

  await page.getByRole('link', { name: 'Исходящие' }).click()
  const leave = page.getByRole('dialog', { name: /Уйти/ })
  await leave.getByRole('button', { name: 'Отмена' }).click()
  await send(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Supply agreement', exact: true })).toBeVisible()
})

test('refusals to be expected are shown before sending, each with what to do', async ({ callerOf }) => {
  const page = await callerOf(people.owner)
  await page.route(/\/SigningRequests\/[^/]+\/trial$/, async (route) => {
    const real = (await (await route.fetch()).json()) as Awaited<ReturnType<typeof trialOf>>
    const refusals = [
      { alias: 'inactive-point', parameters: {} },
      { alias: 'organization-restricted', parameters: {} },
    ]
    await route.fulfill({ json: { ...real, refusals } })
  })
  await page.goto('/signingRequests/add')
  await page.getByRole('combobox', { name: 'Выберите документ' }).click()
  await page.getByRole('option', { name: 'Supply agreement 14-2026.pdf' }).click()
  await chooseRoute(page, 'Договор поставки', supply)
  await expect(page.getByRole('heading', { name: 'Так отправить нельзя' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Прайс-лист' })).toBeVisible()
  await expect(send(page)).toBeDisabled()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Исправить маршрут' }).click()
  await expect(page.getByRole('dialog', { name: 'Изменить маршрут' })).toBeVisible()

  function trialOf() {
    return callFrom(page, tryRequest, { organizationId: '', documentId: '', routeId: '' })
  }
})

test('if the route was saved meanwhile, its changes are shown, and the request is sent after a review', async ({
  pageOf,
}) => {
  const routeName = unique('Изменчивый')
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  await page.getByLabel('Название').fill(routeName)
  await addPoint(page, 'директ', 'Подпись директора')
  await page.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(page.getByRole('heading', { level: 1, name: routeName })).toBeVisible()
  const address = page.url()
  await page.goto('/signingRequests/add')
  await page.getByRole('combobox', { name: 'Выберите документ' }).click()
  await page.getByRole('option', { name: 'Supply agreement 14-2026.pdf' }).click()
  await chooseRoute(page, routeName, routeName)
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()

  const theirs = await pageOf(people.routesAdministrator, { at: address })
  await addPoint(theirs, 'согласование бух', 'Согласование бухгалтерии')
  await theirs.getByRole('button', { name: 'Сохранить' }).click()
  await expect(theirs.getByText('Сохранено')).toBeVisible()

  await send(page).click()
  const dialog = page.getByRole('dialog', { name: 'Маршрут изменился' })
  await expect(dialog).toContainText('Согласование бухгалтерии')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Взять новый маршрут' }).click()
  await expect(page.getByRole('list', { name: 'Как пойдёт документ' })).toContainText('Бухгалтерия')
  await send(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Supply agreement 14-2026' })).toBeVisible()
})

test('input corrected after a lost response is not taken for what was sent, and can be sent as another request', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const calls = /\/api\/SigningRequests\/[0-9a-f-]{36}$/
  await page.route(calls, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    return route.abort()
  })
  await page.goto('/signingRequests/add')
  await page.getByRole('combobox', { name: 'Выберите документ' }).click()
  await page.getByRole('option', { name: 'Supply agreement 14-2026.pdf' }).click()
  await chooseRoute(page, 'Договор поставки', supply)
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()
  await send(page).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Понятно|Закрыть/ })
    .last()
    .click()
  await page.unroute(calls)

  const corrected = unique('Исправленный договор')
  await page.getByLabel('Название').fill(corrected)
  await send(page).click()
  const dialog = page.getByRole('dialog', { name: 'Прежний вариант уже отправлен' })
  await expect(dialog).toContainText('Supply agreement 14-2026')
  await expectAccessible(page)
  await dialog
    .getByRole('button', { name: /Понятно|Закрыть/ })
    .last()
    .click()
  await expect(page.getByLabel('Название')).toHaveValue(corrected)
  await send(page).click()
  await expect(page.getByRole('heading', { level: 1, name: corrected })).toBeVisible()
})

test('when the tariff is used up, the dialog offers the price list and the manager', async ({ callerOf }) => {
  const page = await callerOf(people.owner)
  await page.route(/\/api\/SigningRequests\/[0-9a-f-]{36}$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 403,
          json: {
            ClassName: 'PermissionDeniedException',
            Type: 'PermissionDeniedException',
            ExceptionData: { Alias: 'organization-restricted', Parameters: { used: 100, maximum: 100 } },
            Message: '',
          },
        })
      : route.continue(),
  )
  await page.goto('/signingRequests/add')
  await page.getByRole('combobox', { name: 'Выберите документ' }).click()
  await page.getByRole('option', { name: 'Supply agreement 14-2026.pdf' }).click()
  await chooseRoute(page, 'Договор поставки', supply)
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()
  await send(page).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Скачать' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /менеджер/i })).toBeVisible()
})

test('quick send on a phone: a group, an outside number, a known or a typed e-mail; one’s own number is refused', async ({
  pageOf,
}) => {
  const name = unique('Счёт')
  const page = await pageOf(people.owner, { width: 375, at: '/signingRequests/addQuick' })
  await uploadHere(page, `${name}.pdf`)
  await expect(page.getByRole('textbox', { name: 'Название', exact: true })).toHaveValue(name)
  await expect(page.getByRole('combobox', { name: 'Ваша группа' })).toHaveValue('Руководство')
  await page.getByLabel('БИН/ИИН').fill('260140020007')
  await expect(send(page)).toBeDisabled()
  await page.getByLabel('БИН/ИИН').fill('240540017348')
  await expect(page.getByLabel('Название организации или имя')).toHaveValue('«Тұлпар Трейд» ЖШС')
  await send(page).click()
  await expect(page.getByText('Почта не выбрана')).toBeVisible()
  await page.getByRole('combobox', { name: 'Электронная почта' }).click()
  await page.getByRole('option', { name: 'info@tulpar-trade.example' }).click()
  await page.getByRole('combobox', { name: 'Электронная почта' }).fill('new@tulpar-trade.example')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await expectNoOverflow(page)
  await send(page).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('an individual uses quick send without a group, for information', async ({ pageOf }) => {
  const name = unique('Расписка')
  const page = await pageOf(people.individual, { language: 'ru', at: '/signingRequests/addQuick' })
  await expect(page.getByText(`Подписываете вы: ${people.individual}`)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Ваша группа' })).toHaveCount(0)
  await uploadHere(page, `${name}.pdf`)
  await expect(page.getByRole('textbox', { name: 'Название', exact: true })).toHaveValue(name)
  await page.getByLabel('БИН/ИИН').fill('240540017348')
  await expect(page.getByLabel('Название организации или имя')).toHaveValue('«Тұлпар Трейд» ЖШС')
  await page.getByLabel('Получит для сведения').check()
  const emails = page.getByRole('combobox', { name: 'Электронная почта' })
  await emails.fill('office@tulpar-trade.example,bad;law@tulpar-trade.example')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Это не адрес почты: bad')).toBeVisible()
  await page.getByRole('button', { name: 'Убрать bad' }).click()
  await expect(page.getByText('Это не адрес почты')).toHaveCount(0)
  await expect(page.getByText('law@tulpar-trade.example')).toBeVisible()
  await expectAccessible(page)
  await send(page).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Подписать ЭЦП' })).toBeVisible()
  await expect(page.getByText('к сведению').first()).toBeVisible()
})

test('by keyboard alone a document and a route are chosen and sent', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/signingRequests/add' })
  const documents = page.getByRole('combobox', { name: 'Выберите документ' })
  await documents.focus()
  await page.keyboard.type('Supply')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Название')).toHaveValue('Supply agreement 14-2026')
  await page.getByRole('combobox', { name: 'Выберите маршрут' }).focus()
  await page.keyboard.type('Договор поставки с')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()
  await send(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Supply agreement 14-2026' })).toBeVisible()
})
