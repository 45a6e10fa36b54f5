/** A dialog that is open while others act says what they did, offers only what is still possible, and keeps what was typed. */
import type { Page } from '@playwright/test'
import { actAtPoint, getRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import {
  callFrom,
  organizationOf,
  sendRequest,
  signingDialog,
  signOnPage,
  type Sent,
  type StepPoint,
} from './requests.ts'

// There is one signing program per computer, so people take turns.
test.describe.configure({ mode: 'default', timeout: 120_000 })

const lawyers: StepPoint = { type: 'InternalApprove', name: 'Юристы', group: 'Юристы' }
const accountants: StepPoint = { type: 'InternalApprove', name: 'Бухгалтерия', group: 'Бухгалтерия' }
const heads: StepPoint = { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство' }
const headsKey = /СЕРІКОВА АЙГЕРІМ.*Алтын Дала/s

/** Acts by the call that the other person's page would make. */
async function actFrom(page: Page, { id, address }: Sent, action: 'approve' | 'reject', comment: string) {
  const organizationId = new URLSearchParams(address.split('?')[1]).get('organizationId')!
  const key = { organizationId, signingRequestId: id }
  const { acts, points } = await callFrom(page, getRequest, key)
  const { pointId } = acts.find(({ act }) => act === action)!
  const { type } = points.find((point) => point.pointId === pointId)!
  await callFrom(page, actAtPoint, {
    ...key,
    action,
    comment,
    pointId: pointId!,
    pointTypeName: typeOf(type)!,
  })
}

test('others approve and withdraw while a reason to reject is typed', async ({ pageOf, callerOf }) => {
  const author = await callerOf(people.owner)
  const sent = await sendRequest(author, [[lawyers, accountants], heads])
  const at = `/signingRequests/incomings/${sent.id}`
  const lawyer = await pageOf(people.routesAdministrator, { language: 'ru', at })
  await lawyer.getByRole('button', { name: 'Отклонить' }).click()
  const dialog = lawyer.getByRole('dialog', { name: 'Отклонить документ?' })
  await dialog.getByLabel('Причина').fill('Нет приложения № 1')

  const accountant = await pageOf(people.inTwo, { at })
  await actFrom(accountant, sent, 'approve', 'Сумма верна')
  await expect(dialog.getByRole('alert')).toContainText('Пока окно открыто, документ изменился')
  await expect(dialog.getByRole('alert')).toContainText('Согласовано: Данияр Омаров, «Сумма верна»')
  await expect(dialog.getByRole('button', { name: 'Отклонить' })).toBeEnabled()
  await expectAccessible(lawyer)

  await callFrom(author, revokeRequest, {
    organizationId: organizationOf(author),
    signingRequestId: sent.id,
    comment: 'Не тот файл',
  })
  await expect(dialog.getByRole('alert')).toContainText('Это действие больше невозможно')
  await expect(dialog.getByRole('alert')).toContainText(/Документ отозван: Айгерім.*, «Не тот файл»/)
  await expect(dialog.getByLabel('Причина')).toHaveValue('Нет приложения № 1')
  await expect(dialog.getByRole('button', { name: 'Отклонить' })).toBeHidden()
  await expectAccessible(lawyer)
  await dialog.getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  await expect(dialog).toBeHidden()
  await expect(lawyer.getByRole('heading', { level: 2, name: 'Отозван' })).toBeVisible()
})

test('a step is rejected while its author withdraws', async ({ pageOf, callerOf }) => {
  const author = await callerOf(people.owner)
  const sent = await sendRequest(author, [lawyers, heads])
  await author.goto(sent.address)
  await author.getByRole('button', { name: 'Ещё действия' }).click()
  await author.getByRole('menuitem', { name: 'Отозвать' }).click()
  const dialog = author.getByRole('dialog', { name: 'Отозвать документ?' })
  await dialog.getByLabel('Причина').fill('Передумали')
  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${sent.id}`,
  })
  await actFrom(lawyer, sent, 'reject', 'Нет подписи')
  await expect(dialog.getByRole('alert')).toContainText(/Отклонено: .*, «Нет подписи»/)
  await expect(dialog.getByLabel('Причина')).toHaveValue('Передумали')
  await expect(dialog.getByRole('button', { name: 'Отозвать' })).toBeHidden()
})

test('a colleague approves for the group while one approves', async ({ pageOf, callerOf }) => {
  const author = await callerOf(people.owner)
  const sent = await sendRequest(author, [accountants, heads])
  const at = `/signingRequests/incomings/${sent.id}`
  const one = await pageOf(people.pointsAdministrator, { language: 'ru', at })
  await one.getByRole('button', { name: 'Согласовать', exact: true }).click()
  const dialog = one.getByRole('dialog', { name: 'Согласовать документ' })
  await dialog.getByLabel('Комментарий').fill('Проверено')
  const other = await pageOf(people.inTwo, { at })
  await actFrom(other, sent, 'approve', '')
  await expect(dialog.getByRole('alert')).toContainText('Согласовано: Данияр Омаров')
  await expect(dialog.getByLabel('Комментарий')).toHaveValue('Проверено')
  await expect(dialog.getByRole('button', { name: 'Согласовать' })).toBeHidden()
})

test('a document is withdrawn while somebody is about to sign, and terminated while somebody is about to terminate', async ({
  pageOf,
  callerOf,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const withdrawn = await sendRequest(author, [heads])
  await author.goto(withdrawn.address)
  await author.getByRole('button', { name: 'Подписать ЭЦП' }).click()
  const signing = signingDialog(author)
  await expect(signing.getByRole('button', { name: 'Выбрать ключ и подписать' })).toBeVisible()
  const again = await pageOf(people.owner, { at: withdrawn.address })
  const organizationId = organizationOf(author)
  await callFrom(again, revokeRequest, {
    organizationId,
    signingRequestId: withdrawn.id,
    comment: 'Не тот файл',
  })
  await expect(signing.getByRole('alert')).toContainText(/Документ отозван: Айгерім.*, «Не тот файл»/)
  await expect(signing.getByRole('button', { name: 'Выбрать ключ и подписать' })).toBeHidden()

  const signed = await sendRequest(author, [heads])
  await author.goto(signed.address)
  await signOnPage(author, 'Подписать ЭЦП', headsKey, baseURL)
  await signing.getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  // The items of the menu depend on the status.
  await expect(author.getByRole('heading', { name: 'Завершён' })).toBeVisible()
  await author.getByRole('button', { name: 'Ещё действия' }).click()
  await author.getByRole('menuitem', { name: 'Расторгнуть' }).click()
  const dialog = author.getByRole('dialog', { name: 'Расторгнуть документ?' })
  await dialog.getByLabel('Причина').fill('По соглашению сторон')
  await callFrom(again, terminateRequest, {
    organizationId,
    signingRequestId: signed.id,
    comment: 'Поставка отменена',
  })
  await expect(dialog.getByRole('alert')).toContainText(/Начато расторжение: Айгерім.*, «Поставка отменена»/)
  await expect(dialog.getByLabel('Причина')).toHaveValue('По соглашению сторон')
  await expect(dialog.getByRole('button', { name: 'Расторгнуть' })).toBeHidden()
})
