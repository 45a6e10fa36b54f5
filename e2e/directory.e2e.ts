/** A directory of people invites and withdraws by SCIM, with the address and a token from the portal. */
import { getTokens, revokeToken } from '@kelisim/domain/integration/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf } from './requests.ts'

test('an owner connects a directory: a new employee is invited, one who has left is not', async ({
  callerOf,
  request,
}) => {
  const owner = await callerOf(people.owner)
  const organizationId = organizationOf(owner)
  const name = `Entra ${crypto.randomUUID().slice(0, 8)}`
  const email = `${crypto.randomUUID()}@example.kz`
  await owner.goto(`/portal/${organizationId}/integration`)
  const address = await owner.getByRole('textbox', { name: 'Адрес для справочника' }).inputValue()
  await owner.getByText('Как настроить Microsoft Entra ID').click()
  await expect(owner.getByText('В Tenant URL впишите адрес отсюда')).toBeVisible()
  await expectAccessible(owner)

  await owner.getByRole('button', { name: 'Создать токен' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('Название программы').fill(name)
  await dialog.getByRole('checkbox', { name: 'Вести список сотрудников' }).check()
  await dialog.getByRole('button', { name: 'Создать токен' }).click()
  const secret = await owner.getByRole('textbox', { name: `Токен «${name}»` }).inputValue()
  await owner.getByRole('button', { name: 'Сохранено' }).click()

  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' }
  const data = { userName: email, name: { givenName: 'Әсел', familyName: 'Ким' }, active: true }
  const created = await request.post(`${address}/Users`, { headers, data })
  expect(created.status()).toBe(201)
  const { id } = (await created.json()) as { id: string }
  await owner.getByRole('link', { name: 'Приглашения' }).click()
  await expect(owner.getByText(email)).toBeVisible()

  const Operations = [{ op: 'Replace', path: 'active', value: 'False' }]
  const left = await request.patch(`${address}/Users/${id}`, { headers, data: { Operations } })
  expect(await left.json()).toMatchObject({ id, active: false })
  await owner.reload()
  await expect(owner.getByRole('heading', { level: 1, name: 'Приглашения' })).toBeVisible()
  await expect(owner.getByText(email)).toHaveCount(0)

  await request.delete(`${address}/Users/${id}`, { headers })
  const { items } = await callFrom(owner, getTokens, { organizationId, skip: 0, take: 100, name })
  for (const { id: tokenId } of items) await callFrom(owner, revokeToken, { organizationId, tokenId })
})
