/** A document is sent from the landing page to an outside recipient and comes back signed, without any account. */
import type { Page } from '@playwright/test'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { expectAccessible, expectNoFindings } from './accessible.ts'
import { expect, expectNoOverflow, test } from './fixtures.ts'
import { signAtTheWindow, signOnPage, signingDialog } from './requests.ts'

// there is one signing program per computer, so people take turns
test.describe.configure({ mode: 'serial' })

const ownNumber = '910619400478'
const firmsKey = /СОКОЛОВА АННА.*Жаңа Жол/s
const ownKey = /СОКОЛОВА АННА.*физическое лицо/s

async function fill(
  page: Page,
  labels: Record<'email' | 'phone' | 'bin' | 'recipient', string>,
  name: string,
) {
  await page
    .locator('input[name=file]')
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: makePdf(['Договор', name]) })
  await page.getByLabel(labels.bin).fill(ownNumber)
  await page.getByLabel(labels.recipient, { exact: true }).fill('anna@example.kz')
  await page.getByLabel(labels.email, { exact: true }).fill('director@example.kz')
  await page.getByLabel(labels.phone, { exact: true }).fill('+7 701 000 00 00')
}

test('sending without an account: form, captcha, GOST key, e-mail and the signature of the other side', async ({
  stranger,
  linkInEmail,
  baseURL,
}) => {
  test.setTimeout(120_000)
  const name = `Договор с лендинга ${Date.now()}.pdf`
  const sender = await stranger()
  await sender.goto('/')
  await sender.locator('#quick-send').getByRole('button').first().click()
  const next = sender.getByRole('button', { name: 'Перейти к подписи' })
  await next.click()
  await expect(sender.locator('#quick-send').getByText('Заполните поле')).toHaveCount(4)
  await fill(
    sender,
    {
      email: 'Ваша почта',
      phone: 'Ваш телефон',
      bin: 'БИН или ИИН получателя',
      recipient: 'Почта получателя',
    },
    name,
  )
  const number = sender.getByLabel('БИН или ИИН получателя')
  await number.fill(`ИИН: ${await number.inputValue()}`)
  await expect(number).toHaveValue(/^\d{12}$/)
  await expect(sender.getByText('Это ИИН: имя человека мы не показываем')).toBeVisible()
  await sender.getByRole('checkbox', { name: /Согласен с/ }).check()
  await sender.locator('#quick-send').getByRole('checkbox', { name: 'Я не робот' }).check()
  await expectNoFindings(sender)
  await next.click()
  await expect(sender.getByRole('heading', { name: 'Подпишите документ' })).toBeVisible()
  await expect(sender.getByText('Файл на сервере совпадает с вашим')).toBeVisible()
  await expectNoFindings(sender)
  await sender.getByRole('button', { name: 'Подписать через NCALayer' }).click()
  await expect(sender.getByText('Выберите ключ в окне NCALayer')).toBeVisible()
  await signAtTheWindow(sender, firmsKey, baseURL)
  await expect(sender.getByRole('heading', { name: 'Документ отправлен' })).toBeVisible()
  await sender.getByRole('link', { name: 'Следить за документом' }).click()
  const title = name.replace('.pdf', '')
  await expect(sender.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(sender.getByText('Ждёт подписи', { exact: true })).toBeVisible()
  await expect(sender.getByText('Подпись: Соколова Анна Игоревна')).toBeVisible()
  await expectNoFindings(sender)
  const followUrl = await linkInEmail('director@example.kz', /^Документ отправлен на подпись$/, title)
  expect(followUrl).toBe(sender.url())

  // The other side signs from the e-mail with a key alone. Kazakh is tested elsewhere; here the page must update.
  const recipient = await stranger()
  await recipient.goto(await linkInEmail('anna@example.kz', /^На подпись: /, title))
  await expect(recipient.getByRole('heading', { name: 'Вас просят подписать документ' })).toBeVisible()
  await expect(recipient.getByText(title, { exact: true })).toBeVisible()
  await expect(recipient.getByText(/^Подтверждено ЭЦП /)).toBeVisible()
  await expectAccessible(recipient)
  await recipient.getByRole('link', { name: 'Подписать с NCALayer' }).click()
  await expect(recipient.getByText('Выберите ключ и введите пароль в окне NCALayer')).toBeVisible()
  await signAtTheWindow(recipient, ownKey, baseURL)
  await expect(recipient.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await signOnPage(recipient, 'Подписать ЭЦП', ownKey, baseURL)
  await expect(signingDialog(recipient).getByText('Документ подписан, подпись проверена.')).toBeVisible()
  await expect(sender.getByText('Подписан всеми', { exact: true })).toBeVisible()
  const saved = sender.waitForEvent('download')
  await sender.getByRole('button', { name: 'Скачать с подписями' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.cms$/)
})

test('in Kazakh on a phone: a question instead of proof of work, and e-mails are stopped by a click', async ({
  stranger,
  linkInEmail: _,
  request,
}) => {
  const page = await stranger({ language: 'kk', width: 375 })
  await page.goto('/quick')
  await fill(
    page,
    {
      email: 'Сіздің поштаңыз',
      phone: 'Сіздің телефоныңыз',
      bin: 'Алушының БСН немесе ЖСН',
      recipient: 'Алушының поштасы',
    },
    'Шарт.pdf',
  )
  await page.getByRole('checkbox', { name: /Келісемін/ }).check()
  await page.getByRole('button', { name: 'Болмай жатыр ма? Сұраққа жауап беру' }).click()
  const answer = page.getByLabel(/қосу .* қанша болады/)
  await expect(answer).toBeFocused()
  await expectAccessible(page)
  const words = (await page.getByText(/қосу .* қанша болады/).textContent())!.split(/\s+/)
  const numbers = ['екі', 'үш', 'төрт', 'бес', 'алты', 'жеті', 'сегіз', 'тоғыз']
  const sum = words.reduce((all, word) => all + (numbers.includes(word) ? numbers.indexOf(word) + 2 : 0), 0)
  await answer.fill(String(sum))
  await page.getByRole('button', { name: 'Қол қоюға өту' }).click()
  await expect(page.getByRole('heading', { name: 'Құжатқа қол қойыңыз' })).toBeVisible()
  await page.getByRole('button', { name: 'Телефонмен қол қою' }).click()
  await expect(page.getByRole('img', { name: 'Телефонға арналған код' })).toBeVisible()
  await expectAccessible(page)
  // Going back keeps what was typed.
  await page.getByRole('button', { name: 'Өзгерту' }).click()
  await expect(page.getByLabel('Сіздің поштаңыз', { exact: true })).toHaveValue('director@example.kz')
  await expectNoOverflow(page)

  const list = await request.get('/api/demo/mails/0/20?recipient=anna%40example.kz')
  const { items } = (await list.json()) as { items: { id: string }[] }
  const { text } = (await (await request.get(`/api/demo/mails/${items[0]!.id}`)).json()) as { text: string }
  await page.goto(/https?:\/\/\S+\/quick\/stop\/\S+/.exec(text)![0])
  const sender = page.getByRole('region', { name: /жіберетін хаттар$/ })
  await expect(sender.getByText('Келеді', { exact: true })).toBeVisible()
  await sender.getByRole('button', { name: 'Жібермеу' }).click()
  await expect(sender.getByText('Келмейді', { exact: true })).toBeVisible()
  await sender.getByRole('button', { name: 'Қайта жіберу' }).click()
  await expect(sender.getByText('Келеді', { exact: true })).toBeVisible()
  const all = page.getByRole('region', { name: /^Сіз танымайтындардың/ })
  await all.getByRole('button', { name: 'Жібермеу' }).click()
  await expect(all.getByText('Келмейді', { exact: true })).toBeVisible()
  await expect(sender.getByText('Келмейді: бәрінің хаттарын тоқтаттыңыз')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await all.getByRole('button', { name: 'Қайта жіберу' }).click()
  await expect(all.getByText('Келеді', { exact: true })).toBeVisible()
})
