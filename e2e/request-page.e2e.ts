/**
 * The life of a document between people: approved, signed inside, signed outside, read; rejected, withdrawn,
 * terminated.
 */
import { addClassifier } from '@kelisim/domain/classifiers/contract.ts'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, expectWholeLabels, people, test } from './fixtures.ts'
import {
  callFrom,
  openOnPhone,
  organizationOf,
  sendRequest,
  signAtTheWindow,
  signingDialog,
  signOnPage,
  signOnPhone,
  type StepPoint,
} from './requests.ts'

// there is one signing program per computer, so people take turns
test.describe.configure({ mode: 'default', timeout: 120_000 })

const newFirm = { bin: '250340012341', organizationName: 'ТОО «Жаңа Жол»' }
const lawyers: StepPoint = { type: 'InternalApprove', name: 'Юристы', group: 'Юристы' }
const accountants: StepPoint = { type: 'InternalApprove', name: 'Бухгалтерия', group: 'Бухгалтерия' }
const heads: StepPoint = { type: 'CompanyInternalSign', name: 'Руководство', group: 'Руководство' }
const headsKey = /СЕРІКОВА АЙГЕРІМ.*Алтын Дала/s
const shows = (page: Page, words: string) =>
  expect(page.getByRole('heading', { level: 2, name: words })).toBeVisible()

