/** Whose key binds an organisation: an employee's key is not enough until the head gives them a power of attorney. */
import { getPowers, revokePower } from '@kelisim/domain/powers-of-attorney/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest, signingDialog, signOnPage } from './requests.ts'

const headsKey = /СЕРІКОВА АЙГЕРІМ.*Алтын Дала/s
const employeesKey = /ОМАРОВ ДАНИЯР.*Алтын Дала/s

test('an employee is appointed, is told that their key is not enough, gets a power of attorney and signs', async ({
  pageOf,
  callerOf,
  baseURL,
}) => {
  test.setTimeout(240_000)
  const partner = await callerOf(people.otherOwner, { language: 'ru' })
  const contract = await sendRequest(partner, [
    { type: 'ExternalSign', name: 'Покупатель', bin: '260140020007', organizationName: 'ТОО «Алтын Дала»' },
  ])

  const owner = await callerOf(people.owner)
  const organizationId = organizationOf(owner)
  // Revokes powers that an interrupted journey has left.
  const { items } = await callFrom(owner, getPowers, { organizationId, skip: 0, take: 100 })
  for (const { id } of items) await callFrom(owner, revokePower, { organizationId, powerId: id })
  const power = await sendRequest(
    owner,
    [{ type: 'CompanyInternalSign', name: 'Директор', group: 'Руководство' }],
    { name: `Доверенность ${crypto.randomUUID().slice(0, 8)}` },
  )
  await owner.goto(power.address)
  await signOnPage(owner, 'Подписать ЭЦП', headsKey, baseURL)
  await expect(signingDialog(owner).getByText('Документ подписан, подпись проверена.')).toBeVisible()

  // The owner appoints him for incoming documents: he sees the contract, but his key does not bind the organisation.
  await owner.goto(`/portal/${organizationId}/members`)
  await owner.getByRole('button', { name: `Изменить роли: ${people.inTwo}` }).click()
  await owner.getByRole('switch', { name: 'Работает с входящими организации' }).check()
  await owner.getByRole('button', { name: 'Сохранить' }).click()
  await expect(owner.getByRole('row', { name: people.inTwo })).toContainText('Входящие')

  const employee = await pageOf(people.inTwo)
  await employee.goto(`/signingRequests/incomings/${contract.id}?organizationId=${organizationId}`)
  await expect(
    employee.getByText('Нужен ключ руководителя или сотрудника с правом подписи, БИН 260 140 020 007.'),
  ).toBeVisible()
  await expectAccessible(employee)
  await signOnPage(employee, 'Подписать ЭЦП', employeesKey, baseURL)
  const refusal = signingDialog(employee).getByRole('alert')
  await expect(refusal).toContainText('DS-708')
  await expect(refusal).toContainText('ключ руководителя или сотрудника с правом подписи')
  await expect(refusal).toContainText('ключ сотрудника без права подписи')
  await expectAccessible(employee)
  await signingDialog(employee).getByRole('button', { name: 'Закрыть', exact: true }).last().click()

  // The head's power of attorney is registered with the document that she signed.
  await owner.getByRole('link', { name: 'Доверенности' }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Доверенности' })).toBeVisible()
  await owner.getByRole('button', { name: 'Зарегистрировать' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Зарегистрировать' }).click()
  await expect(dialog.getByText('Обязательное поле').first()).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Подписанная доверенность' }).fill(power.name)
  await owner.getByRole('option', { name: new RegExp(power.name) }).click()
  await dialog.getByLabel('Номер доверенности').fill('7/2026')
  await dialog.getByLabel('Кому выдана').fill('Омаров Данияр Маратұлы')
  await dialog.getByRole('textbox', { name: /^ИИН/ }).fill('901108300543')
  await dialog.getByRole('radio', { name: 'Входящие' }).check()
  await dialog.getByLabel('Действует по').fill('31.12.2099')
  // A number that was typed but not confirmed limits the power all the same.
  await dialog.getByLabel('Только с этими контрагентами').pressSequentially('240540017348')
  await expectAccessible(owner)
  await dialog.getByRole('button', { name: 'Зарегистрировать' }).click()
  const row = owner.getByRole('row', { name: 'Омаров Данияр Маратұлы' }).first()
  await expect(row).toContainText('Действует')
  await expect(row).toContainText(/Только с: 240.540.017.348/)
  await expect(row).toContainText(/Подпись: Серікова Айгерім Нұрланқызы, \d\d\.\d\d\.\d{4},? \d\d:\d\d/)
  await expect(row).toContainText('Текст программа не читала')
  await expectAccessible(owner)

  await employee.reload()
  await expect(employee.getByText('У вас есть доверенность на такой документ')).toBeVisible()
  await signOnPage(employee, 'Подписать ЭЦП', employeesKey, baseURL)
  await expect(signingDialog(employee).getByText('Документ подписан, подпись проверена.')).toBeVisible()
  await signingDialog(employee).getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  await expect(employee.getByRole('list', { name: 'История' })).toContainText('По доверенности № 7/2026')

  await partner.goto(contract.address)
  await expect(partner.getByRole('heading', { name: 'Завершён' })).toBeVisible()
  await partner.getByRole('button', { name: /^Подпись: Омаров Данияр/ }).click()
  await expect(partner.getByRole('definition').filter({ hasText: '№ 7/2026, действует с' })).toBeVisible()

  await owner.getByRole('button', { name: 'Отозвать доверенность № 7/2026' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Отозвать' }).click()
  await expect(row).toContainText('Отозвана')
})
