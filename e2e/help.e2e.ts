/** The help: from the menu to a shown document, a downloaded price list, and videos with captions. */
import { readFileSync } from 'node:fs'
import { helpLanguages, helpNames, videoNames } from '@kelisim/domain/help/documents.ts'
import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'

test('from the menu the instruction is shown with its pages, and the price list is saved', async ({
  pageOf,
}) => {
  const page = await pageOf(people.owner)
  await page.getByRole('button', { name: 'Справка' }).click()
  const menu = page.getByRole('navigation', { name: 'Меню' })
  await expect(menu.getByRole('link', { name: 'Что такое Келісім' })).toHaveAttribute('target', '_blank')
  const arriving = page.waitForEvent('download')
  await menu.getByRole('link', { name: 'Прайс-лист' }).click()
  const saved = await arriving
  expect(saved.suggestedFilename()).toBe('Прайс-лист.pdf')
  expect(
    readFileSync(await saved.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')

  await menu.getByRole('link', { name: 'Инструкция' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Инструкция' })).toBeVisible()
  await expect(page.getByText(/^1 \/ 1\d$/)).toBeVisible()
  await expectAccessible(page)
  const others = page.getByRole('navigation', { name: 'Другие документы' })
  await others.getByRole('link', { name: 'Правила сервиса' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Правила сервиса' })).toBeVisible()
  await expect(page.getByText('1 / 4', { exact: true })).toBeVisible()
  // The menu of the application is still there.
  await page.getByRole('button', { name: 'Документы', exact: true }).click()
  await page.getByRole('link', { name: /^Входящие/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Входящие' })).toBeVisible()
})

test('readers of English get the contracts in English; the dialog about news leads to its document', async ({
  pageOf,
  request,
}) => {
  const page = await pageOf(people.otherEmployee, { language: 'en', greets: true })
  const news = page.getByRole('dialog', { name: /^What is new/ })
  const release = await news.getByRole('link').getAttribute('href')
  expect((await request.get(release!)).headers()['content-type']).toBe('application/pdf')
  await page.goto('/frame/contract-offer')
  await expect(page.getByRole('heading', { level: 1, name: 'Public offer' })).toBeVisible()
  const english = await request.get('/frame/contract-offer.pdf', { headers: { 'accept-language': 'en' } })
  expect(english.headers()['content-language']).toBe('en')
})

test('videos play large, with captions below the picture as steps to jump to; every file of the help exists', async ({
  stranger,
  request,
}) => {
  const page = await stranger({ language: 'kk', width: 375 })
  await page.goto('/frame/videos')
  await expect(page.getByRole('heading', { level: 1, name: 'Бейненұсқаулықтар' })).toBeVisible()
  const first = page.locator('video').first()
  await expect(page.locator('video')).toHaveCount(videoNames.length)
  const played = await first.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true
    await video.play()
    const [track] = video.textTracks
    return { seconds: video.duration, width: video.videoWidth, language: track?.language, mode: track?.mode }
  })
  // Hidden captions are not drawn over the picture.
  expect(played).toMatchObject({ width: 1280, language: 'kk', mode: 'hidden' })
  const item = page.getByRole('listitem').filter({ has: first })
  const step = item.getByRole('list').getByRole('button').nth(1)
  await step.click()
  await expect(item.locator('[aria-current=step]')).toContainText('«Жаңа құжат»')
  expect(played.seconds).toBeGreaterThan(15)
  expect(played.seconds).toBeLessThan(61)
  await expectAccessible(page)
  await expectNoOverflow(page)

  const files = [
    ...helpNames.flatMap((name) => helpLanguages.map((language) => `${name}.${language}.pdf`)),
    ...videoNames.flatMap((name) =>
      ['webm', 'jpg', 'ru.vtt', 'kk.vtt', 'en.vtt'].map((kind) => `videos/${name}.${kind}`),
    ),
  ]
  for (const file of files) expect((await request.head(`/files/${file}`)).status(), file).toBe(200)
})
