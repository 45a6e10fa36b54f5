/** The product in demo mode with a browser, for screenshots and videos. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { languages, languageCookie, type Language } from '../../texts/languages.ts'
import { browserOrExit } from '@kelisim/tools/machine.ts'

export type Demo = { url: string; dataDir: string; browser: Browser; stop: () => Promise<void> }

/** Starts a demo, or uses the running one whose data is in DOCS_DATA_DIR. */
export async function startDemo(): Promise<Demo> {
  const port = Number(process.env['DOCS_PORT'] ?? 3307)
  const url = `http://localhost:${port}`
  const product = process.env['DOCS_DATA_DIR'] === undefined ? startProduct(port) : undefined
  const dataDir = product?.dataDir ?? process.env['DOCS_DATA_DIR']!
  await until(async () => (await fetch(`${url}/health/ready`)).ok, 'the demo').catch(
    async (error: unknown) => {
      await product?.stop()
      throw error
    },
  )
  const browser = await chromium.launch({
    executablePath: browserOrExit(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--force-color-profile=srgb'],
  })
  return {
    url,
    dataDir,
    browser,
    async stop() {
      await browser.close()
      await product?.stop()
    },
  }
}

function startProduct(port: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kelisim-docs-'))
  chmodSync(dataDir, 0o755)
  const product = spawn(process.execPath, [join(import.meta.dirname, '..', 'start.ts')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', MODE: 'demo' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    dataDir,
    async stop() {
      const isOver = new Promise((resolve) => product.once('exit', resolve))
      product.kill('SIGTERM')
      await isOver
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A window in this language, without greetings and animations. */
export async function openWindow(
  { browser, url }: Demo,
  options: { language: Language; width?: number; height?: number; scale?: number },
): Promise<{ context: BrowserContext; page: Page }> {
  const { language, width = 1440, height = 900, scale = 1 } = options
  if (!languages.includes(language)) throw new Error(`no such language: ${language}`)
  const context = await browser.newContext({
    baseURL: url,
    locale: { ru: 'ru-RU', kk: 'kk-KZ', en: 'en-US' }[language],
    timezoneId: 'Asia/Almaty',
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  })
  await context.addCookies([{ name: languageCookie, value: language, url }])
  await context.addInitScript(
    (key) => {
      if (window === window.top) localStorage.setItem(key.name, key.version)
    },
    { name: 'app-version', version: '0.57.0' },
  )
  return { context, page: await context.newPage() }
}

export async function signIn(page: Page, person: string): Promise<void> {
  await page.goto('/signingRequests/incomings')
  await page.getByRole('button', { name: person }).click()
  await page.waitForURL(/organizationId=/)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Fails after three minutes. */
export async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 180_000
  while (Date.now() < end) {
    if (await isSo().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`${what} did not come`)
}
