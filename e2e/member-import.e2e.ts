import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'

test('an owner uploads a table of people, sees what is wrong, and invites the others', async ({
  callerOf,
  linkInEmail,
}) => {
  const email = `imported-${Date.now()}@example.kz`
  const table = `Почта;ФИО;ИИН;Группы\n${email};Серикова Айгерим;;\nwrong;Ахметов Ерлан;123;Склад запчастей`
  const page = await callerOf(people.otherOwner)
  const organizationId = new URL(page.url()).searchParams.get('organizationId')!
  await page.goto(`/portal/${organizationId}/invitations`)
  await page.getByRole('link', { name: 'Из таблицы' }).click()
  await expect(page.getByRole('heading', { name: 'Импорт сотрудников' })).toBeVisible()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Люди.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })

  const faulty = page.getByRole('row', { name: 'Ахметов Ерлан' })
  await expect(faulty).toContainText('адрес почты неверный')
  await expect(faulty).toContainText('нужно ровно 12 цифр')
  await expect(faulty).toContainText('такой группы нет: Склад запчастей')
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(page)

  await page.getByRole('button', { name: 'Пригласить 1 человека' }).click()
  await expect(page.getByText('Приглашено 1 из 1')).toBeVisible()
  await linkInEmail(email, /Тұлпар Трейд/)
  await expect(page.getByText('Всего строк: 2. Готовы: 0. С ошибками: 1.')).toBeVisible()
  await page.getByRole('button', { name: 'Удалить таблицу' }).click()
  await expect(page.getByText('Люди.csv')).toHaveCount(0)
})
