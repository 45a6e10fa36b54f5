/**
 * The public check page: anyone with a file or a printed document learns whether its signatures are valid, without
 * uploading it.
 */
import { readFileSync } from 'node:fs'
import { updateRequest } from '@kelisim/domain/requests/contract.ts'
import { makeAccessCodes } from '@kelisim/domain/requests/holder-contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import type { Page, Request } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf } from './requests.ts'
import { signedFiles, type BroughtFile } from './signed-files.ts'

const dataDir = () => process.env['E2E_DATA_DIR']!

async function bring(page: Page, ...files: BroughtFile[]): Promise<void> {
  const again = page.getByRole('button', { name: 'Проверить другие' })
  if (await again.isVisible()) await again.click()
  await page.getByLabel('Файлы для проверки').setInputFiles(files)
}

const verdict = (page: Page, sentence: string) =>
  page.getByRole('heading', { level: 2, name: sentence, exact: true })

test('a document and its signature are judged in the browser: who, when and why; nothing of the file is sent', async ({
  stranger,
}) => {
  const files = await signedFiles(dataDir())
  const page = await stranger()
  const requests: Request[] = []
  page.context().on('request', (request) => requests.push(request))
  await page.goto('/verify')
  await expectAccessible(page)

  await bring(page, files.good, files.document)
  await expect(verdict(page, 'Подпись действительна')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Ізбасарова Ұлжан Қайратқызы' })).toBeVisible()
  await expect(page.getByText('первый руководитель', { exact: true })).toBeVisible()
  await expect(
    page.getByText('Сертификат подписавшего не отозван: ответ службы OCSP «', { exact: false }),
  ).toBeVisible()
  await page.getByText('Подробности').click()
  await expect(page.getByText('не отозван, ответ службы OCSP от', { exact: false })).toBeVisible()
  await expectAccessible(page)

  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Сохранить заключение (PDF)' }).click()
  const saved = await arriving
  expect(saved.suggestedFilename()).toBe('Заключение о проверке.pdf')
  expect(
    readFileSync(await saved.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')

  await bring(page, files.changed, files.good)
  await expect(verdict(page, 'Подпись недействительна')).toBeVisible()
  await expect(page.getByText('(DS-202)')).toBeVisible()
  for (const [file, code] of [
    [files.expired, 'DS-413'],
    [files.revoked, 'DS-501'],
    [files.foreign, 'DS-406'],
  ] as const) {
    await bring(page, files.document, file)
    await expect(verdict(page, 'Подпись не подтверждена')).toBeVisible()
    await expect(page.getByText(`(${code})`)).toBeVisible()
  }
  await expectAccessible(page)

  // A signature alone asks for its document, and is checked once it is there.
  await bring(page, files.good)
  await expect(verdict(page, 'Не хватает документа')).toBeVisible()
  await page.getByLabel('Файлы для проверки').setInputFiles([files.document])
  await expect(verdict(page, 'Подпись действительна')).toBeVisible()
  await bring(page, files.electronic)
  await expect(verdict(page, 'Подпись действительна')).toBeVisible()

  const asked = requests.map((request) => new URL(request.url()).pathname)
  expect(asked).toContain('/api/unauth/Revocation')
  for (const request of requests) {
    const sent = `${decodeURIComponent(request.url())} ${request.postData() ?? ''}`
    expect(sent).not.toContain('Договор')
    expect(sent.length, sent.slice(0, 200)).toBeLessThan(400)
    const isQuestion =
      request.method() === 'GET' || new URL(request.url()).pathname === '/api/unauth/Revocation'
    expect(isQuestion, request.url()).toBe(true)
  }
})

test('a PDF with signatures inside: what each of them signed, what came later, and a change of the text', async ({
  stranger,
}) => {
  const files = await signedFiles(dataDir())
  const page = await stranger()
  await page.goto('/verify')
  await bring(page, files.signedPdf)
  await expect(verdict(page, 'Все подписи действительны')).toBeFocused()
  await expect(page.getByText('весь файл', { exact: true })).toBeVisible()
  await expect(page.getByText('версия 2 из 3: после неё к файлу добавляли')).toBeVisible()
  await expect(page.getByText('другие подписи', { exact: true })).toBeVisible()
  await expectAccessible(page)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Сохранить версию, которую подписали' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('Договор № 8 (2).pdf')
  expect(new Uint8Array(readFileSync(await saved.path()))).toEqual(files.firstVersion)

  await bring(page, files.changedPdf)
  await expect(verdict(page, 'Есть недействительная подпись')).toBeVisible()
  await expect(page.getByText('изменён сам документ').first()).toBeVisible()
  await expect(page.getByText('(DS-204)').first()).toBeVisible()
  await expectAccessible(page)

  await bring(page, files.signedXml)
  await expect(verdict(page, 'Подпись действительна')).toBeVisible()
  const part = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Сохранить то, что подписано' }).click()
  expect(readFileSync(await (await part).path(), 'utf8')).toBe('<invoice><sum>100</sum></invoice>')
})

test('archives and e-mails are opened, and show what is signed in them and what is not', async ({
  stranger,
}) => {
  const files = await signedFiles(dataDir())
  const page = await stranger()
  await page.goto('/verify')
  for (const container of [files.set, files.letter]) {
    await bring(page, container)
    await expect(verdict(page, 'Подпись действительна')).toBeFocused()
    await expect(page.getByText(container.name, { exact: true })).toBeVisible()
    await expect(page.getByText('Договор № 7.pdf', { exact: true })).toBeVisible()
  }
  await bring(page, files.setWithMore)
  await expect(verdict(page, 'Подписано не всё')).toBeFocused()
  await expect(page.getByText('Без подписи: счёт.docx')).toBeVisible()
  await expect(verdict(page, 'Подпись действительна')).toBeVisible()
  await expect(verdict(page, 'Подписи нет')).toBeVisible()
  await expectAccessible(page)
})

test('a signature is read from a scan of its codes, and judged against the document beside it', async ({
  stranger,
}) => {
  const files = await signedFiles(dataDir())
  const page = await stranger()
  await page.goto('/verify')
  await bring(page, files.scan)
  await expect(verdict(page, 'Не хватает документа')).toBeFocused()
  await page.getByLabel('Файлы для проверки').setInputFiles([files.document])
  await expect(verdict(page, 'Подпись действительна')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Ізбасарова Ұлжан Қайратқызы' })).toBeVisible()
  await expect(page.getByText('Подписи прочитаны с файла «Скан.png»')).toBeVisible()
  await bring(page, files.scan, files.changed)
  await expect(verdict(page, 'Подпись недействительна')).toBeFocused()
  await expectAccessible(page)

  const scanner = await page.context().newPage()
  await scanner.setContent(
    `<img alt="" style="width: 180mm" src="data:image/png;base64,${base64Of(files.scan)}">`,
  )
  const buffer = await scanner.pdf({ format: 'A4' })
  await bring(page, { name: 'Скан.pdf', mimeType: 'application/pdf', buffer }, files.document)
  await expect(verdict(page, 'Подпись действительна')).toBeFocused()
})

const base64Of = ({ buffer }: BroughtFile) => buffer.toString('base64')

test('the check page works offline after one visit, and says what could not be asked', async ({
  stranger,
}) => {
  const files = await signedFiles(dataDir())
  const page = await stranger()
  await page.goto('/verify')
  // Waits until the browser has stored the page for offline use, and the trusted certificates.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    const isKept = () =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('kelisim-verify')
        opening.addEventListener('success', () => {
          const database = opening.result
          if (!database.objectStoreNames.contains('trust')) resolve(false)
          else {
            const found = database.transaction('trust').objectStore('trust').count()
            found.addEventListener('success', () => resolve(found.result > 0))
          }
          database.close()
        })
      })
    while (!(await isKept())) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
  await page.context().setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Проверка подписи' })).toBeVisible()
  await bring(page, files.changed, files.good)
  await expect(verdict(page, 'Подпись недействительна')).toBeFocused()
  await bring(page, files.document, files.good)
  await expect(verdict(page, 'Сейчас сказать нельзя')).toBeFocused()
  await expect(page.getByRole('note')).toContainText(
    'Проверено без сети. Не спрошено, отозваны ли сертификаты',
  )
  await expectAccessible(page)
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Сохранить заключение (PDF)' }).click()
  expect((await arriving).suggestedFilename()).toBe('Заключение о проверке.pdf')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Повторить' }).click()
  await expect(verdict(page, 'Подпись действительна')).toBeFocused()
  await expect(page.getByRole('note')).toHaveCount(0)
})

test('the code of a printed document, typed or in the address, shows who signed', async ({
  callerOf,
  stranger,
}) => {
  const author = await callerOf(people.owner)
  const organizationId = organizationOf(author)
  const { items } = await callFrom(author, getRequests, {
    organizationId,
    route: 'outgoings',
    skip: 0,
    take: 1,
    status: requestStatuses.of('Completed'),
  })
  const { id: signingRequestId, name } = items[0]!
  const generationSetting = { additionalComponents: 3, accessCodeExpirationDate: '2099-12-31' }
  await callFrom(author, updateRequest, { organizationId, signingRequestId, generationSetting })
  const { letters } = await callFrom(author, makeAccessCodes, { organizationId, signingRequestId })

  const holder = await stranger({ language: 'kk', width: 375 })
  await holder.goto('/Verify')
  const field = holder.getByLabel('Қолжетімділік коды')
  await field.fill('ACDE FGHJ')
  await holder.getByRole('button', { name: 'Код бойынша ашу' }).click()
  await expect(holder.getByText('Код сәйкес келмейді', { exact: false })).toBeVisible()
  await expectAccessible(holder)
  await field.fill(letters!.toLowerCase())
  await field.press('Enter')
  await expect(holder.getByRole('heading', { name })).toBeVisible()
  await expect(holder.getByText('Код 31.12.2099 дейін жарамды.', { exact: false })).toBeVisible()
  await expectAccessible(holder)

  await holder.goto('/')
  await holder.goto(`/verify#code=${letters}`)
  await expect(holder.getByRole('heading', { name })).toBeVisible()
  const arriving = holder.waitForEvent('download')
  await holder.getByRole('button', { name: 'Құжатты жүктеп алу' }).click()
  await arriving
})
