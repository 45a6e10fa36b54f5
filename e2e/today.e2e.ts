/** The home page: what waits for me, what is stuck with others, what has finished. */
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { sendRequest } from './requests.ts'

const lawyers = { type: 'InternalApprove', name: 'Согласование', group: 'Юристы' } as const

test('the logo leads to the page Today: what waits for the person, and what has ended since yesterday', async ({
  pageOf,
}) => {
  const author = await pageOf(people.owner)
  const { name, id } = await sendRequest(author, [lawyers])
  await author.getByRole('link', { name: 'Келісім' }).first().click()
  await expect(author.getByRole('heading', { level: 1, name: 'Сегодня' })).toBeVisible()
  const section = (title: string) =>
    author
      .locator('section')
      .filter({ has: author.getByRole('heading', { level: 2, name: title }) })
      .last()
  await expect(section('Ждут вас').getByRole('listitem').first()).toContainText('Ждёт')
  await expectAccessible(author)

  await section('Ждут вас').getByRole('link', { name: 'Все, что ждут вас' }).click()
  await expect(author.getByRole('button', { name: /^Ждут меня/ })).toHaveAttribute('aria-pressed', 'true')

  const colleague = await pageOf(people.routesAdministrator, { at: `/signingRequests/incomings/${id}` })
  await colleague.getByRole('button', { name: 'Согласовать', exact: true }).click()
  await colleague.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
  await expect(colleague.getByRole('dialog')).toBeHidden()
  await author.goto('/today')
  await expect(section('Завершились со вчерашнего дня').getByRole('link', { name })).toBeVisible()
})

test('Ctrl K and the bell lead to the page Today', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  await page.getByRole('button', { name: /^Уведомления/ }).click()
  await page.getByRole('link', { name: 'Сегодня' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Сегодня' })).toBeVisible()
  await page.getByRole('link', { name: 'Исходящие' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Исходящие' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('сегод')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Сегодня' })).toBeVisible()
})

for (const [language, width] of [
  ['kk', 375],
  ['en', 1000],
] as const) {
  test(`the page Today fits ${width} px and is accessible (${language})`, async ({ pageOf }) => {
    const page = await pageOf(people.owner, { language, width, at: '/today' })
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
  })
}

test('the page where documents wait: by group, by counterparty, of the whole organisation, and as a table', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner, { at: '/today' })
  await page.getByRole('link', { name: 'Где ждут и сколько' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Где ждут документы' })).toBeVisible()
  const waits = page.getByRole('table', { name: 'Где ждут документы' })
  await expect(waits.getByRole('row', { name: /^Юристы половина за/ })).toBeVisible()
  await page.getByText('Вся организация', { exact: true }).click()
  await page.getByText('Контрагент', { exact: true }).click()
  await expect(waits.getByRole('row', { name: /«Тұлпар Трейд» ЖШС/ })).toBeVisible()
  await expectAccessible(page)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Скачать таблицу' }).click()
  expect((await saving).suggestedFilename()).toBe('Где ждут документы.xlsx')

  const colleague = await pageOf(people.pointsAdministrator, { language: 'ru', at: '/insight', width: 375 })
  await expect(colleague.getByRole('heading', { level: 1, name: 'Где ждут документы' })).toBeVisible()
  await expect(colleague.getByText('Вся организация', { exact: true })).toBeHidden()
  await expectNoOverflow(colleague)
})
