/** Finding anything: by Ctrl K, by the field in the header, by keys and by touch. */
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import type { Page } from '@playwright/test'

const dialogOf = (page: Page) =>
  page.getByRole('dialog', { name: /Найти что угодно|Кез келгенін|Find anything/ })

async function find(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  const dialog = dialogOf(page)
  await dialog.getByRole('combobox').fill(text)
  return dialog
}

test('a document is found by other forms of its words and opened by keys', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  const dialog = await find(page, 'аренде складом')
  const [first, second] = [dialog.getByRole('option').nth(0), dialog.getByRole('option').nth(1)]
  await expect(first).toContainText('Договор аренды склада № 7/2026')
  await expect(first.locator('mark')).toHaveText(['аренды', 'склада'])
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(second).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Договор аренды склада № 7/2026' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('Enter waits for the results of what was typed, and Ctrl Enter opens a new tab', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  const dialog = await find(page, 'ljujdjh [hfytybz pthyf')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /Договор хранения зерна/ })).toBeVisible()
  await expect(dialog).toBeHidden()
  await find(page, 'dogovor hraneniya zerna')
  await expect(dialog.getByRole('option').first()).toContainText('Договор хранения зерна')
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Control+Enter')
  const tab = await opened
  await expect(tab.getByRole('heading', { level: 1, name: /Договор хранения зерна/ })).toBeVisible()
  await expect(dialog).toBeVisible()
})

test('a counterparty is found by its number and leads to requests sent to it; a colleague is found by name', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  const dialog = await find(page, 'тулпар')
  const group = dialog.getByRole('group', { name: 'Контрагенты' })
  await expect(group.getByRole('option')).toContainText('«Тұлпар Трейд» ЖШС')
  await group.getByRole('option').click()
  await expect(page).toHaveURL(/outgoings\?bin=\d{12}(&|$)/)
  await find(page, 'омаров')
  await expect(dialog.getByRole('group', { name: 'Люди' }).getByRole('option')).toContainText(people.inTwo)
})

test('a document is found by its text, and the result shows the page and the words around', async ({
  pageOf,
}) => {
  test.setTimeout(240_000)
  const page = await pageOf(people.owner)
  const organizationId = new URL(page.url()).searchParams.get('organizationId')!
  // Texts are read after the upload, the newest first, so those of other journeys are read before the demo's.
  for (const q of ['31 December 2027', 'служебная записка проживание']) {
    const found = async () =>
      (await page.request.get(`/api/Search/${organizationId}`, { params: { q } })).text()
    await expect.poll(found, { timeout: 110_000 }).toContain('"field":"text"')
  }
  const dialog = await find(page, '31 December 2027')
  const option = dialog.getByRole('option', { name: /Supply agreement 14-2026/ })
  await expect(option).toContainText('В тексте, стр. 2')
  await expect(option.locator('mark')).toHaveText(['31', 'December', '2027'])
  await find(page, 'служебная записка проживание')
  await expect(dialog.getByRole('option', { name: /Приказ о командировке/ })).toContainText('В тексте')
})

test('documents that a person may not see are not found', async ({ pageOf }) => {
  const page = await pageOf(people.individual)
  const dialog = await find(page, 'аренды склада')
  await expect(dialog.getByText('Ничего не найдено')).toBeVisible()
  await expect(dialog.getByRole('option')).toHaveCount(0)
})

for (const language of ['ru', 'kk', 'en'] as const) {
  test(`on a phone the dialog fills the screen and is accessible (${language})`, async ({ pageOf }) => {
    const page = await pageOf(people.owner, { width: 375, language })
    await page.getByRole('button', { name: /Найти что угодно|Кез келгенін табу|Find anything/ }).click()
    const dialog = dialogOf(page)
    await expect(dialog.getByRole('option').first()).toBeVisible()
    expect((await dialog.boundingBox())!.width).toBe(375)
    await dialog.getByRole('combobox').fill('2026')
    await expect(dialog.locator('mark').first()).toBeVisible()
    await expectNoOverflow(page)
    await expectAccessible(page)
  })
}
