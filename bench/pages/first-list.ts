/**
 * The list of incoming requests on a phone with a processor four times slower, opened again by somebody who is signed in: when
 * something is first seen (beside the shortest page of the same server), how many files come before the list, and how far
 * things move while it loads.
 */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { pages } from '@kelisim/domain/pages.ts'
import { launchBrowser } from '../parts/browser.ts'
import { rounded, type Measure } from '../parts/measure.ts'
import { withProduct } from '../parts/work.ts'

const goals = { ratio: 1.5, files: 20, shift: 0.02 }
const rounds = 9
const slowdown = 4

export async function firstPaint(): Promise<Measure> {
  return onPhone(async ({ page, listUrl, emptyUrl }) => {
    const ours: number[] = []
    const theirs: number[] = []
    // Alternating, so that other load on the machine affects both.
    for (let i = 0; i < rounds; i++) {
      ours.push((await openList(page, listUrl)).painted)
      theirs.push(await openEmpty(page, emptyUrl))
    }
    const value = medianOf(ours)
    const anchor = medianOf(theirs)
    const ratio = value / anchor
    return {
      name: 'firstPaint',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio: rounded(ratio),
      goal: `ratio <= ${goals.ratio}`,
      ok: ratio <= goals.ratio,
      note: 'ms until something is seen; the anchor is a page of two lines of text',
    }
  })
}

export async function chunks(): Promise<Measure> {
  return onPhone(async ({ page, listUrl }) => {
    const files = new Set<string>()
    page.on('request', (request) => {
      if (request.resourceType() === 'script') files.add(request.url())
    })
    await openList(page, listUrl)
    return limited('chunks', files.size, goals.files)
  })
}

export async function layoutShift(): Promise<Measure> {
  return onPhone(async ({ page, listUrl }) => {
    const shifts: number[] = []
    for (let i = 0; i < rounds; i++) shifts.push((await openList(page, listUrl)).shift)
    return limited('layoutShift', Math.max(...shifts), goals.shift)
  })
}

function limited(name: string, value: number, limit: number): Measure {
  return {
    name,
    value: rounded(value),
    anchor: limit,
    ratio: rounded(value / limit),
    goal: `<= ${limit}`,
    ok: value <= limit,
  }
}

type Opened = { page: Page; listUrl: string; emptyUrl: string }

async function onPhone(measure: (opened: Opened) => Promise<Measure>): Promise<Measure> {
  return withProduct(3268, async ({ product }) => {
    const browser = await launchBrowser()
    try {
      const context = await phone(browser)
      const page = await context.newPage()
      await page.goto(product.url + pages.incomingRequests)
      await page.getByRole('button', { name: 'Айгерім Серікова' }).click()
      await seeList(page)
      const devtools = await context.newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      return await measure({ page, listUrl: page.url(), emptyUrl: `${product.url}/robots.txt` })
    } finally {
      await browser.close()
    }
  })
}

async function phone(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'ru-RU',
    viewport: { width: 375, height: 780 },
    deviceScaleFactor: 2,
    isMobile: true,
  })
  // Prefetching in idle time comes after the list.
  await context.addInitScript(() => Reflect.deleteProperty(window, 'requestIdleCallback'))
  await context.addInitScript(() => {
    const seen = { painted: 0, shift: 0 }
    Object.assign(window, { seen })
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    watch('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') seen.painted = startTime
    })
    watch('layout-shift', (entry) => (seen.shift += (entry as PerformanceEntry & { value: number }).value))
  })
  return context
}

type PageLoad = { painted: number; shift: number }

async function openList(page: Page, url: string): Promise<PageLoad> {
  await page.goto(url)
  await seeList(page)
  await page.waitForLoadState('networkidle')
  return seenOf(page)
}

async function seeList(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('listitem').or(page.getByRole('row')).first().waitFor()
}

async function openEmpty(page: Page, url: string): Promise<number> {
  await page.goto(url)
  await page.waitForFunction(() => (window as unknown as { seen: PageLoad }).seen.painted > 0)
  return (await seenOf(page)).painted
}

function seenOf(page: Page): Promise<PageLoad> {
  return page.evaluate(() => ({ ...(window as unknown as { seen: PageLoad }).seen }))
}

function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}
