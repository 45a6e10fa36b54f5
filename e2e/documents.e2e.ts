/** Documents from upload to download. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { makeDocx, makePdf, makeXlsx, xlsxParts, makeZip, withTable } from '@kelisim/demo/sample-files.ts'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'

const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: makePdf(['A contract'], ['Page two']),
})

async function uploadOne(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.getByRole('button', { name: 'Новый документ' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Загрузить' }).click()
  await expect(dialog.getByText('Загружен', { exact: false }).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Готово' }).click()
  await expect(dialog).toBeHidden()
}

test('several files are uploaded at once; each bad one says what is wrong with it, and the rest arrive', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  await page.getByRole('button', { name: 'Новый документ' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  await expect(dialog.getByText('PDF — до 20 МБ, DOCX и XLSX — до 10 МБ')).toBeVisible()
  const mark = Date.now()
  await dialog
    .locator('input[type=file]')
    .setInputFiles([
      pdf(`Договор ${mark}.pdf`),
      { name: `Приказ ${mark}.docx`, mimeType: '', buffer: makeDocx('Приказ', 'Қазақша мәтін') },
      { name: 'пустой.pdf', mimeType: '', buffer: Buffer.alloc(0) },
      { name: 'программа.exe', mimeType: '', buffer: Buffer.from('MZ') },
      { name: 'поддельный.pdf', mimeType: '', buffer: Buffer.from('<html></html>') },
      { name: 'большой.docx', mimeType: '', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) },
    ])
  const row = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  await expect(row('пустой.pdf')).toContainText('Файл пустой')
  await expect(row('программа.exe')).toContainText('Формат не поддерживается. Подойдут: PDF, DOCX, XLSX')
  await expect(row('большой.docx')).toContainText('Файл больше 10 МБ')
  await expectAccessible(page)

  await dialog.getByRole('radio', { name: 'Все сотрудники' }).check()
  await dialog.getByLabel('Описание').fill('На подпись до пятницы')
  await dialog.getByRole('button', { name: 'Загрузить 3 файла' }).click()
  await expect(row(`Договор ${mark}.pdf`)).toContainText('Загружен')
  await expect(row(`Приказ ${mark}.docx`)).toContainText('Загружен')
  await expect(row('поддельный.pdf')).toContainText('Внутри файла не PDF')
  // Failed files are listed first, without a retry where it cannot help.
  await expect(dialog.getByText('Не загружены 4 файла из 6')).toBeVisible()
  await expect(dialog.getByRole('listitem').first()).toContainText('пустой.pdf')
  await expect(dialog.getByRole('listitem').nth(4)).toContainText('Загружен')
  await expect(dialog.getByRole('button', { name: /^Повторить/ })).toHaveCount(0)
  await expect(
    dialog.getByRole('link', { name: `Отправить на подписание: Договор ${mark}.pdf` }),
  ).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Готово' }).click()
  await expect(page.getByText('Загружено 2 документа')).toBeVisible()
  const listed = page.getByRole('row', { name: `Договор ${mark}.pdf` })
  await expect(listed).toContainText('Все сотрудники')
  await expect(listed).toContainText('На подпись до пятницы')
})

/** Simulates dragging files from the desktop over the page, or dropping them there. */
async function drag(page: Page, kind: 'dragover' | 'drop', at: string, names: string[]): Promise<boolean> {
  return page.locator(at).evaluate(
    (element, { kind: type, names: all, bytes }) => {
      const dataTransfer = new DataTransfer()
      for (const name of all) {
        dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'application/pdf' }))
      }
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer })
      element.dispatchEvent(event)
      return event.defaultPrevented
    },
    { kind, names, bytes: [...makePdf(['A dropped contract'])] },
  )
}

