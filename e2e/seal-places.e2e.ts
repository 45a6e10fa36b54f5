/** Places of signatures: marked on the pages when a document is sent, shown there until and after it is signed, and printed. */
import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { addRoute, contract, organizationOf, signOnPage, upload } from './requests.ts'

test('the seal of a signature is put on a page, seen there and printed there', async ({
  callerOf,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const mark = crypto.randomUUID().slice(0, 8)
  const organizationId = organizationOf(author)
  const board = { name: 'Руководство', group: 'Руководство' }
  await addRoute(author, [{ type: 'CompanyInternalSign', ...board }], mark)
  const documentId = await upload(author, organizationId, `Договор ${mark}.pdf`, contract(mark))
  await author.goto(`/signingRequests/add/${documentId}?organizationId=${organizationId}`)
  await author.getByRole('combobox', { name: 'Выберите маршрут' }).fill(mark)
  await author.getByRole('option', { name: `Маршрут ${mark}` }).click()

  await author.getByRole('button', { name: 'Отметить место' }).click()
  const dialog = author.getByRole('dialog', { name: `Место подписи: Руководство ${mark}` })
  // Without a mouse the page is chosen by its number, and the place by its name.
  await dialog.getByLabel('Страница').first().fill('2')
  await dialog.getByRole('combobox', { name: 'Место' }).click()
  await author.getByRole('option', { name: 'Сверху слева' }).click()
  const second = dialog.locator('[data-page="2"]')
  await expect(second.getByText('Здесь подпишет')).toBeInViewport()
  await expectAccessible(author)
  // With a mouse the seal follows until the button is released.
  const sheet = (await second.boundingBox())!
  await author.mouse.move(sheet.x + sheet.width * 0.2, sheet.y + sheet.height * 0.1)
  await author.mouse.down()
  await author.mouse.move(sheet.x + sheet.width * 0.5, sheet.y + sheet.height * 0.2, { steps: 5 })
  await author.mouse.up()
  const seal = (await second.getByText('Здесь подпишет').locator('..').boundingBox())!
  expect((seal.x + seal.width / 2 - sheet.x) / sheet.width).toBeCloseTo(0.5, 1)
  expect((seal.y + seal.height / 2 - sheet.y) / sheet.height).toBeCloseTo(0.2, 1)
  await dialog.getByRole('button', { name: 'Сохранить место' }).click()
  await expect(author.getByText('Страница 2')).toBeVisible()
  await author.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(author.getByRole('heading', { level: 1, name: `Договор ${mark}` })).toBeVisible()

  const page = author.locator('[data-page="2"]')
  await expect(page).toContainText('Здесь подпишетРуководство')
  await signOnPage(author, 'Подписать ЭЦП', /СЕРІКОВА.*Алтын Дала/i, baseURL)
  await author.getByRole('dialog').getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(page).toContainText(/Подписано ЭЦП.*СЕРІКОВА.*Алтын Дала/i)

  const arriving = author.waitForEvent('download')
  await author.getByRole('button', { name: 'Скачать: Документ с подписями для печати', exact: true }).click()
  const printed = readFileSync(await (await arriving).path())
  expect(printed.toString('latin1')).toMatch(/\/Subtype \/Stamp/)
  await author.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(author)
})
