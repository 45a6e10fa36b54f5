import { expect, people, test } from './fixtures.ts'

test('without a stored choice the language of the browser is used; a choice is kept in storage and in a cookie for a year', async ({
  pageOf,
}) => {
  const page = await pageOf(people.otherOwner, { language: 'kk' })
  await expect(page.getByRole('heading', { name: 'Кіріс құжаттар' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'kk')

  await page.getByRole('button', { name: 'Тіл' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Incoming' })).toBeVisible()
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'locale')!
  expect(cookie.value).toBe('en')
  expect(cookie.expires - Date.now() / 1000).toBeGreaterThan(364 * 24 * 60 * 60)
  expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('en')

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Incoming' })).toBeVisible()
})

test('the language of the landing is the language of sign-in and of the application', async ({
  stranger,
}) => {
  const page = await stranger()
  await page.goto('/kk')
  await expect(page.getByRole('heading', { name: 'Шай суығанша шартқа қол қойылды' })).toBeVisible()
  await page.getByRole('link', { name: 'Кіру', exact: true }).click()
  await page.getByRole('button', { name: people.individual }).click()
  await expect(page.getByRole('heading', { name: 'Кіріс құжаттар' })).toBeVisible()
})

test('a link to the landing in another language changes nothing; its switcher changes the language everywhere', async ({
  pageOf,
}) => {
  const page = await pageOf(people.individual, { language: 'kk' })
  await page.goto('/ru')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  await page.goto('/signingRequests/incomings')
  await expect(page.getByRole('heading', { name: 'Кіріс құжаттар' })).toBeVisible()

  await page.goto('/kk')
  await page.getByRole('banner').getByText('ҚАЗ').first().click()
  await page.getByRole('banner').getByRole('link', { name: 'English' }).click()
  await expect(page).toHaveURL('/en')
  await page.goto('/signingRequests/incomings')
  await expect(page.getByRole('heading', { name: 'Incoming' })).toBeVisible()
  await page.goto('/ru')
  await page.goto('/signingRequests/incomings')
  await expect(page.getByRole('heading', { name: 'Incoming' })).toBeVisible()
})