test('a request is approved by two groups at once, signed inside, signed by an outsider with only a key, then read', async ({
  pageOf,
  callerOf,
  stranger,
  baseURL,
}) => {
  test.setTimeout(240_000)
  const author = await callerOf(people.owner)
  const { address, id, name } = await sendRequest(author, [
    [lawyers, accountants],
    heads,
    { type: 'ExternalSign', name: 'Жаңа Жол', ...newFirm },
    { type: 'InternalInformation', name: 'К сведению', group: 'Бухгалтерия' },
  ])
  await author.goto(address)
  await expect(author.getByRole('heading', { level: 1, name })).toBeVisible()
  await shows(author, 'В процессе')
  const waiting = author.getByRole('list', { name: 'Сейчас ждём:' })
  await expect(waiting.getByRole('listitem')).toHaveCount(2)
  await expect(waiting.getByText('Юристы', { exact: true })).toBeVisible()
  await expect(waiting.getByText(/^с \d\d\.\d\d, \d\d:\d\d$/).first()).toBeVisible()
  await expect(author.getByText('1 / 2', { exact: true })).toBeVisible()
  await expectAccessible(author)
  await author.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await author.getByRole('button', { name: 'Скопировать ссылку', exact: true }).click()
  const link = await author.evaluate(() => navigator.clipboard.readText())
  expect(new URL(link).pathname).toBe(`/signingRequests/redirect/${id}`)
  await author.getByRole('button', { name: 'Обновить', exact: true }).click()
  await expect(author.getByText('Обновлено', { exact: true })).toBeVisible()

  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })
  await shows(lawyer, 'Ждёт вашего согласования')
  await lawyer.getByRole('button', { name: 'Согласовать', exact: true }).click()
  const approving = lawyer.getByRole('dialog', { name: 'Согласовать документ' })
  // The accountants also have to answer before the document goes on.
  await expect(approving.getByText('когда ответят и остальные: Бухгалтерия')).toBeVisible()
  await approving.getByLabel('Комментарий').fill('Условия проверены')
  await expectAccessible(lawyer)
  await approving.getByRole('button', { name: 'Согласовать' }).click()
  await expect(lawyer.getByText('Условия проверены').first()).toBeVisible()

  // The author's page updates by itself, with a discreet message.
  await expect(waiting.getByRole('listitem')).toHaveCount(1)
  await expect(waiting.getByText(people.inTwo, { exact: false })).toBeVisible()
  await expect(author.getByText(/^Обновлено в \d\d:\d\d$/)).toBeVisible()
  await expect(author.getByText('«Условия проверены»')).toBeVisible()

  const accountant = await callerOf(people.inTwo)
  await accountant.goto(`/signingRequests/redirect/${id}`)
  await expect(accountant).toHaveURL(/\/signingRequests\/incomings\//)
  await accountant.getByRole('button', { name: 'Согласовать', exact: true }).click()
  await expect(accountant.getByText('Документ пойдёт дальше по маршруту.')).toBeVisible()
  await accountant.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()

  await shows(author, 'Ждёт вашей подписи')
  await author.getByRole('button', { name: 'Подписать ЭЦП' }).click()
  const dialog = signingDialog(author)
  await expect(dialog.getByText('Нужен ключ с БИН/ИИН 260 140 020 007')).toBeVisible()
  await dialog.getByLabel('Комментарий').fill('Черновик')
  await author.reload()
  await author.getByRole('button', { name: 'Подписать ЭЦП' }).click()
  await expect(dialog.getByText('Восстановлен черновик')).toBeVisible()
  await expect(dialog.getByLabel('Комментарий')).toHaveValue('Черновик')
  await dialog.getByRole('button', { name: 'Очистить' }).click()
  await expect(dialog.getByLabel('Комментарий')).toHaveValue('')
  await expect(dialog.getByText('Восстановлен черновик')).toBeHidden()
  await dialog.getByLabel('Комментарий').fill('Подписываю')
  await expectAccessible(author)
  await dialog.getByRole('button', { name: 'Выбрать ключ и подписать' }).click()
  await expect(dialog.getByText('Файл цел: контрольная сумма совпала')).toBeVisible()
  await expectAccessible(author)
  await signAtTheWindow(author, headsKey, baseURL)
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()
  await expectAccessible(author)
  await dialog.getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  await shows(author, 'В процессе')
  await author.getByRole('button', { name: /^Подпись: Серікова Айгерім/ }).click()
  await expect(author.getByText('Подпись верна', { exact: true })).toBeVisible()
  await expect(author.getByText('Не отозван (OCSP)')).toBeVisible()
  await expectAccessible(author)

  // An anonymous visitor gets the entry page, and signs in with the key alone, without an account.
  const outsider = await stranger()
  await outsider.goto(`/signingRequests/outsider/${id}?number=250340012341`)
  await expect(outsider).toHaveURL(/\/signingRequests\/redirect\//)
  await expect(outsider.getByText('БИН/ИИН получателя: 250 340 012 341')).toBeVisible()
  // Without the link from the e-mail the page shows nothing about the document.
  await expect(outsider.getByRole('heading', { name: 'Документ для подписания' })).toBeVisible()
  await expect(outsider.getByText(name)).toHaveCount(0)
  await expect(outsider.getByRole('link', { name: 'Сменить учётную запись' })).toHaveCount(0)
  await outsider.getByRole('link', { name: 'Открыть с NCALayer' }).click()
  await expect(outsider.getByText('Выберите ключ и введите пароль в окне NCALayer')).toBeVisible()
  await signAtTheWindow(outsider, /СОКОЛОВА АННА.*Жаңа Жол/s, baseURL)
  await expect(outsider.getByRole('heading', { level: 1, name })).toBeVisible()
  await shows(outsider, 'Ждёт вашей подписи')
  // She may not see the internal approvals.
  await expect(outsider.getByText('Юристы')).toHaveCount(0)
  await expectAccessible(outsider)
  await signOnPage(outsider, 'Подписать ЭЦП', /СОКОЛОВА АННА.*Жаңа Жол/s, baseURL)
  await expect(signingDialog(outsider).getByText('Документ подписан, подпись проверена.')).toBeVisible()
  await signingDialog(outsider).getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  await shows(outsider, 'Завершён')

  await shows(author, 'Завершён')
  const history = author.getByRole('list', { name: 'История' })
  await expect(history.getByText('Подписано: Соколова Анна Игоревна')).toBeVisible()
  await expect(history.getByText('Документ отправлен: Айгерім Серікова')).toBeVisible()
  await expect(history.getByText('Маршрут завершён')).toBeHidden()
  await author.getByLabel('Подробно').check()
  await expect(history.getByText('Маршрут завершён')).toBeVisible()
  await author.getByRole('button', { name: 'Подписи (2)' }).click()
  const signature = author.waitForEvent('download')
  await author.getByRole('button', { name: /^Скачать: Подпись: Соколова/ }).click()
  expect((await signature).suggestedFilename()).toBe(`${name}.pdf.cms`)

  // The seal offers the signed document with one press, its check, and the link.
  await expect(author.getByText('2 подписи проверены')).toBeVisible()
  await expect(author.getByRole('link', { name: 'Проверить', exact: true })).toHaveAttribute(
    'href',
    '/verify',
  )
  const printable = author.waitForEvent('download')
  await author.getByRole('button', { name: 'Скачать подписанный' }).click()
  expect((await printable).suggestedFilename()).toBe(`${name} — для печати.pdf`)
  await expectAccessible(author)
})

