/**
 * While the certification centre is unavailable, every open page shows the state of the signature until it is final.
 */
import { makePdf } from '@kelisim/demo/sample-files.ts'
import type { APIRequestContext } from '@playwright/test'
import { expect, people, test } from './fixtures.ts'
import {
  openOnPhone,
  portAfter,
  sendRequest,
  signAtTheWindow,
  signingDialog,
  signOnPage,
  signOnPhone,
  type StepPoint,
} from './requests.ts'

// there is one signing program per computer, so people take turns
test.describe.configure({ mode: 'default', timeout: 180_000 })

const heads: StepPoint = { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство' }
const accountants: StepPoint = { type: 'InternalApprove', name: 'Бухгалтерия', group: 'Бухгалтерия' }
const headsKey = /СЕРІКОВА АЙГЕРІМ.*Алтын Дала/s
const firmsKey = /СОКОЛОВА АННА.*Жаңа Жол/s
/** The first repeated check comes after half a minute. */
const untilNextCheck = { timeout: 90_000 }

/** Both services respond, but with nothing that can be trusted. */
async function withoutCentre(
  request: APIRequestContext,
  baseURL: string | undefined,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const faults = (data: Record<'ocsp' | 'crl', string>) =>
    request.post(`${portAfter(baseURL, 1)}/faults`, { data })
  await faults({ ocsp: 'try-later', crl: 'garbage' })
  try {
    await meanwhile()
  } finally {
    await faults({ ocsp: 'ok', crl: 'ok' })
  }
}

test('signing on the computer: the dialog and the page of a colleague wait, and then show the result', async ({
  pageOf,
  callerOf,
  request,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { address, id } = await sendRequest(author, [heads, accountants])
  const colleague = await pageOf(people.pointsAdministrator, { language: 'ru' })
  await colleague.goto(`/signingRequests/redirect/${id}`)
  await expect(colleague.getByRole('heading', { level: 2, name: 'В процессе' })).toBeVisible()
  await author.goto(address)
  const dialog = signingDialog(author)
  await withoutCentre(request, baseURL, async () => {
    await signOnPage(author, 'Подписать ЭЦП', headsKey, baseURL)
    await expect(dialog.getByText(/^Подпись сохранена и проверяется/)).toBeVisible()
    await expect(colleague.getByText(/^Проверка подписи/)).toBeVisible()
    await expect(
      colleague.getByText(/^Служба удостоверяющего центра не отвечает. Следующая проверка/),
    ).toBeVisible()
  })
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible(untilNextCheck)
  await expect(colleague.getByRole('heading', { level: 2, name: 'Ждёт вашего согласования' })).toBeVisible()
})

test('signing by phone: the dialog that showed the code waits, and then shows the result', async ({
  callerOf,
  request,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { address } = await sendRequest(author, [heads])
  await author.goto(address)
  await author.getByRole('button', { name: 'Подписать ЭЦП' }).click()
  const dialog = signingDialog(author)
  const phone = await openOnPhone(author)
  await withoutCentre(request, baseURL, async () => {
    await signOnPhone(phone, headsKey)
    await expect(dialog.getByText(/^Подпись сохранена и проверяется/)).toBeVisible()
  })
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible(untilNextCheck)
})

test('quick send: nothing is sent unchecked, and the same signature is sent when the centre is back', async ({
  stranger,
  request,
  baseURL,
}) => {
  const name = `Договор без центра ${Date.now()}.pdf`
  const sender = await stranger()
  await sender.goto('/')
  await sender.locator('#quick-send').getByRole('button').first().click()
  await sender
    .locator('input[name=file]')
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: makePdf(['Договор', name]) })
  await sender.getByLabel('БИН или ИИН получателя').fill('910619400478')
  await sender.getByLabel('Почта получателя', { exact: true }).fill('anna-outage@example.kz')
  await sender.getByLabel('Ваша почта', { exact: true }).fill('director-outage@example.kz')
  await sender.getByLabel('Ваш телефон', { exact: true }).fill('+7 701 000 00 00')
  await sender.getByRole('checkbox', { name: /Согласен с/ }).check()
  await sender.locator('#quick-send').getByRole('checkbox', { name: 'Я не робот' }).check()
  await sender.getByRole('button', { name: 'Перейти к подписи' }).click()
  await withoutCentre(request, baseURL, async () => {
    await sender.getByRole('button', { name: 'Подписать через NCALayer' }).click()
    await expect(sender.getByText('Выберите ключ в окне NCALayer')).toBeVisible()
    await signAtTheWindow(sender, firmsKey, baseURL)
    await expect(sender.getByText(/^Подпись сейчас нельзя проверить/)).toBeVisible()
  })
  await sender.getByRole('button', { name: 'Повторить отправку' }).click()
  await expect(sender.getByRole('heading', { name: 'Документ отправлен' })).toBeVisible()
})
