/** Two documents are chosen in the list and compared: word by word, as one text, and page by page. */
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { organizationOf, upload } from './requests.ts'

const text = (price: string, place: string) =>
  makePdf(
    ['SUPPLY AGREEMENT.', 'The seller delivers wheat to the buyer.', `The price is ${price} tenge per ton.`],
    ['Final provisions.', 'One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.', `Signed in ${place}.`],
  )

test('two documents of the list are compared, and keys move from change to change', async ({ callerOf }) => {
  const page = await callerOf(people.owner)
  const mark = crypto.randomUUID().slice(0, 8)
  const [before, after] = [`Прежний ${mark}.pdf`, `Новый ${mark}.pdf`]
  await upload(page, organizationOf(page), before, text('100', 'Almaty'))
  await upload(page, organizationOf(page), after, text('500', 'Astana'))
  await page.goto(`/documents/my?name=${mark}`)
  await page.getByRole('checkbox', { name: `Выбрать: ${before}` }).check()
  await expect(page.getByText('Чтобы сравнить, выберите два документа')).toBeVisible()
  await page.getByRole('checkbox', { name: `Выбрать: ${after}` }).check()
  await page.getByRole('button', { name: 'Сравнить' }).click()

  await expect(page.getByRole('heading', { name: '2 места изменено' })).toBeVisible()
  const table = page.getByRole('table', { name: 'Отличия в тексте' })
  await expect(table.getByRole('columnheader')).toHaveText([before, after])
  await expect(table.getByRole('deletion')).toHaveText(['удалено: 100', 'удалено: Almaty.'])
  await expect(table.getByRole('insertion')).toHaveText(['добавлено: 500', 'добавлено: Astana.'])
  await table.getByRole('button', { name: 'без изменений' }).click()
  await expect(table.getByText('Three.').first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByText('2 из 2')).toBeVisible()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByText('1 из 2')).toBeVisible()

  await page.getByText('Страницы', { exact: true }).click()
  const frames = [before, after].map((name) => page.getByRole('region', { name }))
  for (const frame of frames) await expect(frame.locator('canvas').first()).toBeVisible()
  await frames[0]!.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight))
  await expect.poll(() => frames[1]!.evaluate((frame) => frame.scrollTop)).toBeGreaterThan(0)

  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByText('Одним текстом', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Отличия в тексте' }).getByRole('insertion')).toHaveCount(2)
  await expectNoOverflow(page)
})
