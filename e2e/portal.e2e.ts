import { expectAccessible } from './accessible.ts'
import { altynDala, expect, expectNoOverflow, people, test, tulparTrade } from './fixtures.ts'
import { addGroup, getMembers } from '@kelisim/domain/portal/contract.ts'
import type { Page } from '@playwright/test'
import { callFrom, organizationOf, sendRequest } from './requests.ts'

async function openPortal(page: Page, section: string): Promise<void> {
  const organizationId = new URL(page.url()).searchParams.get('organizationId')!
  await page.goto(`/portal/${organizationId}/${section}`)
}

test('an owner changes the card of the organisation; leaving it unsaved asks first, and the way back is kept', async ({
  pageOf,
}) => {
  const page = await pageOf(people.otherOwner, { at: '/documents/my' })
  await page.getByRole('button', { name: 'Системы' }).click()
  await page.getByRole('menuitem', { name: 'Административный портал' }).click()
  await expect(page.getByRole('heading', { name: 'Карточка организации' })).toBeVisible()
  await expect(page.getByText('240 540 017 348').last()).toBeVisible()

  const address = page.getByLabel('Адрес')
  await address.fill(`Алматы қ., Абай даңғылы, ${Date.now()}`)
  await page.getByRole('link', { name: 'Сотрудники' }).click()
  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?' })
  await question.getByRole('button', { name: 'Отмена' }).click()

  // The name of a confirmed organisation is the one in its certificate.
  await expect(page.getByText(tulparTrade).last()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Краткое название' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Обновить по новому ключу' })).toBeVisible()
  await page.getByLabel('Электронная почта').fill('не почта')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByLabel('Электронная почта')).toBeFocused()
  await page.getByLabel('Электронная почта').fill('office@tulpar.example')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Сохранить' })).toBeDisabled()

  await page.getByRole('link', { name: 'Мои группы' }).click()
  await expect(page.getByRole('heading', { name: 'Мои группы' })).toBeVisible()
  await page.getByRole('link', { name: 'Вернуться к документам' }).click()
  await expect(page).toHaveURL(/\/documents\/my/)
})

