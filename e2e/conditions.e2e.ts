/**
 * A route with a condition and an escalation: shown as sentences, rehearsed, and shown at the document sent along it.
 */
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { uploadHere } from './requests.ts'
import { addPoint, rehearsalOn, unique } from './route-editor.ts'

const accountants = 'Согласование бухгалтерии'
const director = 'Подпись директора'

test('a step is needed only above an amount: in the editor, before sending and on the page of the document', async ({
  pageOf,
}) => {
  const name = unique('Закупки')
  const page = await pageOf(people.owner, { at: '/signaturePointsRoutes/add' })
  await page.getByLabel('Название').fill(name)
  await addPoint(page, 'бухг', accountants)
  await addPoint(page, 'директ', director)

  await page.getByRole('button', { name: `Добавить условие: ${accountants}` }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Когда нужен этот шаг' })
  await dialog.getByRole('button', { name: 'Готово' }).click()
  await expect(dialog.getByText('Заполните условие до конца')).toBeVisible()
  await dialog.getByLabel('Сумма, ₸').fill('5000000')
  await expectAccessible(page)
  await dialog.getByLabel('Сумма, ₸').press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Только если сумма больше 5 000 000 ₸')).toBeVisible()

  await page.getByLabel('Какой случай показать').selectOption('Ни одно условие не выполнено')
  await expect(rehearsalOn(page).getByRole('listitem').nth(1)).toContainText('Шаг пропускается')
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('button', { name: `Задать срок: ${director}` }).press('Enter')
  const term = page.getByRole('dialog', { name: 'Сколько времени на этот шаг' })
  await term.getByLabel('Рабочих дней').fill('2')
  await term.getByRole('combobox', { name: 'Если срок пройдёт, сообщить' }).fill('бухг')
  await page.getByRole('option', { name: 'Бухгалтерия', exact: true }).click()
  await term.getByLabel('И разрешить ответить вместо участников шага').check()
  await expectAccessible(page)
  await term.getByRole('button', { name: 'Готово' }).click()
  const escalates = 'Если срок пройдёт, ответить сможет: Бухгалтерия'
  await expect(rehearsalOn(page).getByText(escalates)).toBeVisible()
  await page.getByRole('button', { name: 'Создать маршрут' }).click()
  await expect(page.getByText('Маршрут создан')).toBeVisible()

  await page.goto('/signingRequests/add')
  // A new document, because one of another journey may state an amount itself.
  await uploadHere(page, `${name}.pdf`)
  await page.getByLabel('Название').fill(name)
  await page.getByRole('combobox', { name: 'Маршрут' }).fill(name)
  await page.getByRole('option', { name: new RegExp(name) }).click()
  const steps = rehearsalOn(page).getByRole('listitem')
  await expect(steps.nth(1)).toContainText('Шаг остаётся: нет данных')
  await page.getByLabel('Сумма, ₸').fill('120000')
  await expect(steps.nth(1)).toContainText('Шаг пропускается: нужен, только если сумма больше 5 000 000 ₸')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()

  await expect(page.getByText('Документ отправлен').first()).toBeVisible()
  await page.reload()
  await expect(page.getByText('Пропущено: нужно, только если сумма больше 5 000 000 ₸')).toBeVisible()
  await expect(page.getByText(`Шаг «${accountants}» пропущен`)).toBeVisible()
  await expect(page.getByText(escalates)).toBeVisible()
  await expectAccessible(page)
})
