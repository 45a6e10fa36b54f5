/** Signatures inside a PDF: asked for at a point, given by two sides at the desktop program, checked by a stranger. */
import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { sendRequest, signAtTheWindow, signingDialog, signOnPage } from './requests.ts'

// There is one signing program per computer, so people take turns.
test.describe.configure({ mode: 'default', timeout: 180_000 })

const headsKey = /СЕРІКОВА АЙГЕРІМ.*Алтын Дала/s
const firmsKey = /СОКОЛОВА АННА.*Жаңа Жол/s

test('two sides sign inside the PDF, and this one file is valid for anybody who checks it', async ({
  callerOf,
  stranger,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { address, id, name } = await sendRequest(author, [
    { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство', signatureForm: 'pades' },
    { type: 'ExternalSign', name: 'Жаңа Жол', bin: '250340012341', organizationName: 'ТОО «Жаңа Жол»' },
  ])
  await author.goto('/points/add')
  await author.getByLabel('Тип').selectOption('Подписание от организации')
  await expect(author.getByLabel('Рядом с документом')).toBeChecked()
  await author.getByLabel('Внутри PDF').check()
  await expectAccessible(author)

  await author.goto(address)
  await author.getByRole('button', { name: 'Подписать ЭЦП', exact: true }).click()
  const dialog = signingDialog(author)
  await expect(dialog.getByText('Подпись встанет внутрь PDF (PAdES).')).toBeVisible()
  await dialog.getByText('Телефон', { exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Подпись внутри PDF ставят на компьютере')
  await expectAccessible(author)
  await dialog.getByRole('button', { name: 'Закрыть' }).first().click()
  await signOnPage(author, 'Подписать ЭЦП', headsKey, baseURL)
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()

  const partner = await stranger()
  await partner.goto(`/signingRequests/outsider/${id}?number=250340012341`)
  await partner.getByRole('link', { name: 'Открыть с NCALayer' }).click()
  await expect(partner.getByText('Выберите ключ и введите пароль в окне NCALayer')).toBeVisible()
  await signAtTheWindow(partner, firmsKey, baseURL)
  await expect(partner.getByRole('heading', { level: 1, name })).toBeVisible()
  await signOnPage(partner, 'Подписать ЭЦП', firmsKey, baseURL)
  await expect(signingDialog(partner).getByText('Документ подписан, подпись проверена.')).toBeVisible()

  await author.goto(address)
  const arriving = author.waitForEvent('download')
  await author.getByRole('button', { name: 'Скачать: PDF с подписями внутри', exact: true }).click()
  const saved = await arriving
  expect(saved.suggestedFilename()).toBe(`${name}.pdf`)
  const check = await stranger()
  await check.goto('/verify')
  await check
    .getByLabel('Файлы для проверки')
    .setInputFiles([
      { name: 'signed.pdf', mimeType: 'application/pdf', buffer: readFileSync(await saved.path()) },
    ])
  await expect(check.getByRole('heading', { level: 2, name: /действительн/ })).toBeVisible()
  for (const signer of [/Серікова Айгерім/i, /Соколова Анна/i]) {
    await expect(check.getByText(signer).first()).toBeVisible()
  }
})
