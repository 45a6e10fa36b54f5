/** What a person sees when something fails, by class of error (docs/product/errors-and-limits.md). */
import { expect, people, test } from './fixtures.ts'

type Body = { ClassName: string; Alias: string; Parameters?: object; status: number; Message?: string }

/** Makes saving the notification settings fail like this, in the server's format. */
async function failSaving(
  page: import('@playwright/test').Page,
  body: Body | null,
  status = 400,
): Promise<void> {
  await page.goto('/options/NotificationSettings')
  await expect(page.getByRole('radio', { name: 'Сразу' }).first()).toBeVisible()
  await page.route('**/notificationSettings', (route) =>
    route.fulfill({
      status: body?.status ?? status,
      contentType: body ? 'application/json' : 'text/html',
      body: body
        ? JSON.stringify({
            ClassName: body.ClassName,
            Type: 'Test',
            ExceptionData: { Alias: body.Alias, Parameters: body.Parameters ?? {} },
            Message: body.Message ?? '',
          })
        : '<html>oops</html>',
    }),
  )
  await page.getByRole('radio', { name: 'Раз в день' }).first().click()
}

test('a service error shows its message, and a choice that could not be saved is undone', async ({
  callerOf,
}) => {
  const page = await callerOf(people.pointsAdministrator, { language: 'ru' })
  await failSaving(page, {
    status: 503,
    ClassName: 'TemporaryUnavailableException',
    Alias: 'service-unavailable',
  })
  const dialog = page.getByRole('dialog', { name: 'Ошибка сервиса' })
  await expect(dialog).toContainText('Сервис временно недоступен')
  await dialog.getByRole('button', { name: 'Понятно' }).click()
  await expect(page.getByRole('radio', { name: 'Сразу' }).first()).toBeChecked()
})

test('an unforeseen error names the reference to quote', async ({ callerOf }) => {
  const page = await callerOf(people.pointsAdministrator)
  await failSaving(page, {
    status: 500,
    ClassName: 'UnforeseenException',
    Alias: 'unexpected-error',
    Parameters: { requestId: 'abc-123' },
  })
  const dialog = page.getByRole('dialog', { name: 'Непредвиденная ошибка' })
  await expect(dialog).toContainText('Номер обращения: abc-123')
})

test('a response without our error body means an outdated page, which Continue reloads', async ({
  callerOf,
}) => {
  const page = await callerOf(people.pointsAdministrator)
  await failSaving(page, null, 400)
  const dialog = page.getByRole('dialog', { name: 'Страница устарела' })
  await dialog.getByRole('button', { name: 'Продолжить' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Уведомления' })).toBeVisible()
})

test.describe('transport', () => {
  for (const [status, text] of [
    [502, 'Сервер перезапускается'],
    [504, 'Сервер не успел ответить'],
  ] as const) {
    test(`the status ${status} has a message of its own`, async ({ callerOf }) => {
      const page = await callerOf(people.pointsAdministrator)
      await failSaving(page, null, status)
      await expect(page.getByRole('dialog')).toContainText(text)
    })
  }

  test('a lost connection does not lose the input', async ({ pageOf }) => {
    const page = await pageOf(people.owner, { at: '/classificators/add' })
    await page.getByLabel('Название').fill('Аренда')
    await page.route('**/api/Classificators/**', (route) => route.abort('connectionfailed'))
    await page.getByRole('button', { name: 'Создать' }).last().click()
    await expect(page.getByRole('dialog')).toContainText('Нет связи с сервером')
    await page.getByRole('dialog').getByRole('button', { name: 'Понятно' }).click()
    await expect(page.getByLabel('Название')).toHaveValue('Аренда')
  })
})

test('the dialog about missing rights leads back to the incoming requests', async ({ callerOf }) => {
  const page = await callerOf(people.pointsAdministrator)
  await failSaving(page, {
    status: 403,
    ClassName: 'PermissionDeniedException',
    Alias: 'not-enough-permissions',
  })
  await page
    .getByRole('dialog', { name: 'Недостаточно прав' })
    .getByRole('button', { name: 'Понятно' })
    .click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
})

test('the dialog about an ended tariff offers the price list and a manager', async ({ callerOf }) => {
  const page = await callerOf(people.pointsAdministrator)
  await failSaving(page, {
    status: 403,
    ClassName: 'PermissionDeniedException',
    Alias: 'organization-restricted',
  })
  const dialog = page.getByRole('dialog', { name: 'Тариф закончился' })
  await expect(dialog.getByRole('button', { name: 'Скачать' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Написать менеджеру' })).toBeVisible()
})

test('the dialog about a document for somebody else names the recipient and offers to sign in', async ({
  callerOf,
}) => {
  const page = await callerOf(people.pointsAdministrator)
  await failSaving(page, {
    status: 403,
    ClassName: 'PermissionDeniedException',
    Alias: 'signing-request-access-failure',
    Parameters: { number: '240540017348' },
  })
  const dialog = page.getByRole('dialog', { name: 'Документ недоступен' })
  await expect(dialog).toContainText('240540017348')
  await expect(dialog.getByRole('button', { name: 'Войти с ЭЦП' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Сменить учётную запись' })).toBeVisible()
})

test('a silent alias shows no dialog', async ({ pageOf }) => {
  const page = await pageOf(people.pointsAdministrator)
  const answered = page.waitForResponse('**/notificationSettings')
  await failSaving(page, {
    status: 409,
    ClassName: 'CustomValidationException',
    Alias: 'unsuccessful_route_state',
  })
  await answered
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a chunk of the page that is gone after an update is loaded again', async ({ callerOf }) => {
  const page = await callerOf(people.otherEmployee)
  let isGone = true
  await page.route('**/assets/classifier-pages-*.js', (route) => {
    if (!isGone) return route.continue()
    isGone = false
    return route.fulfill({ status: 404, contentType: 'application/json', body: '{}' })
  })
  await page.goto('/classificators')
  await expect(page.getByRole('heading', { name: 'Классификаторы' })).toBeVisible()
  expect(isGone).toBe(false)
})

test('a page that cannot be loaded shows the reason and is tried again', async ({ callerOf }) => {
  const page = await callerOf(people.otherEmployee)
  let isDown = true
  await page.route('**/api/Organizations/*/options', (route) =>
    isDown
      ? route.fulfill({
          status: 503,
          contentType: 'application/json',
          body: JSON.stringify({
            ClassName: 'TemporaryUnavailableException',
            Type: 'Unavailable',
            ExceptionData: { Alias: 'service-unavailable', Parameters: {} },
            Message: '',
          }),
        })
      : route.continue(),
  )
  await page.goto('/points/my')
  const dialog = page.getByRole('dialog', { name: 'Ошибка сервиса' })
  await expect(dialog).toContainText('Сервис временно недоступен', { timeout: 20_000 })
  isDown = false
  await dialog.getByRole('button', { name: 'Понятно' }).click()
  await expect(page.getByRole('heading', { name: 'Мои точки' })).toBeVisible()
})
