import { createHmac } from 'node:crypto'
import { expect, test } from './fixtures.ts'

test('a newcomer turns on two-step sign-in: the password alone no longer lets anybody in', async ({
  newcomer,
  stranger,
}) => {
  const { page, email, password } = await newcomer()

  await page.goto('/connect/account')
  await page.getByRole('link', { name: 'Настроить' }).click()
  await page.getByLabel('Текущий пароль').fill(password)
  await page.getByRole('button', { name: 'Включить' }).click()
  await expect(page.getByRole('img', { name: 'QR-код для программы кодов' })).toBeVisible()
  const secret = ofLetters(await page.locator('.secret').innerText())
  // The previous code is accepted for half a minute more; using it leaves the current code for the sign-in.
  await expect.poll(() => Date.now() % 30_000, { timeout: 60_000 }).toBeLessThan(15_000)
  await page.getByLabel('Код из шести цифр').fill(codeOf(secret, -1))
  await page.getByRole('button', { name: 'Включить вход в два шага' }).click()
  await expect(page.getByRole('list', { name: 'Резервные коды' }).getByRole('listitem')).toHaveCount(10)
  await page.getByRole('link', { name: 'Коды сохранены' }).click()

  const elsewhere = await stranger()
  await elsewhere.goto('/signingRequests/incomings')
  await elsewhere.getByLabel('Электронная почта').fill(email)
  await elsewhere.getByLabel('Пароль').fill(password)
  await elsewhere.getByRole('button', { name: 'Войти', exact: true }).click()
  await expect(elsewhere.getByRole('heading', { name: 'Код с телефона' })).toBeVisible()
  await elsewhere.getByLabel('Код из шести цифр').fill('12345')
  await elsewhere.getByRole('button', { name: 'Войти' }).first().click()
  await expect(elsewhere.getByText('Код не подошёл')).toBeVisible()
  await elsewhere.getByLabel('Код из шести цифр').fill(codeOf(secret, 1))
  await elsewhere.getByRole('button', { name: 'Войти' }).first().click()
  await expect(elsewhere.getByRole('heading', { name: 'Соглашение об использовании' })).toBeVisible()
})

/** The code that the app on a phone shows this many half minutes from now (RFC 6238). */
function codeOf(secret: Buffer, away: number): string {
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(Date.now() / 30_000) + away, 4)
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac[19]! % 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}

/** Decodes base32 (RFC 4648). */
function ofLetters(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text.replaceAll(' ', ''), (letter) =>
    letters.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
