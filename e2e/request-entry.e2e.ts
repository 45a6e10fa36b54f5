/** From the e-mail to the signature on one phone, without an account; and what the page shows to whom. */
import type { Locator } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectWholeLabels, people, test } from './fixtures.ts'
import { portAfter, sendRequest, signingDialog, signOnPhone } from './requests.ts'

const annasKey = /СОКОЛОВА АННА.*Жаңа Жол/s
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36'
const address = 'contracts@zhana-zhol.example'

test('six taps lead from the e-mail to the app that signs', async ({
  callerOf,
  stranger,
  linkInEmail,
  baseURL,
}) => {
  test.setTimeout(120_000)
  const author = await callerOf(people.owner)
  const { name } = await sendRequest(author, [
    { type: 'ExternalSign', name: 'Жаңа Жол', bin: '250340012341', organizationName: 'ТОО «Жаңа Жол»' },
  ])
  const page = await stranger({ width: 360, userAgent: android })
  // The phone of the demo opens in place of the app that the links lead to.
  await page.route('https://m.egov.kz/**', async (route) => {
    const location = `${portAfter(baseURL, 3)}/?code=${encodeURIComponent(route.request().url())}`
    await route.fulfill({ status: 302, headers: { location } })
  })
  let taps = 0
  const tap = async (what: Locator) => {
    taps++
    await what.click()
  }

  // The button of the e-mail.
  taps++
  await page.goto(await linkInEmail(address, /Алтын Дала/, name))
  await expect(page.getByRole('heading', { name: 'Вас просят подписать документ' })).toBeVisible()
  await expect(page.getByText(name, { exact: true })).toBeVisible()
  await expect(page.getByText(/^Подтверждено ЭЦП /)).toBeVisible()
  await expect(page.getByText('БИН/ИИН получателя: 250 340 012 341')).toBeVisible()
  await expect(page.getByText('Сменить учётную запись')).toHaveCount(0)
  await expectAccessible(page)
  await expectWholeLabels(page.locator('main'))
  for (const language of ['kk', 'en'] as const) {
    const other = await stranger({ language, width: 360, userAgent: android })
    await other.goto(page.url())
    await expect(other.getByText(name, { exact: true })).toBeVisible()
    await expectWholeLabels(other.locator('main'))
  }
  await tap(page.getByRole('link', { name: 'Подписать телефоном' }))
  await expectAccessible(page)
  await tap(page.getByRole('link', { name: 'eGov Mobile' }))
  await signOnPhone(page, annasKey)
  await page.getByRole('link', { name: 'Вернуться' }).click()
  await tap(page.getByRole('button', { name: 'Продолжить как Анна С.' }))
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await tap(page.getByRole('button', { name: 'Подписать ЭЦП', exact: true }))
  await tap(signingDialog(page).getByRole('link', { name: 'Открыть eGov Mobile' }))
  expect(taps).toBeLessThanOrEqual(6)

  await signOnPhone(page, annasKey)
  await page.getByRole('link', { name: 'Вернуться' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Завершён' })).toBeVisible()

  // Everything that came to the number is listed, with waiting documents first.
  const { name: next } = await sendRequest(author, [
    { type: 'ExternalSign', name: 'Жаңа Жол', bin: '250340012341', organizationName: 'ТОО «Жаңа Жол»' },
  ])
  await page.getByRole('link', { name: 'Все документы для меня' }).click()
  const inbox = page.getByRole('list', { name: 'Присланные документы' })
  await expect(inbox.getByRole('link', { name: new RegExp(`${next}.*Ждёт вас`, 's') })).toBeVisible()
  await expectAccessible(page)
  await inbox.getByRole('link', { name: new RegExp(next) }).click()
  await expect(page.getByRole('heading', { level: 1, name: next })).toBeVisible()
})

test('somebody signed in with another account sees the document and their account, and may change the account', async ({
  pageOf,
  callerOf,
  linkInEmail,
}) => {
  const author = await callerOf(people.owner)
  const { name } = await sendRequest(author, [
    { type: 'ExternalSign', name: 'Жаңа Жол', bin: '250340012341', organizationName: 'ТОО «Жаңа Жол»' },
  ])
  const other = await pageOf(people.otherEmployee)
  await other.goto(await linkInEmail(address, /Алтын Дала/, name))
  await expect(other.getByText(name, { exact: true })).toBeVisible()
  await expect(other.getByText(/^Вы вошли как Мария Ли/)).toBeVisible()
  await expect(other.getByRole('link', { name: 'Сменить учётную запись' })).toBeVisible()
  await expectAccessible(other)
})
