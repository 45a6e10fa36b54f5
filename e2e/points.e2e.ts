import { addGroup, getMembers } from '@kelisim/domain/portal/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest } from './requests.ts'
import type { Page } from '@playwright/test'

async function chooseGroup(page: Page, typed: string, group: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Группа' }).fill(typed)
  await page.getByRole('option', { name: group }).click()
}

test('an internal point: every field, missing values are reported at once, and the draft survives a reload', async ({
  pageOf,
}) => {
  const name = `Согласование ${Date.now()}`
  const page = await pageOf(people.owner, { at: '/points/my' })
  await page.getByRole('link', { name: 'Новая точка' }).first().click()
  const create = page.getByRole('button', { name: 'Создать точку' })
  await create.click()
  await expect(page.getByText('Обязательное поле')).toHaveCount(2)
  await expect(page.getByLabel('Тип')).toBeFocused()

  await page.getByLabel('Тип').selectOption('Согласование')
  await page.getByLabel('Название').fill(name)
  await page.getByLabel('Описание').fill('Проверяют суммы')
  await create.click()
  await expect(page.getByText('Обязательное поле')).toHaveCount(1)
  await expect(page.getByRole('combobox', { name: 'Группа' })).toBeFocused()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByLabel('Название')).toHaveValue(name)

  await chooseGroup(page, 'бух', 'Бухгалтерия')
  await expect(page.getByText(/В группе 2 человека: Гүлнар Оспанова, Данияр Омаров/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Ответственные' }).click()
  await page.getByRole('option', { name: people.inTwo }).click()
  await page.getByRole('combobox', { name: 'Ответственные' }).press('Escape')
  await page.getByLabel('Нужны все').check()
  await page.getByLabel('Подтверждать электронной подписью').check()
  await create.click()
  await expect(page.getByText('Точка создана')).toBeVisible()

  const row = page.getByRole('row', { name })
  await expect(row).toContainText('Согласование')
  await expect(row).toContainText('Бухгалтерия')
  await row.getByRole('link', { name, exact: true }).click()
  await expect(page.getByLabel('Нужны все')).toBeChecked()
  await expect(page.getByLabel('Тип')).toBeDisabled()
  await page.getByLabel('Точка включена').uncheck()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Удалить' }).click()
  const question = page.getByRole('dialog', { name: 'Удалить точку?' })
  await question.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Точка удалена')).toBeVisible()
  await expect(row).toBeHidden()
})

test('a quorum of two of three: chosen in the form, counted on the page, and the third is told of the decision', async ({
  pageOf,
  callerOf,
}) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const page = await callerOf(people.owner)
  const organizationId = organizationOf(page)
  const { items } = await callFrom(page, getMembers, { organizationId, skip: 0, take: 100 })
  const three = [people.pointsAdministrator, people.routesAdministrator, people.inTwo]
  const participants = three.map((name) => items.find((member) => member.fullName === name)!.userId)
  const group = `Комиссия ${mark}`
  await callFrom(page, addGroup, { organizationId, name: group, participants })

  await page.goto(`/points/add?organizationId=${organizationId}`)
  await page.getByLabel('Тип').selectOption('Согласование')
  await page.getByLabel('Название').fill(`Двое из троих ${mark}`)
  await chooseGroup(page, mark, group)
  await page.getByRole('radio', { name: 'Не меньше нескольких' }).check()
  const number = page.getByLabel('Сколько человек нужно')
  await expect(number).toHaveValue('2')
  await number.fill('')
  await page.getByRole('button', { name: 'Создать точку' }).click()
  await expect(page.getByText('Укажите целое число от 2 до 100')).toBeVisible()
  await number.fill('4')
  await page.getByRole('button', { name: 'Создать точку' }).click()
  await expect(page.getByText('В группе меньше людей, чем должно ответить')).toBeVisible()
  await expectAccessible(page)
  await number.fill('2')
  await page.getByRole('button', { name: 'Создать точку' }).click()
  await expect(page.getByText('Точка создана')).toBeVisible()

  const { id, name } = await sendRequest(page, [
    { type: 'InternalApprove', name: 'Комиссия', group, quorum: 2 },
    { type: 'CompanyInternalSign', name: 'Директор', group: 'Руководство' },
  ])
  const approve = async (person: string) => {
    const member = await pageOf(person, { language: 'ru', at: `/signingRequests/incomings/${id}` })
    await expect(member.getByText('Здесь нужны ответы 2 из 3 участников.')).toBeVisible()
    await member.getByRole('button', { name: 'Согласовать', exact: true }).click()
    await member.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
    return member
  }
  const first = await approve(people.pointsAdministrator)
  const waiting = first.getByRole('list', { name: 'Сейчас ждём:' })
  await expect(waiting).toContainText(`${people.inTwo} или ${people.routesAdministrator}`)
  const second = await approve(people.routesAdministrator)
  await expect(second.getByRole('list', { name: 'Сейчас ждём:' })).toContainText('Руководство')
  const at = `/signingRequests/incomings?organizationId=${organizationId}`
  const third = await pageOf(people.inTwo, { language: 'ru', at })
  await third.getByRole('button', { name: /^Уведомления/ }).click()
  await expect(third.getByText(`По документу «${name}» ответило достаточно участников`)).toBeVisible()
})