test('a file that is dropped on any page opens the upload dialog, which leads on to sending', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner, { at: '/signingRequests/incomings' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const name = `Брошенный ${Date.now()}`
  expect(await drag(page, 'dragover', 'main', [`${name}.pdf`])).toBe(true)
  await expect(page.getByText('Отпустите файлы, чтобы загрузить их')).toBeVisible()
  await drag(page, 'drop', 'main', [`${name}.pdf`])
  await expect(page.getByText('Отпустите файлы, чтобы загрузить их')).toBeHidden()
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  await expect(dialog.getByRole('listitem')).toContainText(`${name}.pdf`)
  // Another file is added, wherever in the dialog it is dropped.
  await drag(page, 'drop', '[role="dialog"] header', ['второй.pdf'])
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Убрать: второй.pdf' }).click()
  await dialog.getByRole('button', { name: 'Загрузить', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Готово' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('link', { name: 'Отправить на подписание' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Отправить на подписание' })).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue(name)
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Входящие' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a dropped file never makes the browser leave the page, also where files are not accepted', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner, { at: '/documents/my' })
  await page
    .getByRole('button', { name: /^Удалить: / })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await drag(page, 'drop', 'main', ['договор.pdf'])).toBe(true)
  await expect(page.getByRole('dialog', { name: 'Новый документ' })).toHaveCount(0)
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await drag(page, 'dragover', 'body', ['договор.pdf'])).toBe(true)
  expect(await drag(page, 'drop', 'body', ['договор.pdf'])).toBe(true)
})

test('a lost connection is reported, and trying again creates only one document', async ({ callerOf }) => {
  const page = await callerOf(people.inTwo)
  const name = `Повтор ${Date.now()}.pdf`
  await page.goto('/documents/my?upload')
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  await dialog.locator('input[type=file]').setInputFiles(pdf(name))
  // The upload reaches the server, but the response is lost.
  await page.route('**/api/Documents/**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    return route.abort('connectionreset')
  })
  await dialog.getByRole('button', { name: 'Загрузить' }).click()
  await expect(dialog.getByText('Нет связи с сервером', { exact: false })).toBeVisible()
  await page.unroute('**/api/Documents/**')
  await dialog.getByRole('button', { name: `Повторить загрузку: ${name}` }).click()
  await expect(dialog.getByRole('link', { name: `Открыть: ${name}` })).toBeVisible()
  await dialog.getByRole('button', { name: 'Готово' }).click()
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill(name)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
})

