import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { altynDala, expect, expectNoOverflow, people, test } from './fixtures.ts'

async function sectionEntries(page: Page, section: string): Promise<string[]> {
  const head = page.getByRole('button', { name: section, exact: true })
  if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click()
  const links = page.getByRole('navigation', { name: 'Меню' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  return links.allTextContents()
}

test('help, the operator’s page and unknown addresses keep the menu, the organisation and the person', async ({
  callerOf,
  stranger,
}) => {
  const page = await callerOf(people.owner)
  for (const [at, heading] of [
    ['/frame/instruction', 'Инструкция'],
    ['/operator', 'Оператор'],
    ['/no/such/page', 'Страница не существует'],
  ] as const) {
    await page.goto(at)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Новый документ' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Организация: ТОО «Алтын Дала»/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Меню пользователя' })).toBeVisible()
  }
  const other = await stranger()
  await other.goto('/frame/instruction')
  await expect(other.getByRole('heading', { name: 'Инструкция', level: 1 })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Меню пользователя' })).toBeHidden()
  await other.goto('/no/such/page')
  await expect(other.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
})

test('a demo has the same ribbon of the same height on every kind of page', async ({ pageOf, stranger }) => {
  const [member, other] = [await pageOf(people.owner), await stranger()]
  const heights = async (page: Page, places: string[]) => {
    const found = []
    for (const at of places) {
      await page.goto(at)
      const ribbon = page.getByText('Демо · подписи без юридической силы')
      await expect(ribbon).toHaveCount(1)
      found.push(await ribbon.evaluate((text) => Math.round(text.closest('section, .ribbon')!.clientHeight)))
    }
    return found
  }
  expect(await heights(member, ['/points/my', '/portal', '/frame/instruction'])).toEqual([28, 28, 28])
  expect(await heights(other, ['/', '/verify', '/connect/register', '/frame/instruction'])).toEqual([
    28, 28, 28, 28,
  ])
  const phone = await stranger({ width: 375 })
  expect(await heights(phone, ['/', '/verify', '/connect/register', '/frame/instruction'])).toEqual([
    28, 28, 28, 28,
  ])
})

test('the owner sees all six sections with every entry', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  expect(await sectionEntries(page, 'Документы')).toEqual([
    'Входящие',
    'Исходящие',
    'Массовая отправка',
    'Ознакомления',
    'Мои',
    'Общие',
    'Организации',
    'Создать',
    'Все',
    'Журналы',
    'Виды документов',
  ])
  expect(await sectionEntries(page, 'Маршруты подписания')).toEqual([
    'Мои',
    'Общие',
    'Организации',
    'Создать',
    'Мои',
    'Общие',
    'Организации',
    'Создать',
  ])
  expect(await sectionEntries(page, 'Точки')).toEqual([
    'Создать',
    'Мои',
    'Общие',
    'Организации',
    'Внутренние',
    'Внешние',
    'Точки контрагентов',
  ])
  expect(await sectionEntries(page, 'Классификаторы')).toEqual(['Список', 'Создать'])
  expect(await sectionEntries(page, 'Настройки')).toHaveLength(8)
  expect(await sectionEntries(page, 'Справка')).toHaveLength(9)
})

test('an employee sees no lists and no options of the organisation', async ({ pageOf }) => {
  const page = await pageOf(people.otherEmployee)
  expect(await sectionEntries(page, 'Документы')).toEqual([
    'Входящие',
    'Исходящие',
    'Массовая отправка',
    'Мои',
    'Общие',
    'Создать',
    'Все',
    'Журналы',
    'Виды документов',
  ])
  expect(await sectionEntries(page, 'Классификаторы')).toEqual(['Список'])
  expect(await sectionEntries(page, 'Настройки')).toEqual(['Уведомления', 'Группа быстрой отправки'])
  for (const path of ['/documents/organization', '/points/organization', '/classificators/add']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Недостаточно прав' }), path).toBeVisible()
  }
  await page.getByRole('button', { name: 'К входящим' }).click()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
})

test('New document opens the list and the upload dialog', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  await page.getByRole('button', { name: 'Новый документ' }).click()
  await expect(page).toHaveURL(/\/documents\/my/)
  const dialog = page.getByRole('dialog', { name: 'Новый документ' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).not.toHaveURL(/upload/)
})

