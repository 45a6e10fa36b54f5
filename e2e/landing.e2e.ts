import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './fixtures.ts'

const titles = {
  ru: 'Келісім — электронный документооборот и подписание ЭЦП',
  kk: 'Келісім — электрондық құжат айналымы және ЭЦҚ қою',
  en: 'Kelisim: electronic documents and digital signatures in Kazakhstan',
} as const

test('the landing is readable in each language, in light and dark themes, on a narrow phone', async ({
  stranger,
  baseURL,
}) => {
  const page = await stranger({ width: 360 })
  for (const language of ['ru', 'kk', 'en'] as const) {
    await page.goto(`/${language}`)
    await expect(page).toHaveTitle(titles[language])
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${baseURL}/${language}`)
    await expect(page.locator('link[hreflang]')).toHaveCount(4)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectAccessible(page)
    }
    const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
    expect(await page.evaluate(isTooWide)).toBe(false)
  }
  const facts = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!) as {
    '@graph': { '@type': string }[]
  }
  expect(facts['@graph'].map((fact) => fact['@type'])).toEqual([
    'Organization',
    'SoftwareApplication',
    'FAQPage',
  ])
})

test('the first screen of the landing uses the fonts of the site, in each language', async ({ stranger }) => {
  for (const language of ['ru', 'kk', 'en'] as const) {
    const page = await stranger({ language, width: 375 })
    await page.goto('/')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('DOM.enable')
    await devtools.send('CSS.enable')
    const { root } = await devtools.send('DOM.getDocument')
    for (const selector of ['h1', '.lead']) {
      const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector })
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
      expect(
        fonts.filter((font) => !font.isCustomFont),
        `${language} ${selector}`,
      ).toEqual([])
    }
  }
})

test('sections are found by name, questions open by keys, prices follow the period, documents open in a window', async ({
  stranger,
}) => {
  const page = await stranger()
  await page.goto('/ru')
  const sections = await page
    .locator('main > section, body > footer, #root > footer')
    .evaluateAll((all) =>
      all.map((one) => (one.tagName === 'FOOTER' ? 'footer' : one.className.split(' ')[0])),
    )
  expect(sections.join(' ')).toBe(
    'hero stats advantages consumers legal quick start videos faq features tariffs feedback footer',
  )
  for (const [name, heading] of [
    ['Вопросы', 'Частые вопросы'],
    ['Тарифы', 'Тарифы'],
    ['Контакты', 'Напишите нам'],
  ] as const) {
    await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { name: heading, level: 2 })).toBeInViewport()
  }
  expect(new URL(page.url()).hash).toBe('#contacts')

  const question = page.locator('summary', { hasText: 'Должен ли получатель регистрироваться?' })
  await question.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Он открывает ссылку из письма', { exact: false })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Он открывает ссылку из письма', { exact: false })).toBeHidden()

  const prices = page.getByRole('region', { name: 'Тарифы' })
  await expect(prices.getByText(/5.900/)).toBeVisible()
  await prices.getByRole('radio', { name: /Год/ }).check()
  await expect(prices.getByText(/5.310/)).toBeVisible()
  await expect(prices.getByText(/63.720/)).toBeVisible()
  await expect(prices.getByText(/5.900/)).toBeHidden()

  const operator = page.getByRole('region', { name: 'Напишите нам' })
  await expect(operator.getByText('ТОО «Келісім Демо»')).toBeVisible()
  await expect(operator.getByText('БИН 260940001111')).toBeVisible()
  await expect(operator.getByRole('link', { name: '+7 727 000 00 00' })).toHaveAttribute(
    'href',
    'tel:+77270000000',
  )
  await expect(page.getByText(/10.000\+/)).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Telegram' })).toBeVisible()
  expect(await page.content()).not.toMatch(/__[A-Z_]+__/)

  await page.getByRole('link', { name: 'Договор оферты' }).click()
  const shown = page.getByRole('dialog', { name: 'Договор оферты' })
  await expect(shown.getByRole('img', { name: /Страница 1 из/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(shown).toBeHidden()
})

test('sections are reached with smooth scrolling, and the page keeps its height while it is read', async ({
  stranger,
}) => {
  for (const width of [1440, 375]) {
    const page = await stranger({ width, hasMotion: true })
    await page.goto('/ru')
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    const before = await height()
    for (const place of ['price-list', 'faq', 'contacts', 'quick-send']) {
      await page.goto('/robots.txt')
      await page.goto(`/ru#${place}`)
      expect(await whereItRests(page, place), `${width} px, opened at #${place}`).toBeLessThanOrEqual(1)
    }
    await page.goto('/ru')
    await page.getByRole('link', { name: 'Отправить документ', exact: true }).click()
    expect(await whereItRests(page, 'quick-send'), `${width} px, button of the hero`).toBeLessThanOrEqual(1)
    for (const [name, place] of [
      ['Контакты', 'contacts'],
      ['Тарифы', 'price-list'],
      ['Вопросы', 'faq'],
    ] as const) {
      if (width < 1000) await page.locator('.menu > summary').click()
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
      expect(await whereItRests(page, place), `${width} px, link to #${place}`).toBeLessThanOrEqual(1)
    }
    expect(await height(), `${width} px`).toBe(before)
  }
})

