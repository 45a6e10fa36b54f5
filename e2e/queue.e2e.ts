/** The queue of documents that wait for a person: one after the other on the whole screen, or previewed. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { sendRequest, signAtTheWindow, signingDialog, type StepPoint } from './requests.ts'
import { unique } from './route-editor.ts'

const signing: StepPoint = { type: 'CompanyInternalSign', name: 'Директор', group: 'Басшылық' }
const approval: StepPoint = { type: 'InternalApprove', name: 'Согласование', group: 'Басшылық' }

const queueOf = (page: Page) => page.getByRole('dialog', { name: 'По очереди' })

/** Goes on with J, or back with K, until this document is shown: other journeys may have sent some in between. */
async function goTo(page: Page, name: string, key: 'j' | 'k' = 'j'): Promise<void> {
  const shown = queueOf(page).getByRole('heading', { level: 3 })
  await expect(shown).toBeVisible()
  while ((await shown.textContent()) !== name) {
    const before = (await shown.textContent())!
    await page.keyboard.press(key)
    await expect(shown).not.toHaveText(before)
  }
}

test('documents are marked one by one in the queue and signed with one key; an approval is given beside it', async ({
  callerOf,
  baseURL,
}) => {
  const page = await callerOf(people.otherOwner, { language: 'ru' })
  const mark = unique('Очередь')
  for (const [name, point] of [
    ['первый', signing],
    ['второй', signing],
    ['третий', approval],
  ] as const) {
    await sendRequest(page, [point], { name: `${mark} ${name}` })
  }
  await page.goto('/signingRequests/incomings')
  await page.getByRole('link', { name: 'Разобрать по очереди' }).click()
  const queue = queueOf(page)
  await expect(queue.getByText(/^1 из \d+$/)).toBeVisible()
  await expect(queue.getByRole('region', { name: 'Действия с выбранными' })).toContainText('J — дальше')
  await goTo(page, `${mark} третий`)
  await expect(queue.getByText('Ждёт вашего согласования')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await goTo(page, `${mark} второй`)
  await page.keyboard.press('Enter')
  await goTo(page, `${mark} второй`, 'k')
  await queue.getByRole('button', { name: 'Выбран · Убрать' }).click()
  await page.keyboard.press('Enter')
  await goTo(page, `${mark} первый`)
  await queue.getByRole('button', { name: 'К подписанию' }).click()
  const bar = queue.getByRole('region', { name: 'Действия с выбранными' })
  await expect(bar).toContainText('Выбрано 3 документа')

  await bar.getByRole('button', { name: 'Подписать (2)' }).click()
  const dialog = signingDialog(page)
  await dialog.getByRole('button', { name: 'Выбрать ключ и подписать' }).click()
  await signAtTheWindow(page, /ЖАҚСЫБЕКОВ.*Тұлпар/i, baseURL)
  await expect(dialog.getByText('Подписано 2 из 2')).toBeVisible({ timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(bar).toContainText('Выбран 1 документ')
  await bar.getByRole('button', { name: 'Согласовать (1)' }).click()
  const approving = page.getByRole('dialog', { name: 'Согласовать выбранное?' })
  await approving.getByRole('button', { name: 'Согласовать', exact: true }).click()
  await expect(approving.getByText('Готово: 1 из 1')).toBeVisible()
  await approving.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(bar).toContainText('подписываются вместе')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/signingRequests\/incomings/)
  await page.goto(`/signingRequests/incomings?signedStatus=2&name=${encodeURIComponent(mark)}`)
  await expect(page.getByRole('row').filter({ hasText: 'Завершён' })).toHaveCount(3)
})

test('the queue on a phone in Kazakh: what is asked comes first, and a document can be rejected there', async ({
  callerOf,
}) => {
  const page = await callerOf(people.otherOwner, { language: 'kk', width: 360 })
  const mark = unique('Кезек')
  await sendRequest(page, [approval], { name: `${mark} бірінші` })
  await page.goto('/signingRequests/queue')
  const queue = page.getByRole('dialog', { name: 'Кезекпен' })
  const shown = queue.getByRole('heading', { level: 3 })
  await expect(shown).toBeVisible()
  while ((await shown.textContent()) !== `${mark} бірінші`) {
    const before = (await shown.textContent())!
    await queue.getByRole('button', { name: 'Әрі қарай' }).click()
    await expect(shown).not.toHaveText(before)
  }
  await expectNoOverflow(page)
  await expectAccessible(page)
  await queue.getByRole('button', { name: 'Қабылдамау' }).click()
  const dialog = page.getByRole('dialog', { name: /қабылдама/i })
  await dialog.getByRole('textbox').fill('Смета жоқ')
  await dialog.getByRole('button', { name: 'Қабылдамау', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(shown).not.toHaveText(`${mark} бірінші`)
})

test('Space on a row shows its document beside the list, and closes it', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/signingRequests/outgoings?name=пшеницы' })
  const row = page.getByRole('link', { name: 'Договор поставки пшеницы № 14/2026' })
  await row.focus()
  await page.keyboard.press('Space')
  const peek = page.getByRole('dialog', { name: 'Договор поставки пшеницы № 14/2026' })
  await expect(peek.getByText('Завершён')).toBeVisible()
  await expect(peek.getByText('1 / ')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(peek).toBeHidden()
  await expect(row).toBeFocused()
})