test('the dialog about news is shown once for each version', async ({ pageOf }) => {
  const page = await pageOf(people.individual, { greets: true })
  const dialog = page.getByRole('dialog', { name: 'Что нового в версии 0.57.0' })
  await expect(dialog).toBeVisible()
  expect((await dialog.boundingBox())!.width).toBe(800)
  await dialog.getByRole('button', { name: 'Понятно' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('Ctrl K finds a section by a few letters', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('шабл марш мои')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Мои шаблоны маршрутов' })).toBeVisible()
})

test('the menu on a phone is a drawer that closes by its button and by navigation', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { width: 375 })
  const menu = page.getByRole('navigation', { name: 'Меню' })
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: 'Меню', exact: true }).click()
  await expect(menu).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Закрыть' }).click()
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: 'Меню', exact: true }).click()
  await page.getByRole('link', { name: 'Исходящие' }).click()
  await expect(page.getByRole('heading', { name: 'Исходящие' })).toBeVisible()
  await expect(menu).toBeHidden()
  await expectNoOverflow(page)
})

test('the menu is 356 px wide and shows the version', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  const menu = page.getByRole('complementary')
  expect((await menu.boundingBox())!.width).toBe(356)
  await expect(menu.getByText('Версия 0.57.0')).toBeVisible()
})

test('the theme can be set to dark, and stays so', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.getByRole('button', { name: 'Меню пользователя' }).click()
  await page.getByRole('menuitemradio', { name: 'Тёмная' }).click()
  await expect.poll(background).toBe('rgb(16, 23, 26)')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  expect(await background()).toBe('rgb(16, 23, 26)')
})

test('a newer version on the server makes the page offer to reload', async ({ callerOf }) => {
  const page = await callerOf(people.owner)
  await page.route('**/options', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-app-build': 'newer' } })
  })
  await page.goto('/signingRequests/outgoings')
  const dialog = page.getByRole('dialog', { name: 'Вышла новая версия' })
  await expect(dialog.getByRole('button', { name: 'Обновить' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Позже' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()
})

test('on a phone the drawer holds organisation, language, usage and systems', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { width: 375 })
  const organization = page.getByRole('button', { name: `Организация: ${altynDala}` })
  const language = page.getByRole('button', { name: 'Язык: РУС' })
  const inHeader = page.getByRole('banner')
  await expect(inHeader.getByRole('link', { name: 'Келісім' })).toBeVisible()
  await expect(inHeader.getByRole('button', { name: 'Найти что угодно' })).toBeVisible()
  await expect(inHeader.getByRole('button', { name: /^Уведомления/ })).toBeVisible()
  await expect(inHeader.getByRole('button', { name: /^Меню пользователя/ })).toBeVisible()
  await expect(organization).toBeHidden()
  await expect(language).toBeHidden()
  await page.getByRole('button', { name: 'Меню', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Меню' })
  await expect(drawer.getByText(/^Отправлено \d+ из \d+$/)).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Системы: Документооборот' })).toBeVisible()
  const name = await organization.getByText(altynDala).evaluate((b) => [b.scrollWidth, b.clientWidth])
  expect(name[0], 'the whole name is read').toBeLessThanOrEqual(name[1]!)
  await expectAccessible(page)
  await language.click()
  await page.getByRole('menuitem', { name: 'Қазақша' }).click()
  await expect(page.getByRole('button', { name: 'Тіл: ҚАЗ' })).toBeVisible()
  await page.getByRole('button', { name: 'Тіл: ҚАЗ' }).click()
  await page.getByRole('menuitem', { name: 'Русский' }).click()
  await expect(language).toBeVisible()
  await expectNoOverflow(page)
})

test('at 1000 px the menu leaves the page more than two thirds', async ({ pageOf }) => {
  const page = await pageOf(people.owner, { width: 1000 })
  expect((await page.getByRole('complementary').boundingBox())!.width).toBeLessThan(1000 / 3)
  // Names stay legible: less important columns give them their room.
  const name = page.getByRole('columnheader', { name: 'Документ' })
  expect((await name.boundingBox())!.width).toBeGreaterThan(160)
  await expectNoOverflow(page)
})

test('a lost connection is reported, loaded data stay, and the message goes when the connection is back', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  const row = page.getByRole('row').nth(1)
  await expect(row).toBeVisible()
  // Modules that are prefetched in idle time cannot be loaded once the browser is offline.
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  const notice = page.getByRole('alert').filter({ hasText: 'Нет связи с сервером' })
  await expect(notice).toBeVisible()
  await expect(row).toBeVisible()
  await page.context().setOffline(false)
  await expect(notice).toBeHidden()
  await expect(row).toBeVisible()
})

test('a server that does not answer is reported as a lost connection too', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.route(/\/(api|health)/, (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Исходящие' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Нет связи с сервером' })
  await expect(notice).toBeVisible()
  await page.unroute(/\/(api|health)/)
  await expect(notice).toBeHidden()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})

