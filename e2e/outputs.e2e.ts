/** Outputs: made on the request page, and found valid on the check page without an account. */
import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'

test('the printable document, the electronic document and the evidence are made, saved, and valid on the check page', async ({
  callerOf,
  stranger,
}) => {
  test.setTimeout(120_000)
  const page = await callerOf(people.owner)
  const name = 'Договор поставки пшеницы № 14/2026'
  await page.goto(`/signingRequests/outgoings?name=${encodeURIComponent(name)}`)
  await page.getByText(name).click()
  const files = page.locator('section', { has: page.getByRole('heading', { name: 'Файлы' }) }).last()
  await expect(files.getByRole('list', { name: 'Документ' })).toBeVisible()
  await expect(files.getByRole('list', { name: 'Для проверки' })).toBeVisible()
  await expect(files.getByText('PDF с листами подписей. Подготовим по нажатию')).toBeVisible()

  const save = async (file: string) => {
    const arriving = page.waitForEvent('download')
    await files.getByRole('button', { name: `Скачать: ${file}`, exact: true }).click()
    const saved = await arriving
    return { name: saved.suggestedFilename(), buffer: readFileSync(await saved.path()) }
  }
  // One click makes and saves it; from then on it is available.
  const printable = await save('Документ с подписями для печати')
  expect(printable.name).toMatch(/— для печати\.pdf$/)
  await expect(files.getByText(/^Подготовлен /)).toBeVisible()
  const electronic = await save('Электронный документ для проверки')
  const report = await save('Отчёт о подписании')
  expect(report.buffer.subarray(0, 5).toString()).toBe('%PDF-')
  const evidence = await save('Архив доказательств')
  const original = await save('Исходный документ')
  const steps = page.getByRole('button', { name: /Подпись: Жақсыбеков Нұрлан/ })
  await steps.click()
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'С архивной меткой' }).click()
  const longTerm = {
    name: 'signature.cms',
    buffer: readFileSync(await (await arriving).path()),
    mimeType: 'application/pkcs7-signature',
  }
  await expect(page.getByText(/^Скачана\. Метка времени действует до /)).toBeVisible()
  await expectAccessible(page)
  await page.route('**/outputs/evidence*', (route) => route.abort())
  await files.getByRole('button', { name: 'Скачать: Архив доказательств', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Нет связи')

  const check = await stranger()
  await check.goto('/verify')
  for (const [file, mimeType] of [
    [printable, 'application/pdf'],
    [electronic, 'application/pkcs7-mime'],
    [evidence, 'application/zip'],
  ] as const) {
    const again = check.getByRole('button', { name: 'Проверить другие' })
    if (await again.isVisible()) await again.click()
    await check.getByLabel('Файлы для проверки').setInputFiles([{ ...file, mimeType }])
    const verdict = file === printable ? /^Подписан вложенный документ; страницы/ : /действительн/
    await expect(check.getByRole('heading', { level: 2, name: verdict })).toBeVisible()
    await expect(check.getByText('Жақсыбеков Нұрлан Ерболұлы').first()).toBeVisible()
    // Anybody could have changed the visible pages, so the embedded original is what was checked.
    await expect(check.getByText(/^Проверен подлинник, вложенный в этот PDF/)).toBeVisible({
      visible: file === printable,
    })
  }

  await check.getByRole('button', { name: 'Проверить другие' }).click()
  await check
    .getByLabel('Файлы для проверки')
    .setInputFiles([longTerm, { ...original, mimeType: 'application/pdf' }])
  await expect(check.getByRole('heading', { level: 2, name: /действительн/ })).toBeVisible()
  await expect(check.getByText('Жақсыбеков Нұрлан Ерболұлы').first()).toBeVisible()

  // The browser remembers the key of the log that it has seen, also while the service is unavailable, and reports a
  // change.
  const otherKey = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='
  for (const [answer, told] of [
    ['away', /журнал сейчас недоступен; это тот ключ, который ваш браузер видел/],
    ['other', /это прежний ключ нашего журнала: ваш браузер видел его с/],
  ] as const) {
    await check
      .context()
      .route('**/.well-known/kelisim-log-keys.json', (route) =>
        answer === 'away' ? route.abort() : route.fulfill({ json: { keys: [otherKey] } }),
      )
    await check.reload()
    await check.getByLabel('Файлы для проверки').setInputFiles([{ ...evidence, mimeType: 'application/zip' }])
    await expect(check.getByRole('heading', { level: 2, name: /действительн/ })).toBeVisible()
    await expect(check.getByText(told)).toBeVisible()
  }
})
