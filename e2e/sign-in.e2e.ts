import { expect, people, test } from './fixtures.ts'

test('a person returns from the sign-in service to exactly the page they wanted', async ({ stranger }) => {
  const page = await stranger()
  await page.goto('/points/internal?name=договор')
  await expect(page).toHaveURL(/\/connect\//)
  await page.getByRole('button', { name: people.owner }).click()
  await expect(page).toHaveURL(/\/points\/internal\?.*name=/)
  await expect(page.getByRole('heading', { name: 'Внутренние точки' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('organizationId')).toBeTruthy()
})

test('somebody who has organisations is redirected from the page that chooses one, with the query', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner, { at: '/login?name=договор' })
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  const { pathname, searchParams } = new URL(page.url())
  expect(pathname).toBe('/signingRequests/incomings')
  expect(searchParams.get('name')).toBe('договор')
})

test('the agreement is open to everybody', async ({ stranger }) => {
  const page = await stranger()
  await page.goto('/agreementPage')
  await expect(page.getByRole('heading', { name: 'Соглашение об использовании' })).toBeVisible()
  await expect(page).toHaveURL(/\/agreementPage$/)
})

test('a newcomer registers, confirms the e-mail, accepts the agreement and adds an organisation', async ({
  stranger,
  linkInEmail,
}) => {
  const page = await stranger()
  const email = `newcomer-${Date.now()}@example.kz`
  await page.goto('/')
  await page.getByRole('link', { name: 'Начать работу' }).first().click()
  await page.getByRole('link', { name: /регистр/i }).click()
  await page.getByLabel(/имя/i).fill('Сауле Бекова')
  await page.getByLabel(/почт/i).fill(email)
  await page.getByRole('button', { name: /регистр/i }).click()
  await expect(page.getByRole('heading', { name: 'Проверьте почту' })).toBeVisible()

  await page.goto(await linkInEmail(email, /./))
  await page.getByLabel('Пароль').fill('дала-жусан-2026')
  await page.getByRole('button', { name: 'Создать учётную запись' }).click()
  await expect(page.getByRole('heading', { name: 'Соглашение об использовании' })).toBeVisible()
  await page.getByRole('button', { name: 'Продолжить' }).click()
  await expect(page.getByText('Отметьте, что принимаете условия')).toBeVisible()
  await page.getByLabel('Условия прочитаны, принимаю их').check()
  await page.getByRole('button', { name: 'Продолжить' }).click()

  await expect(page.getByRole('heading', { name: 'Добавьте организацию' })).toBeVisible()
  await page.getByLabel('БИН или ИИН').fill('123456789012')
  await page.getByLabel('Название организации или ФИО').fill('ТОО «Жусан»')
  await page.getByRole('button', { name: 'Добавить организацию' }).click()
  await expect(page.getByText('контрольная цифра не сходится')).toBeVisible()
  await expect(page.getByLabel('БИН или ИИН')).toBeFocused()

  await page.getByLabel('БИН или ИИН').fill('191240020942')
  await page.getByRole('button', { name: 'Добавить организацию' }).click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  await expect(page.getByRole('button', { name: /ТОО «Жусан»/ })).toBeVisible()
  await page.goto('/today')
  await expect(page.getByText('Организация ещё не подтверждена')).toBeVisible()
  await page.getByRole('link', { name: 'Подтвердить ключом ЭЦП' }).click()
  await expect(page).toHaveURL(/\/portal\/[\w-]+\/card/)
})

test('the address of the sign-in page leads to the application after signing in, and to a new sign-in after signing out', async ({
  stranger,
}) => {
  const page = await stranger()
  await page.goto('/signingRequests/incomings')
  await expect(page).toHaveURL(/\/connect\/interaction\//)
  const signInPage = page.url()
  await page.getByRole('button', { name: people.otherEmployee }).click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  // works from any address of the sign-in that the browser remembers: its page, or the application that led there
  await page.goto(signInPage)
  await expect(page).toHaveURL(/\/signingRequests\/incomings/)
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()

  await page.getByRole('button', { name: 'Меню пользователя' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page.getByRole('heading', { name: 'Договор подписан, пока остывает чай' })).toBeVisible()
  await page.goto(signInPage)
  await expect(page.getByRole('heading', { name: 'Вход', exact: true })).toBeVisible()
  await page.getByRole('button', { name: people.otherEmployee }).click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
})

test('the back button never leads to a dead page of a registration', async ({ stranger, linkInEmail }) => {
  const page = await stranger()
  const email = `back-${Date.now()}@example.kz`
  await page.goto('/signingRequests/incomings')
  await page.getByRole('link', { name: /регистр/i }).click()
  await page.getByLabel(/имя/i).fill('Сауле Бекова')
  await page.getByLabel(/почт/i).fill(email)
  await page.getByRole('button', { name: /регистр/i }).click()
  await page.goto(await linkInEmail(email, /./))
  await page.getByLabel('Пароль').fill('дала-жусан-2026')
  await page.getByRole('button', { name: 'Создать учётную запись' }).click()
  const agreement = page.getByRole('heading', { name: 'Соглашение об использовании' })
  await expect(agreement).toBeVisible()
  await page.goBack()
  await expect(agreement).toBeVisible()
})

test('signing out ends the session in the application and at the sign-in service', async ({ pageOf }) => {
  const page = await pageOf(people.otherEmployee, { signsIn: true })
  await page.getByRole('button', { name: 'Меню пользователя' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page.getByRole('heading', { name: 'Договор подписан, пока остывает чай' })).toBeVisible()
  await page.goto('/signingRequests/incomings')
  await expect(page).toHaveURL(/\/connect\//)
  await expect(page.getByRole('button', { name: people.owner })).toBeVisible()
})

test('changing the account asks who the person is, although the browser is known', async ({ pageOf }) => {
  const page = await pageOf(people.otherEmployee, { signsIn: true })
  await page.getByRole('button', { name: 'Меню пользователя' }).click()
  await page.getByRole('menuitem', { name: 'Сменить учётную запись' }).click()
  await page.getByRole('button', { name: people.individual }).click()
  await expect(page.getByRole('button', { name: /Қасымов Әлихан/ })).toBeVisible()
})

test('if the session ends while a form is filled in, the input is still there after signing in again', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner, { signsIn: true })
  await page.goto('/login?changeAccount=true')
  await page.getByLabel('Название организации или ФИО').fill('ТОО «Қарлығаш»')
  await page.getByLabel('БИН или ИИН').fill('180140005198')
  await page.context().clearCookies({ name: 'session' })
  // The sign-in service still knows the person, so no click is needed.
  await page.getByRole('button', { name: 'Добавить организацию' }).click()
  await expect(page.getByLabel('Название организации или ФИО')).toHaveValue('ТОО «Қарлығаш»')
  await expect(page.getByLabel('БИН или ИИН')).toHaveValue('180140005198')
})
