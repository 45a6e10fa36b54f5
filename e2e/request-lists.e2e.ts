import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { altynDala, expect, expectNoOverflow, people, test } from './fixtures.ts'
import { sendRequest, signAtTheWindow, signingDialog, type StepPoint } from './requests.ts'
import { unique } from './route-editor.ts'

const approval: StepPoint = { type: 'InternalApprove', name: 'Руководство согласует', group: 'Руководство' }
const reading: StepPoint = {
  type: 'InternalInformationConfirm',
  name: 'Руководство знакомится',
  group: 'Руководство',
}
const signing: StepPoint = { type: 'CompanyInternalSign', name: 'Директор', group: 'Руководство' }

test('requests that wait come first, with their sender and progress in words, and their number in the menu', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  const row = page.getByRole('row', { name: 'Договор поставки масла № 15/2026' })
  await expect(row).toContainText(altynDala)
  await expect(row).toContainText('Ерлан Төлегенов')
  await expect(row).toContainText('2 из 4')
  await expect(row).toContainText('Ждёт вашей подписи')
  await expect(page.getByRole('link', { name: /^Входящие, ждут вас: \d+/ })).toBeVisible()
  await expectAccessible(page)

  // The list shows waiting requests at first, marked in gold.
  const waiting = page.getByRole('button', { name: /^Ждут меня/ })
  await expect(waiting).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Все', exact: true }).click()
  await expect(waiting).toHaveAttribute('aria-pressed', 'false')
  // Found by its name, because other journeys fill the first page.
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill('пшеницы № 14')
  await expect(page.getByText('Завершён', { exact: true }).first()).toBeVisible()
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill('')
  await waiting.click()
  await expect(page).toHaveURL(/signedStatus=1/)
  await expect(page.getByRole('row', { name: 'Договор поставки масла № 15/2026' })).toBeVisible()
  await expect(page.getByText('Завершён', { exact: true })).toHaveCount(0)
  await row.getByRole('link', { name: /Договор поставки масла/ }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /масла № 15/ })).toBeVisible()
})

test('requests that do not wait are not shown for a moment while those that wait are counted', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/incomings/0/')) asked.push(new URL(request.url()).search)
  })
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/waiting', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/signingRequests/incomings')
  await expect(page.getByRole('button', { name: 'Период' })).toBeVisible()
  answer()
  await expect(page.getByRole('row', { name: 'Договор поставки масла № 15/2026' })).toBeVisible()
  expect(new Set(asked)).toEqual(new Set(['?sort=-created&signedStatus=1']))

  // If the number of waiting requests cannot be loaded, all requests are shown.
  await page.unroute('**/waiting')
  await page.route('**/waiting', (route) => route.abort())
  await page.goto('/signingRequests/incomings')
  await expect(page.getByRole('button', { name: 'Все', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(/^Всего: \d/)).toBeVisible()
})

test('a row is a link: it opens in another tab wherever it is clicked with Ctrl', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  const row = page.getByRole('row', { name: 'Договор поставки масла № 15/2026' })
  const opening = page.context().waitForEvent('page')
  await row.click({ modifiers: ['Control'] })
  const other = await opening
  await expect(other.getByRole('heading', { level: 1, name: /масла № 15/ })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Входящие' })).toBeVisible()
})

test('a filter chosen by the keyboard before its choices are loaded opens, and gives the focus back', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
  await page.goto('/signingRequests/outgoings')
  const chip = page
    .getByRole('group', { name: 'Фильтры' })
    .getByRole('button', { name: 'Автор', exact: true })
  await chip.press('Enter')
  const author = page.getByRole('dialog', { name: 'Автор' })
  await expect(author.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(author).toBeHidden()
  await expect(chip).toBeFocused()
})

