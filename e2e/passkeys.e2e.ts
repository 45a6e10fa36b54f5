import { expect, test } from './fixtures.ts'

test('a newcomer adds a passkey and signs in with it alone; a removed one is refused', async ({
  newcomer,
  linkInEmail,
}) => {
  const { page, email, password } = await newcomer()

  // A device that stores keys and recognises its owner by fingerprint.
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/connect/account/passkeys')
  await page.getByLabel('Текущий пароль').fill(password)
  await page.getByRole('button', { name: 'Продолжить' }).click()
  await page.getByLabel('Название').fill('Ноутбук бухгалтерии')
  await page.getByRole('button', { name: 'Создать ключ' }).click()
  const list = page.getByRole('list', { name: 'Ключи доступа' })
  await expect(list).toContainText('Ноутбук бухгалтерии')
  await expect(list).toContainText('Ещё не использован')
  await linkInEmail(email, /ключ доступа/)

  await page.context().clearCookies()
  await page.goto('/signingRequests/incomings')
  await page.getByRole('button', { name: 'Войти с ключом доступа' }).click()
  await expect(page.getByRole('heading', { name: 'Соглашение об использовании' })).toBeVisible()

  await page.goto('/connect/account/passkeys')
  await expect(list).toContainText('Последний вход')
  await page.getByRole('link', { name: 'Удалить ключ «Ноутбук бухгалтерии»' }).click()
  await page.getByLabel('Текущий пароль').fill(password)
  await page.getByRole('button', { name: 'Удалить' }).click()
  await expect(list).toBeHidden()

  await page.context().clearCookies()
  await page.goto('/signingRequests/incomings')
  await page.getByRole('button', { name: 'Войти с ключом доступа' }).click()
  await expect(page.getByRole('alert')).toContainText('Этот ключ доступа не подошёл')
})
