/** Both sides talk about a place in the document; the internal comments of one side do not exist for the other. */
import type { Page } from '@playwright/test'
import { getThreads } from '@kelisim/domain/comments/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest } from './requests.ts'

/** The innermost section with that heading. */
function commentsOf(page: Page) {
  const heading = page.getByRole('heading', { name: /^Комментарии/ })
  return page.locator('section').filter({ has: heading }).last()
}

test('a question about words of the document is answered by the other side and marked as settled', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address, id } = await sendRequest(author, [
    { type: 'ExternalSign', name: 'Покупатель', bin: '240540017348', organizationName: '«Тұлпар Трейд» ЖШС' },
  ])
  await author.goto(address)
  const card = commentsOf(author)
  const form = card.getByRole('form', { name: 'Новый комментарий' })

  // For own people only, which is the default.
  await author.getByText('2. Price').selectText()
  await author.getByRole('button', { name: 'Комментировать', exact: true }).click()
  await expect(form.getByText('2. Price')).toBeVisible()
  await expect(form.getByRole('radio', { name: 'Только свои' })).toBeChecked()
  await expect(form.getByText('Место отмечено на странице 1')).toBeVisible()
  await form.getByLabel('Комментарий').fill('Дешевле не отдадим')
  await expectAccessible(author)
  await form.getByRole('button', { name: 'Отправить своим' }).click()
  await expect(card.getByRole('listitem').filter({ hasText: 'Дешевле не отдадим' }).first()).toBeVisible()

  // For everybody, by the keyboard and without a place.
  await card.getByRole('button', { name: 'Написать комментарий' }).focus()
  await author.keyboard.press('Enter')
  await form.getByLabel('Комментарий').fill('Подходит ли вам цена?')
  await form.getByRole('radio', { name: 'Все стороны' }).check()
  await form.getByRole('button', { name: 'Отправить всем сторонам' }).click()
  await expect(card.getByRole('heading', { name: 'Комментарии: 2 открытых' })).toBeVisible()
  await author.getByRole('button', { name: /^Комментарий для своих/ }).click()

  const buyer = await pageOf(people.otherOwner, { language: 'ru', at: `/signingRequests/incomings/${id}` })
  const theirs = commentsOf(buyer)
  await expect(theirs.getByText('Подходит ли вам цена?')).toBeVisible()
  await expect(buyer.getByText('Дешевле не отдадим')).toHaveCount(0)
  const seen = { organizationId: organizationOf(buyer), signingRequestId: id, skip: 0, take: 10 }
  expect((await callFrom(buyer, getThreads, seen)).totalCount).toBe(1)
  await theirs.getByRole('button', { name: 'Ответить' }).click()
  await theirs.getByRole('textbox', { name: 'Ответить' }).fill('Да, подходит')
  await theirs.getByRole('button', { name: 'Отправить всем сторонам' }).click()
  await expect(theirs.getByText('Да, подходит')).toBeVisible()

  // The open page of the author follows by itself.
  const thread = card.getByRole('listitem').filter({ hasText: 'Подходит ли вам цена?' }).first()
  await expect(thread.getByText('Да, подходит')).toBeVisible()
  await thread.getByRole('button', { name: 'Решено' }).click()
  await expect(card.getByRole('heading', { name: 'Комментарии: 1 открытый' })).toBeVisible()

  // On a phone the comments are a sheet over the document.
  await author.setViewportSize({ width: 375, height: 800 })
  await author.getByText('Документ', { exact: true }).first().click()
  await author.getByRole('button', { name: /^Комментарий для своих/ }).click()
  const sheet = author.getByRole('dialog', { name: /^Комментарии/ })
  await expect(sheet.getByText('Дешевле не отдадим')).toBeVisible()
  await expectNoOverflow(author)
  await expectAccessible(author)
})
