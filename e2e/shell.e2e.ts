import type { Page } from '@playwright/test'
import { altynDala, expect, people, test, expectNoOverflow } from './fixtures.ts'

async function sectionEntries(page: Page, section: string): Promise<string[]> {
  const head = page.getByRole('button', { name: section, exact: true })
  if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click()
  const links = page.getByRole('navigation', { name: 'Меню' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  return links.allTextContents()
}

test('the owner sees all six sections with every entry', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  expect(await sectionEntries(page, 'Документы')).toEqual([
    'Входящие',
    'Исходящие',
    'Мои',
    'Общие',
    'Организации',
    'Создать',
    'Все',
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

test('an employee sees no list of the organisation and no option of it', async ({ pageOf }) => {
  const page = await pageOf(people.otherEmployee)
  expect(await sectionEntries(page, 'Документы')).toEqual([
    'Входящие',
    'Исходящие',
    'Мои',
    'Общие',
    'Создать',
    'Все',
  ])
  expect(await sectionEntries(page, 'Классификаторы')).toEqual(['Список'])
  expect(await sectionEntries(page, 'Настройки')).toEqual(['Уведомления', 'Группа быстрой отправки'])
  await page.goto('/documents/organization')
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
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

test('what is new greets once for each version', async ({ pageOf }) => {
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

test('the menu of a phone is a drawer that closes by its button and by going somewhere', async ({
  pageOf,
}) => {
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

test('the menu is 356 px wide and the page says its version', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  const menu = page.getByRole('complementary')
  expect((await menu.boundingBox())!.width).toBe(356)
  await expect(menu.getByText('Версия 0.57.0')).toBeVisible()
})

test('the theme can be dark, and stays', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.getByRole('button', { name: 'Меню пользователя' }).click()
  await page.getByRole('menuitemradio', { name: 'Тёмная' }).click()
  await expect.poll(background).toBe('rgb(16, 23, 26)')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  expect(await background()).toBe('rgb(16, 23, 26)')
})

test('a newer version being served offers to reload', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
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

test.describe('the frame of the application', () => {
  /** Where each text of the header and the menu stands. */
  const places = (page: Page) =>
    page.evaluate(() => {
      const frame = document.getElementById('shell-skeleton') ?? document.body
      const inFrame = [...frame.querySelectorAll('header[class] *, aside *')]
      const isText = ({ nodeType, textContent }: Node) => nodeType === Node.TEXT_NODE && textContent !== ''
      return inFrame
        .filter((part) => part.checkVisibility() && [...part.childNodes].some(isText))
        .map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect()
          return [part.textContent, ...[x, y, width, height].map(Math.round)].join(' ')
        })
    })

  /** The same page once more in the same browser, whose scripts never come. */
  const withoutScripts = async (page: Page, address = page.url()) => {
    const other = await page.context().newPage()
    await other.setViewportSize(page.viewportSize()!)
    await other.route('**/*.js', (route) => route.abort())
    await other.goto(address)
    return { other, frame: other.locator('#shell-skeleton') }
  }

  for (const width of [1440, 375]) {
    test(`is there before any script, and nothing of it moves, at ${width} px`, async ({ pageOf }) => {
      const page = await pageOf(people.owner, { width })
      await expect(page.getByRole('heading', { name: 'Входящие' })).toBeVisible()
      await expect(page.locator('#shell-skeleton')).toHaveCount(0)
      const { other, frame } = await withoutScripts(page)
      await expect(frame.locator('header')).toBeVisible()
      await other.evaluate(() => document.fonts.ready)
      const drawn = await places(other)
      expect(drawn.length).toBeGreaterThan(width > 1000 ? 14 : 0)
      await expect.poll(() => places(page)).toEqual(expect.arrayContaining(drawn))
    })
  }

  test('is drawn for an employee, in their language and theme', async ({ pageOf }) => {
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

  test('is not drawn for somebody who has signed out', async ({ pageOf }) => {
    const page = await pageOf(people.individual, { signsIn: true })
    const address = page.url()
    await page.getByRole('button', { name: 'Меню пользователя' }).click()
    await page.getByRole('menuitem', { name: 'Выйти' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/')
    const { other, frame } = await withoutScripts(page, address)
    await expect(other.locator('#root')).toBeAttached()
    await expect(frame).toHaveCount(0)
  })
})
