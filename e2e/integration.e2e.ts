/** Owners let programs act for the organisation, see when they last did so, and revoke this. */
import { getTokens, revokeToken } from '@kelisim/domain/integration/contract.ts'
import { deleteWebhook, getWebhooks } from '@kelisim/domain/integration/webhook-contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf } from './requests.ts'

test('an owner creates a token and sees it once, a program uses it, and it is revoked', async ({
  callerOf,
  request,
  baseURL,
}) => {
  const owner = await callerOf(people.owner)
  const organizationId = organizationOf(owner)
  const name = `1С ${crypto.randomUUID().slice(0, 8)}`
  await owner.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await owner.goto(`/portal/${organizationId}/card`)
  await owner.getByRole('link', { name: 'Интеграции' }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Интеграции' })).toBeVisible()

  await owner.getByRole('button', { name: 'Создать токен' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Создать токен' }).click()
  await expect(dialog.getByText('Обязательное поле')).toBeVisible()
  await expect(dialog.getByText('Выберите хотя бы одно право')).toBeVisible()
  await expectAccessible(owner)
  await dialog.getByLabel('Название программы').fill(name)
  await dialog.getByRole('checkbox', { name: 'Следить за подписанием' }).check()
  await dialog.getByRole('combobox', { name: 'Только с этих адресов' }).pressSequentially('где-то')
  await dialog.getByRole('button', { name: 'Создать токен' }).click()
  await expect(dialog.getByText('Нужен IP-адрес или подсеть')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Только с этих адресов' }).press('ControlOrMeta+A')
  await dialog.getByRole('combobox', { name: 'Только с этих адресов' }).press('Backspace')
  await expect(dialog.getByText('Нужен IP-адрес или подсеть')).toBeHidden()
  // A program cannot get the right to sign in the name of a colleague.
  await dialog.getByRole('combobox', { name: 'Действует от имени' }).fill('Данияр')
  await owner.getByRole('option', { name: people.inTwo }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Передавать подписи' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Создать токен' }).click()

  await expect(owner.getByRole('heading', { name: 'Токен создан' })).toBeVisible()
  await expectAccessible(owner)
  await owner.getByRole('button', { name: 'Скопировать' }).click()
  await expect(owner.getByText('Скопировано')).toBeVisible()
  const secret = await owner.getByRole('textbox', { name: `Токен «${name}»` }).inputValue()
  expect(await owner.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await owner.getByRole('button', { name: 'Сохранено' }).click()
  const row = owner.getByRole('row', { name })
  await expect(row).toContainText('Ещё не было')
  await expect(row).toContainText(`От имени: ${people.inTwo}`)
  await expect(owner.getByText(secret)).toHaveCount(0)

  const connect = () =>
    request.get(`${baseURL}/api/v1/connection`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await (await connect()).json()).toMatchObject({
    actsAs: { fullName: people.inTwo },
    token: { name },
  })
  await owner.reload()
  await expect(row).toContainText(/с адреса/)
  await expectAccessible(owner)

  await owner.getByRole('button', { name: `Отозвать токен «${name}»` }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Отозвать' }).click()
  await expect(row).toContainText('Отозван')
  const refused = await connect()
  expect([refused.status(), await refused.json()]).toMatchObject([
    401,
    { ExceptionData: { Alias: 'token-not-accepted' } },
  ])
  await owner.getByRole('link', { name: 'История' }).click()
  await expect(owner.getByText(`Отозван токен программы: ${name}`)).toBeVisible()
})

test('an owner adds a webhook, tests it, changes its secret, switches it off and removes it', async ({
  callerOf,
}) => {
  const owner = await callerOf(people.owner)
  const organizationId = organizationOf(owner)
  // A host name that never resolves, so that nothing outside is called.
  const url = `https://${crypto.randomUUID()}.invalid/hook`
  await owner.goto(`/portal/${organizationId}/integration`)
  await owner.getByRole('button', { name: 'Добавить вебхук' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('Адрес').fill('http://127.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Добавить вебхук' }).click()
  await expect(dialog.getByText('Нужен адрес https в интернете')).toBeVisible()
  await expectAccessible(owner)
  await dialog.getByLabel('Адрес').fill(url)
  await dialog.getByRole('button', { name: 'Добавить вебхук' }).click()
  const secret = owner.getByRole('textbox', { name: `Секрет для ${url}` })
  await expect(secret).toHaveValue(/^whsec_/)
  const first = await secret.inputValue()
  await owner.getByRole('button', { name: 'Сохранено' }).click()

  const card = owner.getByRole('listitem').filter({ hasText: url })
  await expect(card).toContainText('Включён')
  await card.getByRole('button', { name: 'Проверить' }).click()
  await expect(owner.getByText('Адрес недоступен')).toBeVisible()
  await card.getByRole('button', { name: 'Журнал' }).click()
  // Other journeys may send documents of this organisation meanwhile, for which the webhook is called, too.
  const log = owner.getByRole('dialog')
  await expect(log.getByText('Ещё ничего не отправлено.').or(log.getByRole('listitem').first())).toBeVisible()
  await expectAccessible(owner)
  await owner.getByRole('dialog').getByRole('button', { name: 'Закрыть' }).click()
  await card.getByRole('button', { name: 'Новый секрет' }).click()
  await expect(secret).toHaveValue(/^whsec_/)
  expect(await secret.inputValue()).not.toBe(first)
  await owner.getByRole('button', { name: 'Сохранено' }).click()
  await expect(card).toContainText('Старый секрет тоже подписывает')
  await card.getByRole('button', { name: 'Выключить' }).click()
  await expect(card).toContainText('Выключен')
  await card.getByRole('button', { name: 'Удалить' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(card).toHaveCount(0)
})

test('employees do not see the integrations', async ({ callerOf }) => {
  const employee = await callerOf(people.pointsAdministrator)
  const organizationId = organizationOf(employee)
  await employee.goto(`/portal/${organizationId}/card`)
  await expect(employee.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(employee.getByRole('link', { name: 'Интеграции' })).toHaveCount(0)
})

test.afterEach(async ({ callerOf }) => {
  const owner = await callerOf(people.owner)
  const organizationId = organizationOf(owner)
  const { items } = await callFrom(owner, getTokens, { organizationId, skip: 0, take: 100 })
  const left = items.filter(({ state, name }) => state !== 'revoked' && name.startsWith('1С '))
  for (const { id } of left) await callFrom(owner, revokeToken, { organizationId, tokenId: id })
  const webhooks = await callFrom(owner, getWebhooks, { organizationId })
  const ours = webhooks.items.filter(({ url }) => url.includes('.invalid/'))
  for (const { id } of ours) await callFrom(owner, deleteWebhook, { organizationId, webhookId: id })
})