test('an external point: the number with spaces, the name of its owner, warnings, and e-mails as chips', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner, { at: '/points/add' })
  await page.getByLabel('Тип').selectOption('Подписание контрагентом')
  const number = page.getByLabel('БИН/ИИН')
  await number.fill('260140020007')
  await expect(number).toHaveValue('260 140 020 007')
  await expect(page.getByText('Это номер вашей организации')).toBeVisible()
  await number.fill('240 540 017 349')
  await expect(page.getByText('контрольная цифра не сходится')).toBeVisible()
  await expect(page.getByText('впишите название сами', { exact: false })).toBeVisible()
  await number.fill(' 240 540-017 348 ')
  await expect(page.getByText('подтверждена на нашем сервисе')).toBeVisible()
  await expect(page.getByLabel('Название организации или имя')).toHaveValue('«Тұлпар Трейд» ЖШС')

  const name = `Тұлпар ${Date.now()}`
  await page.getByRole('textbox', { name: 'Название', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Создать точку' }).click()
  await expect(page.getByText('Почта не выбрана')).toBeVisible()
  const emails = page.getByRole('combobox', { name: 'Электронная почта' })
  await emails.fill('boss@example')
  await emails.press('Enter')
  await page.getByRole('button', { name: 'Создать точку' }).click()
  await expect(page.getByText('Это не адрес почты: boss@example')).toBeVisible()
  await emails.press('Backspace')
  await emails.fill('boss@tulpar.example')
  await emails.press('Enter')
  await emails.fill('office@tulpar.example')
  await emails.press('Enter')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Создать точку' }).click()
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('«Тұлпар Трейд» ЖШС')

  await page.goto('/points/external?sort=name')
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill(name)
  await expect(page).toHaveURL(/name=/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectAccessible(page)
})

test('the middle of a number is corrected without the caret jumping', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/points/add' })
  await page.getByLabel('Тип').selectOption('Подписание контрагентом')
  const number = page.getByLabel('БИН/ИИН')
  await number.pressSequentially('240999017348')
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowLeft')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Backspace')
  await page.keyboard.type('540')
  await expect(number).toHaveValue('240 540 017 348')
})

test('a point published by one organisation is found by another by its number', async ({ pageOf }) => {
  const name = `Қабылдау ${Date.now()}`
  const receiver = await pageOf(people.otherOwner, { at: '/points/add' })
  await receiver.getByLabel('Тип').selectOption('Точка контрагента')
  await receiver.getByRole('textbox', { name: 'Название', exact: true }).fill(name)
  await chooseGroup(receiver, 'сатып', 'Сатып алу бөлімі')
  await receiver.getByRole('button', { name: 'Создать точку' }).click()
  await expect(receiver.getByRole('heading', { name: 'Точки контрагентов' })).toBeVisible()
  await expect(receiver.getByRole('row', { name })).toContainText('Внешняя')

  const sender = await pageOf(people.owner, { at: '/points/counterParty' })
  await sender.getByRole('button', { name: 'Точки других организаций' }).click()
  const dialog = sender.getByRole('dialog', { name: 'Точки другой организации' })
  await dialog.getByLabel('БИН/ИИН организации').fill('240540017348')
  await expect(dialog.getByText(name)).toBeVisible()
  await expectAccessible(sender)
  await dialog.getByLabel('БИН/ИИН организации').fill('260140020007')
  await expect(dialog.getByText('Это ваша организация')).toBeVisible()
})

test('people see only their personal points, those of the organisation, and no form without the right to it', async ({
  pageOf,
  callerOf,
}) => {
  const owner = await callerOf(people.owner)
  // searched by name: other journeys make points of their own
  const named = (path: string, name: string) => `/points/${path}?name=${encodeURIComponent(name)}`
  await owner.goto(named('organization', 'Моя подпись'))
  await expect(owner.getByRole('row', { name: 'Моя подпись' })).toContainText('Только я')
  const other = await pageOf(people.routesAdministrator, { at: named('internal', 'подпись') })
  await expect(other.getByRole('row', { name: 'Подпись директора' })).toBeVisible()
  await expect(other.getByRole('row', { name: 'Моя подпись' })).toBeHidden()
  await other.goto('/points/organization')
  await expect(other.getByRole('heading', { name: 'Недостаточно прав' })).toBeVisible()
  await other.goto(named('public', 'Подпись директора'))
  await other.getByRole('link', { name: 'Подпись директора' }).click()
  await expect(other.getByRole('textbox', { name: 'Название', exact: true })).toHaveValue('Подпись директора')
  await expect(other.getByRole('button', { name: 'Удалить' })).toBeHidden()
})

test('a point is created on a phone and by keyboard alone', async ({ pageOf }) => {
  const name = `Телефон ${Date.now()}`
  const page = await pageOf(people.owner, { width: 375, at: '/points/add' })
  await page.getByLabel('Тип').focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('combobox', { name: 'Группа' })).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.type(name)
  await page.getByRole('combobox', { name: 'Группа' }).focus()
  await page.keyboard.type('юр')
  await expect(page.getByRole('option', { name: 'Юристы' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/В группе 2 человека/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Создать точку' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Мои точки' })).toBeVisible()
  const row = page.getByRole('link', { name, exact: true })
  await row.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Название', exact: true })).toHaveValue(name)
  await expectNoOverflow(page)
})
