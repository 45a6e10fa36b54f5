import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { launchBrowser } from './browser.ts'

/** Kilobytes of gzipped JavaScript that a fresh browser loads from us on this journey, each file once. */
export async function loadedScripts(origin: string, walk: (page: Page) => Promise<void>): Promise<number> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ locale: 'ru-RU' })
    // Prefetching in idle time is not part of the first load.
    await context.addInitScript(() => Reflect.deleteProperty(window, 'requestIdleCallback'))
    const page = await context.newPage()
    const sizes = new Map<string, Promise<number>>()
    page.on('response', (response) => {
      const url = response.url()
      if (response.request().resourceType() !== 'script' || !url.startsWith(origin)) return
      sizes.set(
        url,
        response.body().then(
          (body) => gzipSync(body, { level: 9 }).length,
          () => 0,
        ),
      )
    })
    await walk(page)
    const bytes = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
    return Number((bytes / 1024).toFixed(1))
  } finally {
    await browser.close()
  }
}
