import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { signAtTheWindow, signingDialog } from './requests.ts'
import { unique } from './route-editor.ts'

const head = 'БИН покупателя;Почта;Покупатель;Номер договора;Сумма;Срок поставки;Количество;Цена за тонну'
const row = (bin: string, number: string, sum = '100000,50') =>
  `${bin};contracts@zhana-zhol.example;ТОО «Жаңа Жол»;${number};${sum};16.12.2026;10;90000`

test('a table is reviewed row by row and sent: wrong rows are left out, the others are signed with one key prompt', async ({
  pageOf,
  baseURL,
}) => {
  const mark = unique('М').slice(2)
  const page = await pageOf(people.owner, { at: '/bulk' })
  const choose = (table: string) =>
    page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: `${mark}.csv`, mimeType: 'text/csv', buffer: Buffer.from(table) })
  await choose('БИН;бин\n1;2')
  await expect(page.getByText('Названия столбцов повторяются: бин. Сделайте их разными')).toBeVisible()
  await expectAccessible(page)

  const good = [row('250340012341', `${mark}-1`), row('250340012341', `${mark}-2`)]
  await choose([head, ...good, row('250340012342', `${mark}-3`, 'сто'), good[0]].join('\n'))
  await expect(page.getByRole('heading', { name: `${mark}.csv` })).toBeVisible()
  await page.getByRole('combobox', { name: 'Шаблон документа' }).fill('Договор поставки')
  await page.getByRole('option', { name: 'Договор поставки', exact: true }).click()
  await page.getByRole('combobox', { name: 'Кто подпишет у вас' }).click()
  await page.getByRole('option', { name: 'Руководство' }).click()
  await expect(page.getByRole('combobox', { name: 'Сумма' })).toHaveValue('Сумма')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Показать строки' }).click()
  await expect(page.getByText('С ошибками 2 строки')).toBeVisible()
  const wrong = page.getByRole('row', { name: `${mark}-3` })
  await expect(wrong).toContainText('опечатка в номере: контрольная цифра не сходится')
  await expect(wrong).toContainText('Сумма: нужно число')
  await expect(page.getByText('такая же, как строка 2')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Отправить 2 документа' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Отправить остальные' }).click()
  await expect(page.getByText('Отправлено 2 из 2')).toBeVisible()
  await expect(page.getByRole('row', { name: `${mark}-2` })).toContainText('Отправлена')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Скачать результат (XLSX)' }).click()
  expect((await download).suggestedFilename()).toBe(`${mark} результат.xlsx`)

  await page.getByRole('button', { name: 'Подписать 2 документа' }).click()
  const dialog = signingDialog(page)
  await dialog.getByRole('button', { name: 'Выбрать ключ и подписать' }).click()
  await signAtTheWindow(page, /СЕРІКОВА.*Алтын Дала/i, baseURL)
  await expect(dialog.getByText('Подписано 2 из 2')).toBeVisible({ timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(page.getByRole('button', { name: 'Подписать 2 документа' })).toBeHidden()
  await page.getByRole('link', { name: `${mark}-1` }).click()
  await expect(page.getByRole('heading', { name: `Договор поставки ${mark}-1` })).toBeVisible()
})

test('bulk sending on a phone and in Kazakh: nothing is wider than the screen', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { width: 375, language: 'kk', at: '/bulk' })
  await expect(page.getByRole('heading', { name: 'Жаппай жіберу' })).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
})