test('filters are chips and are kept in the address: a filtered list is a link, and each chip removes its own filter', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  await page.getByRole('link', { name: 'Исходящие' }).click()
  const filters = page.getByRole('group', { name: 'Фильтры' })
  const open = async (chip: string) => {
    await filters.getByRole('button', { name: chip, exact: true }).click()
    return page.getByRole('dialog', { name: chip })
  }
  const statuses = await open('Статус')
  await expectAccessible(page)
  await statuses.getByRole('checkbox', { name: 'Завершён' }).check()
  await statuses.getByRole('checkbox', { name: 'Расторгнут', exact: true }).check()
  await page.keyboard.press('Escape')
  const owners = await open('Чьи')
  await owners.getByRole('radio', { name: 'Все' }).check()
  await page.keyboard.press('Escape')
  const period = await open('Период')
  await period.getByLabel('Создан с').fill('1/1/20')
  await period.getByLabel('по', { exact: true }).fill('31122019')
  await expect(period.getByLabel('Создан с')).toHaveValue('01.01.2020')
  await period.getByRole('button', { name: 'Показать' }).click()
  await expect(period.getByText('Конец раньше начала')).toBeVisible()
  await period.getByLabel('по', { exact: true }).fill('31122099')
  await period.getByRole('button', { name: 'Показать' }).click()
  await expect(period).toBeHidden()
  const counterparty = await open('Контрагент')
  await counterparty.getByLabel('БИН/ИИН контрагента').fill('240540')
  await counterparty.getByRole('button', { name: 'Показать' }).click()
  await expect(counterparty.getByText('12 цифр')).toBeVisible()
  await counterparty.getByLabel('БИН/ИИН контрагента').fill('240 540 017 348')
  await counterparty.getByRole('button', { name: 'Показать' }).click()
  const classifier = await open('Классификатор')
  await classifier.getByRole('combobox').fill('постав')
  await page.getByRole('option', { name: 'Договоры поставки' }).click()

  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.filter({ hasText: 'Договор поставки пшеницы № 14/2026' })).toBeVisible()
  await expect(rows.filter({ hasText: 'Договор хранения зерна' })).toBeVisible()
  await expect(rows.filter({ hasText: 'Приказ' })).toHaveCount(0)
  await page.reload()
  const chosen = filters.locator('[data-chosen]')
  await expect(chosen).toHaveText([
    'Статус: Завершён, Расторгнут',
    'Чьи: Все',
    'с 01.01.2020 по 31.12.2099',
    'Контрагент: 240 540 017 348',
    'Классификатор: Договоры поставки',
  ])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Убрать: Статус: Завершён, Расторгнут' }).click()
  await expect(rows.filter({ hasText: 'Договор поставки пшеницы № 13/2026' })).toContainText('Отозван')
  await page.getByRole('button', { name: 'Сбросить всё' }).click()
  await expect(chosen).toHaveCount(0)
  await page.getByLabel('Найти по названию').fill('такого нет')
  await expect(page.getByRole('heading', { name: 'Ничего не найдено' })).toBeVisible()
})

test('the list is sorted by name, and its columns are chosen and remembered', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/signingRequests/outgoings?ownScope=3&take=50' })
  await page.getByRole('button', { name: 'Документ', exact: true }).click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(page.getByRole('columnheader', { name: 'Документ' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Столбцы' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Автор' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Автор' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Автор' })).toBeVisible()
})

