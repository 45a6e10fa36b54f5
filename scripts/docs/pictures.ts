/**
 * `npm run docs:pictures -- FOLDER [SCREEN…]`: pictures of every family of screens, to be looked at before a release:
 * Russian in the light theme and Kazakh in the dark one, at three widths.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Language } from '../../texts/languages.ts'
import { people } from '../../e2e/fixtures.ts'
import { openWindow, signIn, startDemo } from './demo.ts'
import { prepareScene, screens, type Scene, type Screen } from './screens.ts'

type Look = { language: Language; colorScheme: 'light' | 'dark' }

const looks: Look[] = [
  { language: 'ru', colorScheme: 'light' },
  { language: 'kk', colorScheme: 'dark' },
]
const widths = [1440, 1000, 375]
const mailWidths = [600, 375]
/** The greatest height of a picture: longer pages continue as they begin. */
const tallest = 3000

const [folder, ...chosen] = process.argv.slice(2)
if (!folder) {
  process.stderr.write('Where to? npm run docs:pictures -- FOLDER [SCREEN…]\n')
  process.exit(1)
}
mkdirSync(folder, { recursive: true })

const demo = await startDemo()
const missed: string[] = []
try {
  const first = await openWindow(demo, { language: 'ru' })
  await signIn(first.page, people.owner)
  const scene = await prepareScene(first.page, demo.dataDir)
  await first.context.close()
  await Promise.all(looks.map((look) => pictureAll(look, scene)))
} finally {
  await demo.stop()
}
if (missed.length > 0) {
  process.stderr.write(`${missed.join('\n')}\n`)
  process.exitCode = 1
}

async function pictureAll(look: Look, scene: Scene): Promise<void> {
  const windows = new Map<string, Page>()
  const windowOf = async (person: string) => {
    const kept = windows.get(person)
    if (kept) return kept
    const { page } = await openWindow(demo, look)
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' })
    if (person !== '') await signIn(page, person)
    windows.set(person, page)
    return page
  }
  for (const screen of screens.filter(isChosen)) {
    const page = await windowOf(screen.person ?? '')
    try {
      for (const [i, width] of widths.entries()) {
        await resize(page, width)
        // Another width may close what a click has opened.
        if (i === 0 || screen.act) await show(page, screen, look, scene)
        await take(page, `${screen.name}-${look.language}`, width)
      }
    } catch (error) {
      missed.push(`${screen.name} ${look.language}: ${String(error).split('\n')[0]}`)
    }
  }
  const mails = chosen.length === 0 || chosen.includes('mail') ? scene.mails : []
  const page = await windowOf('')
  for (const [i, { language, address }] of mails.entries()) {
    if (language !== look.language) continue
    await page.goto(address)
    for (const width of mailWidths) {
      await resize(page, width)
      await take(page, `mail-${i + 1}-${language}`, width)
    }
  }
  for (const window of windows.values()) await window.context().close()
}

function isChosen({ name }: Screen): boolean {
  return chosen.length === 0 || chosen.some((word) => name.startsWith(word))
}

async function show(page: Page, { at, act }: Screen, look: Look, scene: Scene): Promise<void> {
  await page.goto(typeof at === 'string' ? at : at(scene))
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  await act?.(page, look.language, scene)
}

async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 600 ? 800 : 900 })
}

async function take(page: Page, name: string, width: number): Promise<void> {
  await page.waitForLoadState('networkidle')
  const path = join(folder!, `${name}-${width}.png`)
  // A dialog covers the window, not the page.
  if (await page.getByRole('dialog').first().isVisible()) {
    await page.screenshot({ path, animations: 'disabled' })
    return
  }
  // The window is made as tall as the page: in a picture larger than the window, sticky elements would be torn apart.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.min(height, tallest) })
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path, animations: 'disabled' })
}
