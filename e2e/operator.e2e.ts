import { expect, people, test } from './fixtures.ts'

test('the operator sees that all services answer, and retries a dead letter', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  await page.getByRole('button', { name: 'Меню пользователя' }).click()
  await page.getByRole('menuitem', { name: 'Оператор' }).click()
  await expect(page.getByRole('heading', { name: 'Оператор', level: 1 })).toBeVisible()
  const services = page.getByRole('region', { name: 'Службы' })
  await expect(services.getByRole('listitem').filter({ hasText: 'База данных' })).toContainText('Отвечает')

  await page.getByRole('link', { name: 'Работы' }).click()
  const givenUp = page.getByRole('table', { name: 'Не удалось выполнить' })
  const retries = givenUp.getByRole('button', { name: 'Повторить: Заявки без исполнителя' })
  await expect(retries.first()).toBeVisible()
  const before = await retries.count()
  await expect(givenUp).toContainText(/Connection terminated|timeout/)
  await retries.first().click()
  await expect(page.getByText('Повторяется 1 работа')).toBeVisible()
  await expect(retries).toHaveCount(before - 1)

  await page.getByRole('link', { name: 'Журнал', exact: true }).click()
  const log = page.getByRole('table', { name: 'Журнал оператора' })
  const last = log.getByRole('row').nth(1)
  await expect(last).toContainText('Работы повторены')
  await expect(last).toContainText(people.owner)
})

test('for anybody else the operator’s page does not exist, and nothing leads there', async ({ pageOf }) => {
  const page = await pageOf(people.otherOwner)
  await page.getByRole('button', { name: 'Меню пользователя' }).click()
  await expect(page.getByRole('menuitem', { name: 'Мои группы' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Оператор' })).toBeHidden()
  await page.goto('/operator/jobs')
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
})
