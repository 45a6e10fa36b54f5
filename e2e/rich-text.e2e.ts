/** Documents written here: from a template and from an empty page, with the keyboard alone, pasted, on a phone. */
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Текст документа' })

async function openTemplate(page: Page): Promise<void> {
  await page.goto('/document-templates')
  await page.getByRole('button', { name: 'Создать документ: Договор поставки', exact: true }).click()
  await expect(textOf(page)).toContainText('Предмет договора')
}

/** The HTML as the server would get it, without what the browser adds. */
function htmlOf(text: Locator): Promise<string> {
  return text.evaluate((element) =>
    element.innerHTML.replaceAll(
      /<br class="[^"]*">| class="[^"]*"| contenteditable="\w+"| draggable="\w+"/g,
      '',
    ),
  )
}

test('a contract from a template: known values are filled in, others are asked for, and the PDF is a document', async ({
  callerOf,
}) => {
  test.slow()
  const page = await callerOf(people.owner)
  await openTemplate(page)
  await expect(page.getByRole('textbox', { name: 'Поставщик', exact: true })).toHaveValue('ТОО «Алтын Дала»')
  await expect(page.getByLabel('Город')).toHaveValue('Астана')
  await expect(page.getByLabel('Дата договора')).toHaveValue(/^\d\d\.\d\d\.\d{4}$/)
  await expect(page.getByText('Осталось 7 полей')).toBeVisible()
  await expectAccessible(page)

  // Nothing is made while a value is missing; the first gap gets the focus.
  await page.getByRole('button', { name: 'Создать PDF' }).click()
  await expect(page.getByLabel('Номер договора')).toBeFocused()
  await expect(page.getByText('Обязательное поле').first()).toBeVisible()

  await page.getByLabel('Номер договора').fill('14/2026')
  await page.getByRole('textbox', { name: 'Покупатель', exact: true }).fill('«Тұлпар Трейд» ЖШС')
  await page.getByLabel('БИН покупателя').fill('12')
  await page.getByLabel('Сумма').fill('сто')
  await expect(page.getByText('Нужно ровно 12 цифр')).toBeVisible()
  await page.getByLabel('БИН покупателя').fill('123456789013')
  await expect(page.getByLabel('Сумма')).toHaveValue('')
  await page.getByLabel('Сумма').fill('1250000.50')
  await expect(page.getByLabel('Сумма')).toHaveValue('1\u00a0250\u00a0000,50')
  await page.getByLabel('Срок поставки').pressSequentially('31122026')
  await expect(page.getByLabel('Срок поставки')).toHaveValue('31.12.2026')
  await page.getByLabel('Количество').fill('500')
  await page.getByLabel('Цена за тонну').fill('98 500')
  await expect(page.getByText('Всё заполнено')).toBeVisible()
  await expect(textOf(page)).toContainText('Цена договора составляет 1 250 000,50 тенге')

  await page.getByRole('button', { name: 'Посмотреть PDF' }).click()
  const preview = page.getByRole('dialog', { name: 'Как будет выглядеть PDF' })
  await expect(preview.getByRole('img', { name: /^Страница 1/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  const name = `Договор ${Date.now()}`
  await page.getByLabel('Имя файла').fill(name)
  await page.getByRole('button', { name: 'Создать PDF' }).click()
  await expect(page.getByText('Документ создан')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: `${name}.pdf` })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Страница 1/ })).toBeVisible()

  // The bytes of a document never change; a new document starts with the same text.
  await page.getByRole('link', { name: 'Новый с этим текстом' }).click()
  await expect(page.getByLabel('Номер договора')).toHaveValue('14/2026')
  await expect(page.getByLabel('Имя файла')).toHaveValue(name)
})