test('a request is rejected with a required reason; the typed reason survives a change by somebody else', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address, id } = await sendRequest(author, [[lawyers, accountants], heads])
  const lawyer = await pageOf(people.routesAdministrator, {
    language: 'ru',
    at: `/signingRequests/incomings/${id}`,
  })
  await lawyer.getByRole('button', { name: 'Отклонить' }).click()
  const dialog = lawyer.getByRole('dialog', { name: 'Отклонить документ?' })
  await dialog.getByRole('button', { name: 'Отклонить' }).click()
  await expect(dialog.getByLabel('Причина')).toBeFocused()
  await dialog.getByLabel('Причина').fill('Нет приложения № 1')

  const accountant = await callerOf(people.inTwo)
  await accountant.goto(`/signingRequests/redirect/${id}`)
  await accountant.getByRole('button', { name: 'Согласовать', exact: true }).click()
  await accountant.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
  await expect(accountant.getByText('Согласовано').first()).toBeVisible()

  await expect(dialog.getByRole('alert')).toContainText('Пока окно открыто, документ изменился')
  await expect(dialog.getByLabel('Причина')).toHaveValue('Нет приложения № 1')
  await dialog.getByRole('button', { name: 'Отклонить' }).click()
  await shows(lawyer, 'Отклонён')
  await author.goto(address)
  await shows(author, 'Отклонён')
  await expect(author.getByText(/(Төлегенов|Ерлан).*Нет приложения № 1/).first()).toBeVisible()
})

test('a request is withdrawn by its author: nobody can act any more, on a phone and in Kazakh', async ({
  callerOf,
}) => {
  const author = await callerOf(people.owner, { width: 375, language: 'kk' })
  const { address } = await sendRequest(author, [lawyers, heads])
  await author.goto(address)
  await shows(author, 'Орындалуда')
  await expect(author.getByText('1 / 2', { exact: true })).toBeHidden()
  await author.getByRole('radiogroup').getByText('Құжат', { exact: true }).click()
  await expect(author.getByText('1 / 2', { exact: true })).toBeVisible()
  await author.getByText('Не істеу керек').click()
  await expectAccessible(author)
  await expectNoOverflow(author)
  await author.getByRole('button', { name: 'Басқа әрекеттер' }).click()
  await author.getByRole('menuitem', { name: 'Қайтарып алу' }).click()
  const dialog = author.getByRole('dialog', { name: 'Құжатты қайтарып аласыз ба?' })
  await dialog.getByLabel('Себебі').fill('Қате файл')
  await dialog.getByRole('button', { name: 'Қайтарып алу' }).click()
  await shows(author, 'Қайтарып алынды')
  await expect(author.getByRole('button', { name: 'Басқа әрекеттер' })).toBeHidden()
})