test('owners see on the lists that the tariff is running out, unless another one follows', async ({
  callerOf,
}) => {
  const notice = (page: Page) => page.getByRole('status').filter({ hasText: /лимита|конца тарифа/ })
  const withUsage = async (person: string, used: number, daysLeft: number, hasSuccessor: boolean) => {
    const page = await callerOf(person)
    const endDate = new Date(Date.now() + daysLeft * 86_400_000).toISOString().slice(0, 10)
    await page.route('**/getOrganizationSubscriptions', (route) =>
      route.fulfill({
        json: {
          activeSubscription: {
            nameKey: 'classic',
            endDate,
            createdSigningRequestCount: used,
            maxSigningRequestCount: 100,
            countedFor: 'organization',
          },
          pendingSubscriptions: hasSuccessor
            ? [{ nameKey: 'premium', startDate: endDate, maxSigningRequestCount: null }]
            : [],
        },
      }),
    )
    await page.goto('/signingRequests/outgoings')
    await expect(page.getByRole('button', { name: /^Классик: Отправлено/ })).toBeVisible()
    return page
  }
  await expect(notice(await withUsage(people.owner, 85, 200, false))).toContainText('80 %')
  const ending = await withUsage(people.owner, 1, 10, false)
  await expect(notice(ending)).toContainText('меньше 30 дней')
  await expect(notice(ending).getByRole('link', { name: 'Тарифы' })).toBeVisible()
  await expect(notice(await withUsage(people.owner, 1, 10, true))).toHaveCount(0)
  await expect(notice(await withUsage(people.pointsAdministrator, 85, 10, false))).toHaveCount(0)
})

test('with reduced motion a new colour is shown at once, also where it is inherited, and nothing spins endlessly', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  const seen = await page.evaluate(() => {
    const [button, label] = [document.createElement('button'), document.createElement('span')]
    button.append(label)
    document.body.append(button)
    const colorOf = () => getComputedStyle(label).color
    const before = colorOf()
    button.style.color = 'rgb(1, 2, 3)'
    label.style.animation = 'turn 1s infinite'
    return { before, after: colorOf(), turns: getComputedStyle(label).animationIterationCount }
  })
  expect(seen).toEqual({
    before: expect.not.stringContaining('rgb(1, 2, 3)'),
    after: 'rgb(1, 2, 3)',
    turns: '1',
  })
})

test.describe('the frame of the application', () => {
  /** The position of each text and each icon in the header and the menu. */
  const places = (page: Page) =>
    page.evaluate(() => {
      const frame = document.getElementById('shell-skeleton') ?? document.body
      const inFrame = [...frame.querySelectorAll('header[class] *, aside *')]
      const isText = ({ nodeType, textContent }: Node) => nodeType === Node.TEXT_NODE && textContent !== ''
      return inFrame
        .filter((part) => part.checkVisibility())
        .filter((part) => part.tagName === 'svg' || [...part.childNodes].some(isText))
        .map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect()
          return [part.textContent || 'icon', ...[x, y, width, height].map(Math.round)].join(' ')
        })
    })

  /** Opens the same page once more in the same browser, without its scripts. */
  const withoutScripts = async (page: Page, address = page.url()) => {
    const other = await page.context().newPage()
    await other.setViewportSize(page.viewportSize()!)
    await other.route('**/*.js', (route) => route.abort())
    await other.goto(address)
    return { other, frame: other.locator('#shell-skeleton') }
  }

  for (const width of [1440, 375]) {
    test(`is shown before any script runs, and nothing of it moves, at ${width} px`, async ({ pageOf }) => {
      const page = await pageOf(people.owner, { width })
      await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
      await expect(page.locator('#shell-skeleton')).toHaveCount(0)
      const { other, frame } = await withoutScripts(page)
      await expect(frame.locator('header')).toBeVisible()
      await other.evaluate(() => document.fonts.ready)
      const drawn = await places(other)
      expect(drawn.length).toBeGreaterThan(width > 1000 ? 20 : 3)
      await expect.poll(() => places(page)).toEqual(expect.arrayContaining(drawn))
    })
  }

  test('is drawn for an employee in their language and theme', async ({ pageOf }) => {
    const page = await pageOf(people.otherEmployee, { at: '/points/my', language: 'kk' })
    await page.getByRole('button', { name: 'Пайдаланушы мәзірі' }).click()
    await page.getByRole('menuitemradio', { name: 'Қараңғы' }).click()
    const { other, frame } = await withoutScripts(page)
    await expect(frame.locator('[data-current]')).toHaveText('Менікі')
    await expect(frame.getByText('Ұйымдікі')).toBeHidden()
    expect(await other.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(16, 23, 26)',
    )
  })

  test('is not drawn for somebody whose session is over', async ({ pageOf }) => {
    const page = await pageOf(people.individual)
    const address = page.url()
    await page.context().clearCookies({ name: 'session' })
    const { other, frame } = await withoutScripts(page, address)
    await expect(other.locator('#root')).toBeAttached()
    await expect(frame).toHaveCount(0)
  })
})