test('several requests at once are approved, confirmed, and downloaded as one archive', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const mark = unique('Пакет')
  const names = [`${mark} первый`, `${mark} второй`, `${mark} третий`]
  await sendRequest(page, [approval], { name: names[0]! })
  await sendRequest(page, [approval], { name: names[1]! })
  await sendRequest(page, [reading], { name: names[2]! })
  await page.goto(`/signingRequests/incomings?name=${encodeURIComponent(mark)}`)
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByRole('checkbox', { name: 'Выбрать все на странице' }).check()
  const bar = page.getByRole('region', { name: 'Действия с выбранными' })
  await expect(bar).toContainText('Выбрано 3 документа')
  await expectAccessible(page)

  const saved = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Скачать архивом' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('kelisim.zip')
  const archive = readFileSync(await download.path())
  expect(archive.subarray(0, 2).toString()).toBe('PK')
  for (const name of names) expect(archive.includes(Buffer.from(`${name}/${name}.pdf`))).toBe(true)

  await bar.getByRole('button', { name: 'Согласовать (2)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Согласовать выбранное?' })
  await dialog.getByLabel('Комментарий').fill('Согласовано пакетом')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Согласовать', exact: true }).click()
  await expect(dialog.getByText('Готово: 2 из 2')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(page.getByRole('row', { name: names[0]! })).toContainText('Завершён')

  await bar.getByRole('button', { name: 'Ознакомиться (1)' }).click()
  const reads = page.getByRole('dialog', { name: 'Подтвердить ознакомление?' })
  await reads.getByRole('button', { name: 'Подтвердить', exact: true }).click()
  await expect(reads.getByText('Готово: 1 из 1')).toBeVisible()
  await reads.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(bar).toContainText('можно только скачать архив')
  await bar.getByRole('button', { name: 'Снять выбор' }).click()
  await expect(bar).toBeHidden()
})

test('several requests are signed with one key', async ({ callerOf, baseURL }) => {
  const page = await callerOf(people.owner)
  const mark = unique('Подписать')
  await sendRequest(page, [signing], { name: `${mark} один` })
  await sendRequest(page, [signing], { name: `${mark} два` })
  await page.goto(`/signingRequests/incomings?signedStatus=1&name=${encodeURIComponent(mark)}`)
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Выбрать все на странице' }).check()
  await page.getByRole('button', { name: 'Подписать (2)' }).click()
  const dialog = signingDialog(page)
  await dialog.getByRole('button', { name: 'Выбрать ключ и подписать' }).click()
  await signAtTheWindow(page, /СЕРІКОВА.*Алтын Дала/i, baseURL)
  await expect(dialog.getByText('Подписано 2 из 2')).toBeVisible({ timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await page.getByRole('button', { name: 'Все', exact: true }).click()
  await expect(page.getByRole('row', { name: `${mark} один` })).toContainText('Завершён')
})

test('on a phone each row is a card, and selecting and filtering work by touch', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { width: 375, at: '/signingRequests/incomings?signedStatus=1' })
  const card = page.getByRole('row', { name: 'Договор поставки масла № 15/2026' })
  await expect(card).toContainText('Ждёт вашей подписи')
  await card.getByRole('checkbox').check()
  await expect(page.getByRole('region', { name: 'Действия с выбранными' })).toBeVisible()
  await expectNoOverflow(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Статус', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Статус' })).toBeVisible()
  await expectAccessible(page)
})

test('people who are in no group are told whom to ask', async ({ callerOf }) => {
  const page = await callerOf(people.individual)
  // The owner of an organisation without other members sees how to start instead.
  await page.goto('/signingRequests/outgoings')
  await expect(page.getByText('Здесь появятся документы, которые вы отправите.')).toBeVisible()
  const employee = await callerOf(people.routesAdministrator)
  await employee.route(/\/api\/Groups\/.*mine=true/, (route) =>
    route.fulfill({ json: { items: [], totalCount: 0 } }),
  )
  await employee.route(/\/api\/SigningRequests\/.*\/incomings\//, (route) =>
    route.fulfill({ json: { items: [], totalCount: 0 } }),
  )
  await employee.route(/\/api\/SigningRequests\/.*\/waiting/, (route) =>
    route.fulfill({ json: { count: 0 } }),
  )
  await employee.goto('/signingRequests/incomings')
  await expect(employee.getByRole('heading', { name: 'Вы не состоите ни в одной группе' })).toBeVisible()
  await expect(employee.getByRole('link', { name: 'Мои группы в портале' })).toBeVisible()
  await expectAccessible(employee)
})