test('an owner invites somebody; the invitation is listed, sent again with another link, and withdrawn', async ({
  callerOf,
  linkInEmail,
  stranger,
}) => {
  const email = `invited-${Date.now()}@example.kz`
  const page = await callerOf(people.owner)
  await openPortal(page, 'members')
  await page.getByRole('button', { name: 'Пригласить' }).click()
  const dialog = page.getByRole('dialog', { name: 'Пригласить сотрудника' })
  await dialog.getByLabel('Электронная почта').fill('gulnar@altyn-dala.example')
  await dialog.getByRole('button', { name: 'Отправить приглашение' }).click()
  await expect(dialog.getByText('Этот человек уже в организации')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Электронная почта').fill(email)
  await dialog.getByLabel('Администратор точек').check()
  await dialog.getByRole('button', { name: 'Отправить приглашение' }).click()

  await expect(page.getByText(`Приглашение отправлено на ${email}`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Приглашения' })).toBeVisible()
  const row = page.getByRole('row', { name: email })
  await expect(row).toContainText('Администратор точек')
  const first = await linkInEmail(email, /Алтын Дала/)

  await row.getByRole('button', { name: `Отправить ещё раз: ${email}` }).click()
  await expect(page.getByText('Прежняя ссылка больше не действует')).toBeVisible()
  const guest = await stranger()
  await guest.goto(first)
  await expect(guest.getByText('Приглашение не найдено')).toBeVisible()

  await row.getByRole('button', { name: `Отозвать: ${email}` }).click()
  await page
    .getByRole('dialog', { name: 'Отозвать приглашение?' })
    .getByRole('button', { name: 'Отозвать' })
    .click()
  await expect(page.getByText('Приглашение отозвано')).toBeVisible()
  await expect(row).toBeHidden()
})

test('the last owner cannot give up the role or leave, and is told why in plain words', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  await openPortal(page, 'members')
  const change = page.getByRole('button', { name: `Изменить роли: ${people.owner}` })
  await change.click()
  const dialog = page.getByRole('dialog', { name: `Роли: ${people.owner}` })
  await expect(dialog.getByLabel('Сотрудник', { exact: true })).toBeDisabled()
  await dialog.getByLabel('Владелец').uncheck()
  await dialog.getByRole('button', { name: 'Сохранить' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'В организации должен остаться хотя бы один владелец. Сначала назначьте другого',
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(change).toBeFocused()

  await page.getByRole('button', { name: 'Выйти из организации' }).click()
  const question = page.getByRole('dialog', { name: 'Выйти из организации?' })
  await question.getByRole('button', { name: /^(Выйти|Всё равно выйти)$/ }).click()
  await expect(page.getByRole('dialog', { name: 'Вы единственный владелец' })).toBeVisible()
})

test('an owner creates a group of people found by typing; a taken name is reported at the field', async ({
  pageOf,
  callerOf,
}) => {
  const name = `Кадры ${Date.now()}`
  const page = await callerOf(people.owner)
  await openPortal(page, 'groups')
  await page.getByRole('button', { name: 'Новая группа' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новая группа' })
  await dialog.getByLabel('Название').fill('Бухгалтерия')
  await dialog.getByRole('combobox', { name: 'Участники' }).fill('данияр')
  await page.getByRole('option', { name: people.inTwo }).click()
  await dialog.getByRole('combobox', { name: 'Участники' }).press('Escape')
  await dialog.getByRole('button', { name: 'Добавить' }).click()
  await expect(dialog.getByText('Группа с таким названием уже есть')).toBeVisible()
  await expect(dialog.getByLabel('Название')).toBeFocused()
  await dialog.getByLabel('Название').fill(name)
  await dialog.getByRole('button', { name: 'Добавить' }).click()
  const row = page.getByRole('row', { name })
  await expect(row).toContainText(people.inTwo)

  const member = await pageOf(people.inTwo, { at: '/portal/my-groups' })
  await expect(member.getByRole('row', { name })).toContainText(altynDala)

  await row.getByRole('button', { name: `Удалить: ${name}` }).click()
  await page.getByRole('dialog', { name: 'Удалить группу?' }).getByRole('button', { name: 'Удалить' }).click()
  await expect(row).toBeHidden()
  await page.getByRole('link', { name: 'История' }).click()
  await expect(page.getByText(`Удалена группа «${name}»`)).toBeVisible()
})

test('an employee reads the card, switches the organisation on the same page, and cannot open owners’ pages', async ({
  callerOf,
}) => {
  const page = await callerOf(people.inTwo)
  await openPortal(page, 'members')
  const chooser = page.getByRole('button', { name: /^Организация:/ })
  await chooser.click()
  await page.getByRole('menuitem', { name: altynDala }).click()
  await expect(page.getByRole('row', { name: people.owner })).toBeVisible()
  await expect(page).toHaveURL(/\/members/)
  await expect(page.getByRole('button', { name: 'Пригласить' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'История' })).toBeHidden()

  await page.goto(page.url().replace('/members', '/history'))
  await expect(page.getByRole('heading', { name: 'Недостаточно прав' })).toBeVisible()
  await page.getByRole('link', { name: 'Карточка организации' }).click()
  await expect(page.getByText('Данные организации меняет её владелец')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Сохранить' })).toBeHidden()
})

test('a return address outside the site is ignored, and a foreign organisation is not found', async ({
  callerOf,
}) => {
  const page = await callerOf(people.individual)
  for (const evil of ['//evil.kz', 'https:evil.kz', '\\\\evil.kz', 'javascript:alert(1)', '/\t/evil.kz']) {
    await page.goto(`/portal?returnUri=${encodeURIComponent(evil)}`)
    const way = page.getByRole('link', { name: 'Вернуться к документам' })
    await expect(way).toHaveAttribute('href', '/signingRequests/incomings')
  }
  await page.goto('/portal/00000000-0000-4000-8000-000000000000/card')
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
})

for (const [language, width] of [
  ['kk', 375],
  ['ru', 1440],
  ['en', 1000],
] as const) {
  test(`every page of the portal fits ${width} px and is accessible (${language})`, async ({ callerOf }) => {
    const page = await callerOf(people.owner, { language, width })
    const organizationId = new URL(page.url()).searchParams.get('organizationId')!
    const ofOrganization = ['card', 'members', 'invitations', 'groups', 'history']
    for (const path of ['my-groups', ...ofOrganization.map((section) => `${organizationId}/${section}`)]) {
      await page.goto(`/portal/${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectAccessible(page)
      await expectNoOverflow(page)
    }
  })
}

test('the mailbox of the demo shows e-mails to one address; on a phone one pane at a time', async ({
  callerOf,
  stranger,
}) => {
  const email = `letter-${Date.now()}@example.kz`
  const owner = await callerOf(people.otherOwner)
  await openPortal(owner, 'invitations')
  await owner.getByRole('button', { name: 'Пригласить' }).click()
  await owner.getByLabel('Электронная почта').fill(email)
  await owner.getByRole('button', { name: 'Отправить приглашение' }).click()
  await expect(owner.getByRole('row', { name: email })).toBeVisible()

  // The greeting cannot be switched off in the sandbox of the e-mail, but the mailbox shows none anyway.
  const page = await stranger({ width: 375, greets: true })
  await page.goto('/mailbox')
  await page.getByLabel('Кому').fill(email)
  await expect(page.getByRole('link', { name: email })).toBeVisible()
  await expectAccessible(page) // the e-mail itself runs no scripts, so axe cannot check it
  await page.getByRole('link', { name: email }).click()
  await expect(page.frameLocator('iframe').getByRole('link', { name: 'Принять приглашение' })).toBeVisible()
  await expect(page.getByLabel('Кому')).toBeHidden()
  await page.getByRole('button', { name: 'Ко всем письмам' }).click()
  await expect(page.getByRole('link', { name: email })).toBeVisible()
})

test('before a member is removed, also from a group, the dialog names the documents that go on without them', async ({
  pageOf,
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const organizationId = organizationOf(page)
  const { items } = await callFrom(page, getMembers, { organizationId, skip: 0, take: 100 })
  const idOf = (fullName: string) => items.find((member) => member.fullName === fullName)!.userId
  const group = `Комиссия ${crypto.randomUUID().slice(0, 8)}`
  // Not the owner herself: with two groups she would have to choose one in every quick send.
  const participants = [idOf(people.pointsAdministrator), idOf(people.routesAdministrator)]
  await callFrom(page, addGroup, { organizationId, name: group, participants })
  const { name, address, id } = await sendRequest(page, [
    { type: 'InternalApprove', name: 'Комиссия', group, condition: 'all' },
  ])
  const member = await pageOf(people.pointsAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })
  await member.getByRole('button', { name: 'Согласовать', exact: true }).click()
  await member.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
  // Only people who have not answered are awaited.
  const waiting = member.getByRole('list', { name: 'Сейчас ждём:' })
  await expect(waiting).toContainText(people.routesAdministrator)
  await expect(waiting).not.toContainText(people.pointsAdministrator)

  // Removing a member from the organisation shows the same effects first; here the member stays.
  await openPortal(page, 'members')
  await page.getByRole('button', { name: `Исключить: ${people.routesAdministrator}` }).click()
  const removing = page.getByRole('dialog', { name: 'Исключить сотрудника?' })
  await expect(removing.getByRole('link', { name })).toBeVisible()
  await expect(removing.getByText(/шаг завершится, документ пойдёт дальше/).first()).toBeVisible()
  await expect(removing.getByRole('button', { name: 'Всё равно исключить' })).toBeVisible()
  await expectAccessible(page)
  await removing.getByRole('button', { name: 'Отмена' }).click()

  await page.goto(`/portal/${organizationId}/groups`)
  await page.getByRole('searchbox', { name: 'Название группы' }).fill(group)
  await page.getByRole('button', { name: `Изменить: ${group}` }).click()
  const dialog = page.getByRole('dialog', { name: `Группа «${group}»` })
  await dialog.getByRole('combobox', { name: 'Участники' }).focus()
  await page.keyboard.press('Backspace')
  // The list of people, which covers the effects below, closes when another field gets the focus.
  await dialog.getByRole('textbox', { name: 'Название' }).focus()
  await expect(dialog.getByText('1 документ ждёт эту группу и изменится')).toBeVisible()
  await expect(dialog.getByText(/шаг завершится, документ пойдёт дальше/)).toBeVisible()
  await expectAccessible(page)
  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('link', { name }).click()
  await expect((await opened).getByRole('heading', { level: 1, name })).toBeVisible()
  await dialog.getByRole('button', { name: 'Всё равно сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 2, name: 'Завершён' })).toBeVisible()
})
