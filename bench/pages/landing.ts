/**
 * The landing page on a slow phone (processor four times slower, 1.6 Mbit/s) beside an empty page with the same fonts
 * on the same connection: largest contentful paint, blocking time, layout shifts while scrolling to the end, and all
 * JavaScript loaded before somebody starts to send a document.
 */
import { createServer, type Server } from 'node:http'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { launchBrowser } from '../parts/browser.ts'
import { loadedScripts } from '../parts/loaded-scripts.ts'
import { startProduct, temporaryData } from '../parts/product.ts'
import { rounded, type Measure } from '../parts/measure.ts'

const goals = { ratio: 2.5, blocked: 200, kilobytes: 60, shift: 0.001 }
const rounds = 5
const assets = join(import.meta.dirname, '..', '..', 'web', 'dist', 'assets')

export async function landing(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3265, dataDir)
  const empty = await serveEmptyPage()
  const browser = await launchBrowser()
  try {
    const ours: PageMeasurement[] = []
    const theirs: PageMeasurement[] = []
    for (let i = 0; i < rounds; i++) {
      ours.push(await seeOnPhone(browser, `${product.url}/ru`))
      theirs.push(await seeOnPhone(browser, empty.url))
    }
    const kilobytes = await loadedScripts(product.url, async (page) => {
      await page.goto(`${product.url}/ru`, { waitUntil: 'networkidle' })
      await readToTheEnd(page)
      await page.waitForLoadState('networkidle')
    })
    const value = medianOf(ours.map(({ painted }) => painted))
    const anchor = medianOf(theirs.map(({ painted }) => painted))
    const ratio = value / anchor
    const blocked = medianOf(ours.map((seen) => seen.blocked))
    const shift = Math.max(...ours.map((seen) => seen.shift))
    return {
      name: 'landing',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio: rounded(ratio),
      goal: `painted within ${goals.ratio}× of an empty page (ms), blocked < ${goals.blocked} ms, shift 0.000, ≤ ${goals.kilobytes} KB of JavaScript`,
      ok:
        ratio <= goals.ratio &&
        blocked < goals.blocked &&
        shift < goals.shift &&
        kilobytes <= goals.kilobytes,
      note: `blocked ${rounded(blocked)} ms, shift ${rounded(shift)}, ${kilobytes} KB of JavaScript`,
    }
  } finally {
    await browser.close()
    empty.server.close()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type PageMeasurement = { painted: number; blocked: number; shift: number }

async function seeOnPhone(browser: Browser, url: string): Promise<PageMeasurement> {
  const context = await browser.newContext({
    locale: 'ru-RU',
    viewport: { width: 375, height: 780 },
    deviceScaleFactor: 2,
    isMobile: true,
  })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const line = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', line)
  await page.addInitScript(() => {
    const seen = { painted: 0, blocked: 0, shift: 0 }
    Object.assign(window, { seen })
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    watch('largest-contentful-paint', (entry) => (seen.painted = entry.startTime))
    watch('longtask', (entry) => (seen.blocked += entry.duration - 50))
    watch('layout-shift', (entry) => (seen.shift += (entry as Shift).value))
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const now = () => page.evaluate(() => ({ ...(window as unknown as { seen: PageMeasurement }).seen }))
  const { painted, blocked } = await now()
  await readToTheEnd(page)
  const { shift } = await now()
  await context.close()
  return { painted, blocked, shift }
}

async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 500) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)))
    }
  })
}

/** The fonts that the landing page loads first, and one line set in them. */
async function serveEmptyPage(): Promise<{ url: string; server: Server }> {
  const fonts = readdirSync(assets).filter((name) =>
    /^golos-text-(latin|cyrillic)-[46]00-normal-.*\.woff2$/.test(name),
  )
  const faces = fonts.map((name) => {
    const weight = name.includes('-400-') ? 400 : 600
    const range = name.includes('-cyrillic-') ? 'U+0400-045F' : 'U+0000-00FF'
    return `@font-face{font-family:G;font-weight:${weight};font-display:optional;src:url(/${name});unicode-range:${range}}`
  })
  const preloads = fonts.map(
    (name) => `<link rel="preload" as="font" type="font/woff2" href="/${name}" crossorigin>`,
  )
  const html = `<!doctype html><html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${preloads.join('')}<style>${faces.join('')}body{font-family:G}</style><title>-</title><p>Келісім <b>1</b>`
  const server = createServer((request, response) => {
    const font = fonts.find((name) => request.url === `/${name}`)
    if (font) response.writeHead(200, { 'content-type': 'font/woff2' }).end(readFileSync(join(assets, font)))
    else if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, server }
}

function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}
