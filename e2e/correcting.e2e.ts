/** A running request is corrected: by another document, about which everybody is asked again, or by other steps ahead. */
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { addPoint } from '@kelisim/domain/points/contract.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest } from './requests.ts'

test('the author replaces the document, and somebody who had approved it reads why and approves again', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address, id, name } = await sendRequest(author, [
    { type: 'InternalApprove', name: 'Юристы', group: 'Юристы' },
    { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство' },
  ])
  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })
  const approve = async () => {
    await lawyer.getByRole('button', { name: 'Согласовать', exact: true }).click()
    await lawyer.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
    await expect(lawyer.getByRole('button', { name: 'Согласовать', exact: true })).toHaveCount(0)
  }
  await approve()
  await expect(lawyer.getByRole('button', { name: 'Исправить и продолжить' })).toHaveCount(0)

  await author.goto(address)
  await author.getByRole('button', { name: 'Исправить и продолжить' }).click()
  const dialog = author.getByRole('dialog', { name: 'Исправить и продолжить' })
  await expect(dialog.getByText(/Будут спрошены снова: .*Прежние ответы/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Исправить и продолжить' })).toBeDisabled()
  const buffer = makePdf(['SUPPLY AGREEMENT', 'Price: 500'])
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Исправленный.pdf', mimeType: 'application/pdf', buffer })
  await expect(dialog.getByText('Исправленный.pdf')).toBeVisible()
  await expectAccessible(author)
  await dialog.getByLabel('Что изменено').fill('Цена в пункте 2')
  await dialog.getByRole('button', { name: 'Исправить и продолжить' }).click()
  await expect(author.getByText('Документ исправлен, маршрут начат сначала')).toBeVisible()
  await expect(author.getByText('Исправленный.pdf').first()).toBeVisible()
  const arriving = author.waitForEvent('download')
  await author.getByRole('button', { name: 'Скачать: Версия 1' }).click()
  expect((await arriving).suggestedFilename()).toBe(`${name}.pdf`)

  await expect(lawyer.getByText('Цена в пункте 2').first()).toBeVisible()
  await expectAccessible(lawyer)
  await lawyer.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(lawyer)
  await lawyer.setViewportSize({ width: 1440, height: 900 })
  await lawyer.getByRole('link', { name: 'Сравнить с прежним' }).click()
  await expect(lawyer.getByRole('insertion').filter({ hasText: '500' })).toBeVisible()
  await lawyer.goBack()
  await approve()
})

test('the author changes the steps ahead after reading the consequences, and finished steps stay', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address, id } = await sendRequest(author, [
    { type: 'InternalApprove', name: 'Юристы', group: 'Юристы' },
    { type: 'InternalApprove', name: 'Бухгалтерия', group: 'Бухгалтерия' },
    { type: 'CompanyInternalSign', name: 'Директор', group: 'Руководство' },
  ])
  const organizationId = organizationOf(author)
  const { items } = await callFrom(author, getGroups, { organizationId, skip: 0, take: 100 })
  const board = `Правление ${id.slice(-8)}`
  await callFrom(author, addPoint, {
    organizationId,
    name: board,
    description: '',
    visibilityScope: 1,
    type: pointTypes.of('InternalApprove'),
    groupId: items.find(({ name }) => name === 'Руководство')!.id,
    responsiblePersons: [],
    agreementCondition: 'any',
    quorum: null,
    signatureForm: 'cms',
    isEdsPresentationRequired: false,
    bin: null,
    organizationName: '',
    emails: [],
  })
  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })

  await author.goto(address)
  await author.getByRole('button', { name: 'Исправить и продолжить' }).click()
  const dialog = author.getByRole('dialog', { name: 'Исправить и продолжить' })
  await dialog.getByText('Шаги впереди', { exact: true }).click()
  await expect(dialog.getByText('Шаги пока те же.')).toBeVisible()
  await dialog.getByRole('button', { name: /^Убрать.*Бухгалтерия/ }).click()
  await dialog.getByRole('combobox').last().fill(board)
  await dialog.getByRole('option', { name: `${board} Согласование` }).click()
  await expect(dialog.getByText(`Добавятся: ${board}. Мы сообщим им`)).toBeVisible()
  await expect(dialog.getByText(/Уберутся: Бухгалтерия/)).toBeVisible()
  await expect(dialog.getByText(/Больше не увидят заявку/)).toBeVisible()
  await expectAccessible(author)
  await dialog.getByLabel('Почему меняются шаги').fill('Решает правление')
  await dialog.getByRole('button', { name: 'Изменить шаги' }).click()
  await expect(author.getByText('Шаги впереди изменены').first()).toBeVisible()
  const history = author.getByRole('list', { name: 'История' })
  await expect(history.getByText(new RegExp(`Стало: .*Директор.* → ${board}`))).toBeVisible()
  await expect(history.getByText('Решает правление')).toBeVisible()

  await expect(lawyer.getByText(/^Стало: /)).toBeVisible()
  await lawyer.getByRole('button', { name: 'Согласовать', exact: true }).click()
  await lawyer.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
  await expect(lawyer.getByRole('button', { name: 'Согласовать', exact: true })).toHaveCount(0)
})