test('a wrong key is detected before anything is sent; cancelling changes nothing', async ({
  callerOf,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { address } = await sendRequest(author, [heads])
  await author.goto(address)
  await signOnPage(author, 'Подписать ЭЦП', /СЕРІКОВА АЙГЕРІМ.*физическое лицо.*ГОСТ/s, baseURL)
  const dialog = signingDialog(author)
  await expect(dialog.getByRole('alert')).toContainText('Выбран не тот ключ')
  await expect(dialog.getByRole('alert')).toContainText('260 140 020 007')
  await expect(dialog.getByRole('alert')).toContainText('850 412 400 310')
  await expectAccessible(author)
  await dialog.getByRole('button', { name: 'Выбрать другой ключ' }).click()
  await expect(dialog.getByText('Выберите ключ и введите пароль в окне NCALayer')).toBeVisible()
  await dialog.getByRole('button', { name: 'Отменить подписание' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Подписание отменено пользователем')
  await dialog.getByRole('button', { name: 'Попробовать ещё раз' }).click()
  await signAtTheWindow(author, headsKey, baseURL)
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()
})

test('with a timestamp the key is asked for twice; an approval is confirmed with the personal key', async ({
  callerOf,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { address } = await sendRequest(author, [{ ...lawyers, group: 'Руководство', isEds: true }, heads], {
    isTimestampRequired: true,
  })
  await author.goto(address)
  await shows(author, 'Ждёт вашего согласования с ЭЦП')
  for (const [button, key] of [
    ['Согласовать с ЭЦП', /СЕРІКОВА АЙГЕРІМ.*физическое лицо.*ГОСТ/s],
    ['Подписать ЭЦП', headsKey],
  ] as const) {
    const dialog = signingDialog(author)
    await signOnPage(author, button, key, baseURL, dialog.getByText('Ещё раз тот же ключ', { exact: false }))
    await expect(dialog.getByText(/подпись проверена\./)).toBeVisible()
    await dialog.getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  }
  await shows(author, 'Завершён')
})

test('while a signature is being checked the dialog says so, and then shows the result', async ({
  callerOf,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { address } = await sendRequest(author, [heads])
  await author.goto(address)
  // As if the certification centre had not answered yet when the signature came.
  await author.route('**/sign', async (route) => {
    const response = await route.fetch()
    const request = (await response.json()) as { points: { signatures: { state: string }[] }[] }
    for (const signature of request.points.flatMap(({ signatures }) => signatures))
      signature.state = 'checking'
    await route.fulfill({ response, json: request })
  })
  const dialog = signingDialog(author)
  await signOnPage(author, 'Подписать ЭЦП', headsKey, baseURL)
  await expect(dialog.getByText(/^Подпись сохранена и проверяется/)).toBeVisible()
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()
})

test('the signer locks the document; another person is told who it is, and may sign when the dialog closes', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const both: StepPoint = { type: 'EmployeeInternalSign', name: 'Подписывают', group: 'Бухгалтерия' }
  const { id } = await sendRequest(author, [both])
  const one = await pageOf(people.inTwo)
  const other = await callerOf(people.pointsAdministrator, { language: 'ru' })
  for (const page of [one, other]) await page.goto(`/signingRequests/redirect/${id}`)
  await expect(other.getByRole('button', { name: 'Подписать ЭЦП' })).toBeVisible()
  await one.getByRole('button', { name: 'Подписать ЭЦП' }).click()
  await expect(signingDialog(one).getByRole('button', { name: 'Выбрать ключ и подписать' })).toBeVisible()
  await expect(other.getByText('Сейчас документ подписывает Данияр Омаров', { exact: false })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Подписать ЭЦП' })).toBeHidden()
  await one.keyboard.press('Escape')
  await expect(other.getByRole('button', { name: 'Подписать ЭЦП' })).toBeVisible()
})

test('a document is confirmed as read by keyboard alone', async ({ callerOf }) => {
  const author = await callerOf(people.owner)
  const reading: StepPoint = {
    type: 'InternalInformationConfirm',
    name: 'Ознакомиться',
    group: 'Руководство',
  }
  const { address } = await sendRequest(author, [reading])
  await author.goto(address)
  await author.getByRole('button', { name: 'Подтвердить ознакомление' }).focus()
  await author.keyboard.press('Enter')
  const dialog = author.getByRole('dialog', { name: 'Подтвердить ознакомление' })
  await expect(dialog.getByLabel('Комментарий')).toBeFocused()
  await author.keyboard.type('Прочитано')
  await author.keyboard.press('Tab')
  await author.keyboard.press('Tab')
  await author.keyboard.press('Enter')
  await shows(author, 'Завершён')
  await expect(author.getByText('«Прочитано»')).toBeVisible()
})

test('a request is terminated: a comment is required, the terminating document is shown and signed', async ({
  callerOf,
  baseURL,
}) => {
  const author = await callerOf(people.owner)
  const { address, name } = await sendRequest(author, [heads])
  await author.goto(address)
  const dialog = signingDialog(author)
  await signOnPage(author, 'Подписать ЭЦП', headsKey, baseURL)
  await dialog.getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  await shows(author, 'Завершён')
  await author.getByRole('button', { name: 'Ещё действия' }).click()
  await author.getByRole('menuitem', { name: 'Расторгнуть' }).click()
  const asking = author.getByRole('dialog', { name: 'Расторгнуть документ?' })
  await asking.getByRole('button', { name: 'Расторгнуть' }).click()
  await expect(asking.getByLabel('Причина')).toBeFocused()
  await asking.getByLabel('Причина').fill('я'.repeat(7500))
  await expect(asking.getByText(/Осталось.*500/)).toBeVisible()
  await asking.getByLabel('Причина').fill('Поставка отменена по соглашению сторон')
  await asking.getByRole('button', { name: 'Расторгнуть' }).click()
  await shows(author, 'Ждёт вашей подписи под расторжением')
  await expect(author.getByText('Соглашение о расторжении').first()).toBeVisible()
  await expect(author.getByText('1 / 1', { exact: true })).toBeVisible()
  await expect(author.getByText(`Соглашение о расторжении — ${name}.pdf`).first()).toBeVisible()
  await expectAccessible(author)
  await signOnPage(author, 'Подписать расторжение', headsKey, baseURL)
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  await shows(author, 'Расторгнут')
})

test('a request is signed by phone: the page that shows the code follows it', async ({ callerOf }) => {
  const author = await callerOf(people.owner)
  const { address } = await sendRequest(author, [heads])
  await author.goto(address)
  await author.getByRole('button', { name: 'Подписать ЭЦП' }).click()
  const dialog = signingDialog(author)
  const phone = await openOnPhone(author)
  await expect(dialog.getByText(/^Код действует ещё/)).toBeVisible()
  await expect(dialog.getByLabel('Комментарий')).toBeDisabled()
  await expectAccessible(author)
  await expect(dialog.getByText('Документ открыт в телефоне', { exact: false })).toBeVisible()
  await signOnPhone(phone, headsKey)
  await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть', exact: true }).last().click()
  await shows(author, 'Завершён')
})

for (const width of [1440, 375]) {
  test(`after a signature the next document that waits is one click away, at ${width} px`, async ({
    callerOf,
    baseURL,
  }) => {
    const author = await callerOf(people.owner, { width })
    const { address } = await sendRequest(author, [heads])
    await sendRequest(author, [heads])
    await author.goto(address)
    const search = Promise.withResolvers<void>()
    await author.route(/\/incomings\/0\/20\?/, async (route) => {
      await search.promise
      await route.continue()
    })
    await signOnPage(author, 'Подписать ЭЦП', headsKey, baseURL)
    const dialog = signingDialog(author)
    await expect(dialog.getByText('Документ подписан, подпись проверена.')).toBeVisible()
    // No timestamp was asked for, so its step is not there.
    await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(5)
    const close = dialog.getByRole('button', { name: 'Закрыть', exact: true }).last()
    const next = dialog.getByRole('link', { name: /^Следующий документ \(\d+\)$/ })
    await expect(next).toBeHidden()
    const before = (await close.boundingBox())!
    search.resolve()
    await expect(next).toBeVisible()
    // The button hardly moves, so that a person about to press it does not press another; numbers differ in width.
    const after = (await close.boundingBox())!
    expect([after.y, after.height]).toEqual([before.y, before.height])
    expect(Math.abs(after.x - before.x)).toBeLessThan(24)
    await next.click()
    await expect(author).toHaveURL(/\/signingRequests\/incomings\//)
    await expect(dialog).toBeHidden()
    await expect(author.getByRole('heading', { level: 2, name: /^Ждёт ваше/ })).toBeVisible()
  })
}

for (const { language, sign } of [
  { language: 'ru', sign: 'Подписать ЭЦП' },
  { language: 'kk', sign: 'ЭЦҚ-мен қол қою' },
  { language: 'en', sign: 'Sign' },
] as const) {
  test(`on a narrow phone the names of the signing apps are not cut off: ${language}`, async ({
    callerOf,
  }) => {
    const author = await callerOf(people.owner)
    const { address } = await sendRequest(author, [heads])
    const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36'
    const phone = await callerOf(people.owner, { language, width: 360, userAgent })
    await phone.goto(address)
    await phone.getByRole('button', { name: sign, exact: true }).click()
    const dialog = phone.getByRole('dialog')
    await expect(dialog.getByRole('link', { name: /eGov Business/ })).toBeVisible()
    await expectWholeLabels(dialog)
  })
}

test('people who may edit a request tag it and choose what the printed form contains', async ({
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address } = await sendRequest(author, [lawyers])
  const organizationId = organizationOf(author)
  const tag = `Поставки ${crypto.randomUUID().slice(0, 8)}`
  await callFrom(author, addClassifier, { organizationId, name: tag })
  await author.goto(address)
  await author.getByRole('button', { name: 'Изменить' }).click()
  // Chosen with the keyboard, because the list moves while it is filled and a click may miss.
  const tags = author.getByRole('combobox', { name: 'Выберите классификаторы' })
  await tags.fill(tag)
  await expect(author.getByRole('option', { name: tag })).toBeVisible()
  await tags.press('ArrowDown')
  await tags.press('Enter')
  await tags.press('Escape')
  await author.getByRole('button', { name: 'Сохранить' }).click()
  await expect(author.getByText('Классификаторы сохранены')).toBeVisible()
  await author.getByLabel('Код из букв и цифр').check()
  await author.getByLabel('Код действует до').fill('31022027')
  await author.getByLabel('Код действует до').blur()
  await expect(author.getByText('Такой даты нет')).toBeVisible()
  await author.getByLabel('Код действует до').fill('28022027')
  await author.getByRole('button', { name: 'Сохранить' }).click()
  await expect(author.getByText('Настройки кода сохранены')).toBeVisible()
  await author.reload()
  await expect(author.getByText(tag)).toBeVisible()
  await expect(author.getByLabel('Код действует до')).toHaveValue('28.02.2027')
  // Without a typed code there is nothing that could expire.
  await author.getByLabel('Код из букв и цифр').uncheck()
  await author.getByRole('button', { name: 'Сохранить' }).click()
  await author.reload()
  await author.getByLabel('Код из букв и цифр').check()
  await expect(author.getByLabel('Код действует до')).toHaveValue('')
})

test('the act card stays in sight beside a long page, and nothing scrolls inside the column', async ({
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { address } = await sendRequest(author, [heads, lawyers, accountants])
  await author.goto(address)
  const sign = author.getByRole('button', { name: 'Подписать ЭЦП' })
  await expect(author.getByRole('list', { name: 'История' }).getByRole('listitem').first()).toBeVisible()
  await author.getByRole('list', { name: 'История' }).scrollIntoViewIfNeeded()
  await expect(sign).toBeInViewport({ ratio: 1 })
  const scrolls = await sign.evaluate((element) => {
    for (let parent = element.parentElement; parent; parent = parent.parentElement)
      if (parent !== document.documentElement && /auto|scroll/.test(getComputedStyle(parent).overflowY))
        return true
    return false
  })
  expect(scrolls).toBe(false)
})

test('somebody else’s document is not found, and its link says which number it is for', async ({
  pageOf,
  callerOf,
}) => {
  const author = await callerOf(people.owner)
  const { id } = await sendRequest(author, [lawyers])
  const other = await pageOf(people.otherOwner, { language: 'ru', at: `/signingRequests/incomings/${id}` })
  await expect(other.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
  await other.goto(`/signingRequests/redirect/${id}?number=250340012341`)
  await expect(other.getByRole('heading', { name: 'Документ недоступен' })).toBeVisible()
  await expect(other.getByText('БИН/ИИН получателя: 250 340 012 341')).toBeVisible()
  await expectAccessible(other)
})
