/** A signature inside XML: asked for at a point, given at the desktop program, checked by a stranger. */
import { readFileSync } from 'node:fs'
import { saveOptions } from '@kelisim/domain/options/contract.ts'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest, signingDialog, signOnPage, type Sent } from './requests.ts'

// There is one signing program per computer, so people take turns.
test.describe.configure({ mode: 'default', timeout: 180_000 })

test('XML is signed inside, and the signed file is valid for anybody who checks it', async ({
  callerOf,
  stranger,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const file = Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?><счёт xmlns="urn:demo"><сумма валюта="KZT">100</сумма></счёт>',
  )
  const { address, name } = await sendXml(author, file)

  await author.goto(address)
  await expect(author.getByText('<сумма валюта="KZT">100</сумма>')).toBeVisible()
  await author.getByRole('button', { name: 'Подписать ЭЦП', exact: true }).click()
  const dialog = signingDialog(author)
  await expect(dialog.getByText('Подпись встанет внутрь XML')).toBeVisible()
  await dialog.getByText('Телефон', { exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Подпись внутри XML ставят на компьютере')
  await expectAccessible(author)
  await dialog.getByRole('button', { name: 'Закрыть' }).first().click()
  await signOnPage(author, 'Подписать ЭЦП', /СЕРІКОВА АЙГЕРІМ.*Алтын Дала/s, baseURL)
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()

  await author.goto(address)
  const arriving = author.waitForEvent('download')
  await author.getByRole('button', { name: 'Скачать: XML с подписью внутри', exact: true }).click()
  const saved = await arriving
  expect(saved.suggestedFilename()).toBe(`${name}.xml`)
  const signed = readFileSync(await saved.path())
  expect(signed.toString().startsWith(file.toString().replace('</счёт>', '<ds:Signature'))).toBe(true)
  const check = await stranger()
  await check.goto('/verify')
  await check
    .getByLabel('Файлы для проверки')
    .setInputFiles([{ name: 'signed.xml', mimeType: 'application/xml', buffer: signed }])
  await expect(check.getByRole('heading', { level: 2, name: /действительн/ })).toBeVisible()
  await expect(check.getByText(/Серікова Айгерім/i).first()).toBeVisible()
})

/** Other journeys upload to the same organisation, so it accepts XML only for this moment. */
async function sendXml(author: Page, file: Buffer): Promise<Sent> {
  const organizationId = organizationOf(author)
  await callFrom(author, saveOptions, { organizationId, documentsUploadXml: true })
  try {
    const point = { name: 'Руководство', group: 'Руководство', signatureForm: 'xades' } as const
    return await sendRequest(author, [{ ...point, type: 'CompanyInternalSign' }], { file, ending: 'xml' })
  } finally {
    await callFrom(author, saveOptions, { organizationId, documentsUploadXml: false })
  }
}