/** How far a section is from its place below the header when the page has stopped scrolling. */
async function whereItRests(page: Page, place: string): Promise<number> {
  await page.waitForURL(({ hash }) => hash === `#${place}`)
  return await page.evaluate(async (id) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let still = 0, last = -1; still < 20; last = window.scrollY) {
      await frame()
      still = window.scrollY === last ? still + 1 : 0
    }
    const { top } = document.getElementById(id)!.getBoundingClientRect()
    const padding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)
    return Math.abs(top - padding)
  }, place)
}

test('a file that is dropped on the hero section starts sending, and another one replaces it', async ({
  stranger,
}) => {
  const page = await stranger()
  await page.goto('/ru')
  const drop = async (name: string) => {
    const files = await page.evaluateHandle((fileName) => {
      const carried = new DataTransfer()
      carried.items.add(new File(['%PDF-1.7'], fileName, { type: 'application/pdf' }))
      return carried
    }, name)
    await page.locator('[data-drop]').dispatchEvent('drop', { dataTransfer: files })
  }
  await drop('Договор.pdf')
  const form = page.locator('#quick-send form')
  await expect(form.getByText('Договор.pdf')).toBeVisible()
  await expect(form).toBeInViewport()
  await form.getByLabel('Почта получателя').fill('partner@example.kz')

  await page.getByLabel('Перетащите документ сюда').setInputFiles({
    name: 'Акт.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  })
  await expect(form.getByText('Акт.pdf')).toBeVisible()
  await expect(form.getByLabel('Почта получателя')).toHaveValue('partner@example.kz')
  await drop('картинка.png')
  await expect(form.getByText('Акт.pdf')).toBeHidden()

  const prices = page.getByRole('region', { name: 'Тарифы' })
  await expect(prices.getByRole('article').filter({ hasText: 'Выбор компаний' })).toContainText('Классик')
  const words = await prices.getByRole('link').allTextContents()
  expect(new Set(words).size).toBe(words.length)
})

test('a recording plays in a large window, with its captions below the picture as steps', async ({
  stranger,
}) => {
  for (const width of [1440, 375]) {
    const page = await stranger({ width })
    await page.goto('/ru')
    await page.getByRole('link', { name: 'Смотреть: Построить маршрут' }).click()
    const player = page.getByRole('dialog', { name: 'Построить маршрут' })
    const steps = player.getByRole('list', { name: 'Шаги записи' }).getByRole('button')
    await expect(steps.first()).toBeVisible()
    await steps.nth(1).click()
    await expect(player.locator('[aria-current=step]')).toHaveCount(1)
    await expect(player.locator('.caption')).not.toBeEmpty()
    const picture = (await player.locator('video').boundingBox())!
    const caption = (await player.locator('.caption').boundingBox())!
    expect(picture.width).toBeGreaterThan(width < 600 ? width - 30 : 1000)
    expect(caption.y).toBeGreaterThanOrEqual(picture.y + picture.height)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(player).toBeHidden()
    await expect(page.getByRole('link', { name: 'Смотреть: Построить маршрут' })).toBeFocused()
  }
})

test('a message from the landing reaches the mailbox; the input stays when something is wrong', async ({
  stranger,
  request,
}) => {
  const page = await stranger({ language: 'kk', width: 375 })
  await page.goto('/kk#contacts')
  const form = page.locator('.feedback form')
  const box = form.getByRole('checkbox', { name: 'Мен робот емеспін' })
  await expect(box).toBeVisible()
  const name = `Әлия ${Date.now()}`
  await form.getByLabel('Пошта').fill('aliya@')
  await form.getByLabel('Телефон').fill('123')
  await form.getByRole('button', { name: 'Жіберу' }).click()
  await expect(form.getByText('Міндетті өріс')).toHaveCount(2)
  await expect(form.getByText('Пошта мекенжайы қате')).toBeVisible()
  await expect(form.getByText('Телефон қате көрсетілген')).toBeVisible()
  await expect(form.getByLabel('Аты-жөніңіз')).toBeFocused()

  await form.getByLabel('Аты-жөніңіз').fill(`  ${name}`)
  await expect(form.getByLabel('Аты-жөніңіз')).toHaveValue(name)
  await form.getByLabel('Пошта').fill('aliya@example.kz')
  await form.getByLabel('Телефон').fill('+7 701 123 45 67')
  await form.getByLabel('Хабарлама').fill('Сәлеметсіз бе!\nТариф туралы сұрағым бар.')
  await form.getByRole('button', { name: 'Жіберу' }).click()
  await expect(form.getByRole('alert')).toHaveText('Робот емес екеніңізді растаңыз')
  await expect(form.getByLabel('Хабарлама')).toHaveValue(/Тариф туралы/)
  await box.check()
  await expect(form.locator('[role=alert]')).toBeEmpty()
  await form.getByRole('button', { name: 'Жіберу' }).click()
  await expect(page.getByText('Хабарламаңызды алдық', { exact: false })).toBeVisible({ timeout: 30_000 })
  await expect(form).toBeHidden()

  const list = await request.get('/api/demo/mails/0/20?recipient=support%40kelisim.kz')
  const { items } = (await list.json()) as { items: { id: string; subject: string }[] }
  expect(items[0]!.subject).toMatch(/^Сайттан хабарлама № /)
  const texts = await Promise.all(
    items.map(async ({ id }) => (await request.get(`/api/demo/mails/${id}`)).text()),
  )
  expect(texts.some((text) => text.includes(name))).toBe(true)

  await page.getByRole('button', { name: 'Тағы жазу' }).click()
  await expect(form.getByLabel('Хабарлама')).toBeFocused()
  await expect(form.getByLabel('Хабарлама')).toHaveValue('')
  await expect(form.getByLabel('Аты-жөніңіз')).toHaveValue(name)
})

test('the landing works without JavaScript: everything can be read, questions and prices open', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL!, locale: 'ru-RU' })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByText('Что нужно, чтобы подписать?').click()
  await expect(page.getByText('Ключ ЭЦП НУЦ РК и программа NCALayer', { exact: false })).toBeVisible()
  await page.getByRole('radio', { name: /Год/ }).check()
  await expect(page.getByText(/63.720/)).toBeVisible()
  await expect(page.locator('.feedback noscript p')).toContainText(
    'Напишите нам на почту: support@kelisim.kz',
  )
  await expect(page.locator('#quick-send noscript p')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Договор оферты' })).toHaveAttribute(
    'href',
    /contract-offer\.ru\.pdf/,
  )
  await context.close()
})