test('the written text survives a reload and a lost response', async ({ callerOf }) => {
  const page = await callerOf(people.inTwo)
  page.on('dialog', (dialog) => void dialog.accept())
  const name = `Письмо ${Date.now()}`
  await page.goto('/documents/write')
  await page.getByLabel('Имя файла').fill(name)
  await textOf(page).click()
  await page.keyboard.type('Уважаемые коллеги!')
  await page.reload()
  await expect(textOf(page)).toContainText('Уважаемые коллеги!')
  await expect(page.getByLabel('Имя файла')).toHaveValue(name)

  // The call reaches the server, but the response is lost; repeating it makes no second document.
  await page.route('**/fromWYSIWYG', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Создать PDF' }).click()
  // The notice at the top of the page may say the same.
  await expect(page.getByRole('dialog').getByText('Нет связи с сервером', { exact: false })).toBeVisible()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.unroute('**/fromWYSIWYG')
  await expect(textOf(page)).toContainText('Уважаемые коллеги!')
  await page.getByRole('button', { name: 'Создать PDF' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name}.pdf` })).toBeVisible()
  await page.goto('/documents/my')
  await page.getByRole('searchbox', { name: 'Найти по названию' }).fill(name)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
})

test('a text is written with the keyboard alone', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/documents/write' })
  const text = textOf(page)
  await page.getByLabel('Имя файла').focus()
  await page.keyboard.type(`Клавиатура ${Date.now()}`)
  // Tab goes through description, visibility and the toolbar to the text.
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab')
  await expect(text).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Alt+1')
  await page.keyboard.type('Шарт')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+Shift+9')
  await page.keyboard.type('Мәні')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.type('Тармақ')
  await page.keyboard.press('ControlOrMeta+b')
  expect(await htmlOf(text)).toBe(
    '<h1>Шарт</h1><ol data-clauses=""><li><p>Мәні</p><ol data-clauses=""><li><p><strong>Тармақ</strong></p></li></ol></li></ol><p></p>',
  )
  // To the toolbar and back.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Отменить' })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('button', { name: 'Вставить таблицу' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text).not.toContainText('Тармақ')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(text).toContainText('Тармақ')
  // Out of the text and to the button that makes the document.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(text).toBeFocused()
  await page.getByRole('button', { name: 'Создать PDF' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Документ создан')).toBeVisible()
})

test('a text has tables, alignment and a page break', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/documents/write' })
  const text = textOf(page)
  await text.click()
  await page.getByRole('button', { name: 'По центру' }).click()
  await page.keyboard.type('Акт')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'По левому краю' }).click()
  await page.getByRole('button', { name: 'Вставить таблицу' }).click()
  await page.keyboard.type('Товар')
  await page.getByRole('button', { name: 'Строка ниже' }).click()
  await expect(text.getByRole('row')).toHaveCount(4)
  await page.getByRole('button', { name: 'Удалить столбец' }).click()
  await expect(text.getByRole('columnheader')).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Вставить таблицу' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.getByRole('button', { name: 'Удалить таблицу' }).click()
  await expect(text.getByRole('table')).toBeHidden()
  await page.getByRole('button', { name: 'Новая страница' }).click()
  expect(await htmlOf(text)).toContain('<p data-align="center">Акт</p>')
  expect(await htmlOf(text)).toContain('<div data-page-break=""></div>')
})

test('lists pasted from Word stay lists, and no foreign formatting is kept', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { at: '/documents/write' })
  const text = textOf(page)
  await text.click()
  await text.evaluate((element) => {
    const item = (level: number, number: string, words: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${number}<span style='font:7pt'>&nbsp; </span></span>${words}<o:p></o:p></p>`
    const html =
      `<html><head><style>p{color:red}</style></head><body><!--StartFragment--><p class=MsoNormal align=center style='text-align:center;background:url(x)'><b>ДОГОВОР</b></p>` +
      `${item(1, '1.', 'Предмет')}${item(2, '1.1.', 'Қызмет')}<img src=x onerror="window.hacked=1"><table><tr><td style='border:1px'><p>Ячейка</p></td></tr></table><!--EndFragment--></body></html>`
    const data = new DataTransfer()
    data.setData('text/html', html)
    data.setData('text/plain', 'x')
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await expect(text).toContainText('Ячейка')
  const html = await htmlOf(text)
  expect(html).toContain('<p data-align="center"><strong>ДОГОВОР</strong></p>')
  expect(html).toContain(
    '<ol data-clauses=""><li><p>Предмет</p><ol data-clauses=""><li><p>Қызмет</p></li></ol></li></ol>',
  )
  expect(html).not.toMatch(/Mso|<img|color/)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test('on a phone a document is filled in, previewed and created', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { width: 375, at: '/document-templates' })
  await page
    .getByRole('row', { name: 'Non-disclosure agreement' })
    .getByRole('button', { name: /^Создать документ/ })
    .click()
  await page.getByLabel('Partner').fill('Acme Ltd')
  await page.getByLabel('Subject').fill('a joint project')
  await page.getByLabel('Until').fill('31.12.2027')
  await expect(page.getByText('Всё заполнено')).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.getByLabel('Имя файла').fill(`NDA ${Date.now()}`)
  await page.getByRole('button', { name: 'Создать PDF' }).click()
  await expect(page.getByText('Документ создан')).toBeVisible()
})