test('an upload is cancelled in the middle, and closing the dialog asks first', async ({ pageOf }) => {
  const page = await pageOf(people.inTwo, { at: '/documents/my?upload' })
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  const names = ['a', 'b'].map((letter) => `${letter}${Date.now()}.pdf`)
  await dialog.locator('input[type=file]').setInputFiles(names.map(pdf))
  await page.route('**/api/Documents/**', (route) =>
    route.request().method() === 'POST' ? undefined : route.fallback(),
  )
  await dialog.getByRole('button', { name: 'Загрузить 2 файла' }).click()
  await dialog.getByRole('button', { name: `Остановить загрузку: ${names[0]}` }).click()
  await expect(dialog.getByText('Загрузка остановлена', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Остановить загрузку?' })
  await question.getByRole('button', { name: 'Остановить' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { name: names[1]! })).toBeHidden()
})

test('the list is sorted, searched and paged through, and the address keeps all this', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/documents/organization' })
  const table = page.getByRole('table', { name: 'Документы организации' })
  await table.getByRole('button', { name: 'Название' }).click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(table.getByRole('columnheader', { name: 'Название' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await table.getByRole('button', { name: 'Название' }).click()
  await expect(page).toHaveURL(/sort=-name/)
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill('ПРИКАЗ о')
  await expect(table.getByRole('row', { name: 'Приказ о командировке.docx' })).toBeVisible()
  await expect(table.getByRole('row', { name: 'Supply agreement' })).toBeHidden()
  await page.reload()
  await expect(table.getByRole('row', { name: 'Приказ о командировке.docx' })).toBeVisible()
  await expectAccessible(page)
})

test('a PDF is shown on its page, made larger and smaller, described, downloaded byte for byte and sent', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const name = `Шарт № 14 «Қарағанды» ${Date.now()}.pdf`
  const file = pdf(name)
  await page.goto('/documents/my')
  await uploadOne(page, file)
  await page.getByRole('link', { name }).first().click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('1 / 2', { exact: true })).toBeVisible()
  const first = page.getByRole('img', { name: 'Страница 1 из 2' })
  await expect(first.locator('canvas')).toBeVisible()
  await expect(async () => expect(await hasInk(first)).toBe(true)).toPass()
  await page.getByRole('button', { name: 'Найти в документе' }).click()
  const find = page.getByRole('searchbox', { name: 'Найти в документе' })
  await expect(find).toBeFocused()
  await find.fill('CONTRACT')
  await find.press('Enter')
  await expect(page.getByText('Страница 1 (1 из 1)')).toBeVisible()
  // The match is highlighted in place: neither from the beginning of the line nor beyond the page.
  const mark = first.locator('span')
  await expect(mark).toHaveCount(1)
  const [sheet, marked] = [(await first.boundingBox())!, (await mark.boundingBox())!]
  expect(marked.x).toBeGreaterThan(sheet.x)
  expect(marked.x + marked.width).toBeLessThan(sheet.x + sheet.width)
  const before = sheet.width
  // The number of the visible page follows while the sheets are scrolled.
  await page.getByRole('img', { name: 'Страница 2 из 2' }).scrollIntoViewIfNeeded()
  await expect(page.getByText('2 / 2', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'На весь экран' }).click()
  await expect(page.getByRole('button', { name: 'Выйти из полного экрана' })).toBeVisible()
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await page.getByRole('button', { name: 'Выйти из полного экрана' }).click()
  await expect(page.getByRole('button', { name: 'На весь экран' })).toBeVisible()
  await page.getByRole('button', { name: 'Крупнее' }).click()
  await expect(async () => expect((await first.boundingBox())!.width).toBeGreaterThan(before)).toPass()
  await expectAccessible(page)

  await expect(page.getByText(createHash('sha256').update(file.buffer).digest('hex'))).toBeVisible()
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Скачать' }).click()
  const download = await arriving
  expect(download.suggestedFilename()).toBe(name)
  expect(readFileSync(await download.path()).equals(file.buffer)).toBe(true)

  const description = page.getByLabel('Описание')
  await description.fill('Первая строка\nвторая')
  await page.getByRole('link', { name: 'Входящие' }).click()
  await page
    .getByRole('dialog', { name: 'Уйти без сохранения?' })
    .getByRole('button', { name: 'Отмена' })
    .click()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.reload()
  await expect(description).toHaveValue('Первая строка\nвторая')

  await page.getByRole('button', { name: 'Отправить на подписание' }).click()
  await expect(page).toHaveURL(/\/signingRequests\/add\/[0-9a-f-]{36}/)
})

test('a docx and an xlsx are shown as text and tables, and nothing in them runs', async ({ callerOf }) => {
  const page = await callerOf(people.owner)
  const mark = Date.now()
  await page.goto('/documents/my')
  const link = makeDocx('Бұйрық', 'Мәтін <script>window.evil = 1</script>', 'Атауы | Саны', 'Арпа | 12')
  await uploadOne(page, { name: `Бұйрық ${mark}.docx`, mimeType: '', buffer: link })
  await page
    .getByRole('link', { name: `Бұйрық ${mark}.docx` })
    .first()
    .click()
  const text = page.getByRole('region', { name: `Бұйрық ${mark}.docx` })
  await expect(text.getByRole('heading', { name: 'Бұйрық' })).toBeVisible()
  await expect(text.getByText('<script>window.evil = 1</script>')).toBeVisible()
  await expect(text.getByRole('cell', { name: 'Арпа' })).toBeVisible()
  expect(await page.evaluate(() => 'evil' in window)).toBe(false)
  await expectAccessible(page)

  await page.goto('/documents/my')
  const parts = xlsxParts('Бағалар', [
    ['Тауар', 'Бағасы'],
    ['Бидай', 98500.5],
  ])
  await uploadOne(page, { name: `Прайс ${mark}.xlsx`, mimeType: '', buffer: makeZip(parts) })
  await page
    .getByRole('link', { name: `Прайс ${mark}.xlsx` })
    .first()
    .click()
  await expect(page.getByRole('tab', { name: 'Бағалар' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '98 500,5' })).toBeVisible()
  await expectAccessible(page)
})

test('a PDF that could change is refused; one with an attached file names it above the pages', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  const mark = Date.now()
  const withCatalog = (entries: string, ...objects: string[]) =>
    withTable('%PDF-1.7\n', [
      `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
      ...objects,
    ])
  const acting = withCatalog('/OpenAction << /S /JavaScript /JS (this.getField("price").value = 1) >>')
  const attaching = withCatalog(
    '/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>',
    '<< /Type /Filespec /F (price.xml) /UF (price.xml) /EF << /F 5 0 R >> >>',
    '<< /Type /EmbeddedFile /Length 4 >>\nstream\n<a/>\nendstream',
  )
  await page.getByRole('button', { name: 'Новый документ' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'меняется.pdf', mimeType: '', buffer: acting })
  await dialog.getByRole('button', { name: 'Загрузить' }).click()
  await expect(dialog.getByRole('listitem')).toContainText(
    'после подписания он мог бы показать другое содержание',
  )
  await dialog.getByText('Закрыть', { exact: true }).click()

  await uploadOne(page, { name: `С вложением ${mark}.pdf`, mimeType: '', buffer: attaching })
  await page.getByRole('link', { name: `С вложением ${mark}.pdf` }).click()
  await expect(page.getByRole('note')).toContainText('подписываются вместе с ним (1): «price.xml»')
  await expectAccessible(page)
})

test('only the author can delete a document, after a question; its page is not found afterwards', async ({
  callerOf,
}) => {
  const page = await callerOf(people.owner)
  const name = `Лишний ${Date.now()}.pdf`
  await page.goto('/documents/my')
  await uploadOne(page, pdf(name))
  await page.getByRole('link', { name }).first().click()
  await expect(page.getByText('1 / 2', { exact: true })).toBeVisible()
  const address = page.url()
  await page.getByRole('button', { name: 'Удалить', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Удалить документ?' })
    .getByRole('button', { name: 'Удалить' })
    .click()
  await expect(page).toHaveURL(/\/documents\/my/)
  await expect(page.getByText('Документ удалён')).toBeVisible()
  await expect(page.getByRole('row', { name })).toBeHidden()
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
})

test('a document for all staff is in the list of a colleague, who cannot delete it', async ({ pageOf }) => {
  const colleague = await pageOf(people.pointsAdministrator, { at: '/documents/public?name=agreement' })
  const row = colleague.getByRole('row', { name: 'Supply agreement 14-2026.pdf' })
  await expect(row).toContainText(people.owner)
  await expect(row.getByRole('button', { name: 'Скачать: Supply agreement 14-2026.pdf' })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Удалить', exact: false })).toBeHidden()
})

test('a private document is found neither by a colleague nor by another organisation', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/documents/my?name=командировке' })
  await page.getByRole('link', { name: 'Приказ о командировке.docx', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Приказ о командировке.docx' })).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  for (const person of [people.pointsAdministrator, people.otherOwner]) {
    const other = await pageOf(person, { at: `/documents/${id}` })
    await expect(other.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
  }
})

test('on a phone the list consists of cards, and a document is uploaded and opened', async ({ pageOf }) => {
  const page = await pageOf(people.individual, { width: 375, language: 'kk', at: '/documents/my' })
  await expect(page.getByText('Мұнда жүктелген құжаттар шығады', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Жаңа құжат' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Жаңа құжат' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles([
      pdf('Қызметтер көрсету туралы келісімшарт.pdf'),
      { name: 'Тауарлар.xlsx', mimeType: '', buffer: makeXlsx('Парақ', [['Арпа', 1]]) },
    ])
  await dialog.getByRole('button', { name: '2 файлды жүктеу' }).click()
  await expect(dialog.getByRole('link', { name: 'Ашу: Тауарлар.xlsx' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('link', { name: 'Ашу: Қызметтер', exact: false }).click()
  await expect(page.getByText('1 / 2', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
})

test('by keyboard alone a file is chosen in the dialog, uploaded and opened, and the list is reached again', async ({
  pageOf,
}) => {
  const page = await pageOf(people.routesAdministrator, { language: 'ru' })
  // Begun before the page opens, because the browser takes a while until it reports file choosers instead of showing
  // them.
  const choosing = page.waitForEvent('filechooser')
  await page.goto('/documents/my?upload')
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  await expect(dialog.getByRole('button', { name: 'Выбрать файлы' })).toBeFocused()
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(pdf('С клавиатуры.pdf'))
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await press(page, 'Tab', dialog.getByRole('radio', { name: 'Только я' }))
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Все сотрудники' })).toBeChecked()
  await press(page, 'Tab', dialog.getByRole('button', { name: 'Загрузить' }))
  await page.keyboard.press('Enter')
  const open = dialog.getByRole('link', { name: 'Открыть: С клавиатуры.pdf' })
  await expect(open).toBeVisible()
  await press(page, 'Tab', open)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'С клавиатуры.pdf' })).toBeVisible()
  await expect(page.getByText('1 / 2', { exact: true })).toBeVisible()
})

async function press(page: Page, key: string, until: ReturnType<Page['locator']>): Promise<void> {
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press(key)
    if (await until.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('the keyboard does not get there')
}

/** Whether something dark is on the white page. */
function hasInk(sheet: ReturnType<Page['locator']>): Promise<boolean> {
  return sheet.locator('canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value, i) => i % 4 === 0 && value < 100 && data[i + 3]! > 200)
  })
}
