import { expect, test } from './fixtures.ts'

test('anybody can see the log, its witnesses and its signed state', async ({ stranger }) => {
  const page = await stranger()
  await page.goto('/log')
  await expect(page.getByRole('heading', { level: 1, name: 'Журнал событий' })).toBeVisible()
  const witnesses = page.getByRole('table', { name: 'Свидетели' })
  for (const name of ['witness.demo/alatau', 'witness.demo/esil']) {
    await expect(witnesses.getByRole('row').filter({ hasText: name })).toContainText('подтвердил')
  }
  await expect(page.getByText('2 из 2')).toBeVisible()
  await page.getByRole('link', { name: 'Последнее подписанное состояние' }).click()
  await expect(page.getByText('— witness.demo/alatau')).toBeVisible()
})
