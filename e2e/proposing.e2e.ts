/** The other side returns a document with a proposed file; the author compares it and accepts it, as a correction. */
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { sendRequest } from './requests.ts'

test('a counterparty proposes another file instead of rejecting; the author declines one and takes the next', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address, id } = await sendRequest(
    author,
    [
      {
        type: 'ExternalSign',
        name: 'Покупатель',
        bin: '240540017348',
        organizationName: '«Тұлпар Трейд» ЖШС',
      },
    ],
    { file: makePdf(['SUPPLY AGREEMENT', 'Price: 700']) },
  )
  const buyer = await pageOf(people.otherOwner, { language: 'ru', at: `/signingRequests/incomings/${id}` })
  const propose = async (name: string, price: number, note: string) => {
    await buyer.getByRole('button', { name: 'Вернуть с предложением' }).click()
    const dialog = buyer.getByRole('dialog', { name: 'Вернуть с предложением' })
    const buffer = makePdf(['SUPPLY AGREEMENT', `Price: ${price}`])
    await dialog.locator('input[type="file"]').setInputFiles({ name, mimeType: 'application/pdf', buffer })
    await dialog.getByLabel('Что изменено').fill(note)
    await expectAccessible(buyer)
    await dialog.getByRole('button', { name: 'Вернуть с предложением' }).click()
    await expect(
      buyer.getByRole('group', { name: 'Предложенный файл ждёт ответа отправителя' }),
    ).toBeVisible()
  }
  await propose('Первая редакция.pdf', 500, 'Скидка')
  await expect(buyer.getByRole('button', { name: 'Подписать ЭЦП' })).toBeVisible()
  await expect(buyer.getByRole('button', { name: 'Вернуть с предложением' })).toHaveCount(0)

  await author.goto(address)
  const asked = author.getByRole('group', { name: 'Вам предложили другой файл' })
  await expect(asked.getByText('Первая редакция.pdf')).toBeVisible()
  await asked.getByRole('button', { name: 'Отклонить предложение' }).click()
  const declining = author.getByRole('dialog', { name: 'Отклонить предложение' })
  await declining.getByLabel('Почему').fill('Скидка слишком велика')
  await declining.getByRole('button', { name: 'Отклонить предложение' }).click()
  await expect(asked).toHaveCount(0)

  await expect(buyer.getByRole('group', { name: /Предложенный файл/ })).toHaveCount(0)
  await propose('Вторая редакция.pdf', 650, 'Скидка поменьше')
  await expect(asked.getByText('Скидка поменьше')).toBeVisible()
  await expectAccessible(author)
  await author.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(author)
  await author.setViewportSize({ width: 1440, height: 900 })
  await asked.getByRole('link', { name: 'Сравнить с документом' }).click()
  await expect(author.getByRole('insertion').filter({ hasText: '650' })).toBeVisible()
  await author.goBack()
  await asked.getByRole('button', { name: 'Принять' }).click()
  const correcting = author.getByRole('dialog', { name: 'Исправить и продолжить' })
  await expect(correcting.getByText('Вторая редакция.pdf')).toBeVisible()
  await correcting.getByLabel('Что изменено').fill('Приняли вашу цену')
  await correcting.getByRole('button', { name: 'Исправить и продолжить' }).click()
  await expect(author.getByText('Документ исправлен, маршрут начат сначала')).toBeVisible()
  await expect(asked).toHaveCount(0)
  await expect(buyer.getByText('Приняли вашу цену').first()).toBeVisible()
})
