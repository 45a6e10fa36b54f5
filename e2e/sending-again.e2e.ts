/** A request that was rejected or withdrawn is corrected and sent again. */
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest, uploadHere } from './requests.ts'
import { unique } from './route-editor.ts'

test('after a rejection the author corrects the document and sends it again; both requests link to each other', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address, id, name } = await sendRequest(
    author,
    [
      { type: 'InternalApprove', name: 'Юристы', group: 'Юристы' },
      { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство' },
    ],
    { description: 'На 2027 год', isTimestampRequired: true },
  )
  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })
  await lawyer.getByRole('button', { name: 'Отклонить', exact: true }).click()
  const rejecting = lawyer.getByRole('dialog')
  await rejecting.getByLabel(/Причина|Комментарий/).fill('В пункте 2 нет суммы')
  await rejecting.getByRole('button', { name: 'Отклонить' }).click()
  await expect(lawyer.getByText('В пункте 2 нет суммы').first()).toBeVisible()
  // Only the author can send the request again.
  await expect(lawyer.getByRole('link', { name: 'Исправить и отправить заново' })).toHaveCount(0)

  await author.goto(address)
  await author.getByRole('link', { name: 'Исправить и отправить заново' }).click()
  await expect(author.getByRole('heading', { level: 1, name: 'Исправить и отправить заново' })).toBeVisible()
  await expect(author.getByText('Вместо отклонённого')).toBeVisible()
  await expect(author.getByText('В пункте 2 нет суммы')).toBeVisible()
  await expect(author.getByLabel('Название')).toHaveValue(name)
  await expect(author.getByLabel('Описание')).toHaveValue('На 2027 год')
  await expect(author.getByLabel('Требовать метку времени')).toBeChecked()
  await expect(author.getByText(`${name}.pdf`)).toBeVisible()
  await expect(author.getByText('Всё готово к отправке')).toBeVisible()
  await expectAccessible(author)

  await author.getByRole('button', { name: 'Другой документ' }).click()
  const corrected = unique('Исправленный договор')
  await uploadHere(author, `${corrected}.pdf`)
  await expect(author.getByText(`${corrected}.pdf`)).toBeVisible()
  await expect(author.getByText('Всё готово к отправке')).toBeVisible()
  await author.getByRole('button', { name: 'Отправить', exact: true }).click()

  await expect(author).not.toHaveURL(new RegExp(`add|${id}`))
  await expect(author.getByText('Вместо отклонённого')).toBeVisible()
  await author.getByRole('link', { name, exact: true }).click()
  await expect(author).toHaveURL(new RegExp(id))
  await expect(author.getByText('Отправлен заново')).toBeVisible()
  await expect(author.getByRole('link', { name: 'Исправить и отправить заново' })).toHaveCount(0)
  await expectAccessible(author)
})

test('a quick send that was withdrawn keeps its recipient, on a phone too', async ({ pageOf }) => {
  const name = unique('Счёт')
  const page = await pageOf(people.owner, { width: 375, at: '/signingRequests/addQuick' })
  await uploadHere(page, `${name}.pdf`)
  await expect(page.getByRole('textbox', { name: 'Название', exact: true })).toHaveValue(name)
  await page.getByLabel('БИН/ИИН').fill('240540017348')
  await expect(page.getByLabel('Название организации или имя')).toHaveValue('«Тұлпар Трейд» ЖШС')
  await page.getByRole('combobox', { name: 'Электронная почта' }).fill('again@tulpar-trade.example')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page).toHaveURL(/outgoings\/[0-9a-f-]{36}/)
  const signingRequestId = /outgoings\/([0-9a-f-]{36})/.exec(page.url())![1]!
  await callFrom(page, revokeRequest, {
    organizationId: organizationOf(page),
    signingRequestId,
    comment: 'Не та сумма',
  })
  await page.reload()
  await page.getByRole('link', { name: 'Исправить и отправить заново' }).click()
  await expect(page.getByText('Вместо отозванного')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Ваша группа' })).toHaveValue('Руководство')
  await expect(page.getByLabel('БИН/ИИН')).toHaveValue('240 540 017 348')
  await expect(page.getByText('again@tulpar-trade.example')).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page.getByText('Вместо отозванного')).toBeVisible()
  await expect(page).toHaveURL(/outgoings\/[0-9a-f-]{36}/)
})

test('changes made after the response of sending again was lost are sent as one more request', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const organizationId = organizationOf(page)
  const { id, name } = await sendRequest(page, [{ type: 'InternalApprove', name: 'Юристы', group: 'Юристы' }])
  await callFrom(page, revokeRequest, { organizationId, signingRequestId: id, comment: 'Не та сумма' })
  const calls = /\/api\/SigningRequests\/[0-9a-f-]{36}$/
  await page.route(calls, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    return route.abort()
  })
  await page.goto(`/signingRequests/add?follows=${id}`)
  await expect(page.getByLabel('Название')).toHaveValue(name)
  await expect(page.getByText('Всё готово к отправке')).toBeVisible()
  const send = page.getByRole('button', { name: 'Отправить', exact: true })
  const close = page
    .getByRole('dialog')
    .getByRole('button', { name: /Понятно|Закрыть/ })
    .last()
  await send.click()
  await close.click()
  await page.unroute(calls)

  const corrected = unique('Исправленный договор')
  await page.getByLabel('Название').fill(corrected)
  await send.click()
  await expect(page.getByRole('dialog')).toContainText('уже отправлен')
  await close.click()
  await send.click()
  await expect(page.getByRole('heading', { level: 1, name: corrected })).toBeVisible()
  await expect(page.getByText('Вместо отозванного')).toHaveCount(0)
})
