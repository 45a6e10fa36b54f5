/** What axe finds in a page: obstacles for people who see, hear or move differently. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails if axe finds a serious obstacle for people who see, hear or move differently. */
export async function expectAccessible(page: Page): Promise<void> {
  // None of these rules reads style sheets, which axe would fetch once more.
  const preload = { assets: ['media'] }
  const axe = await axeOn(page)
  const { violations } = await axe
    .options({ resultTypes: ['violations'], preload })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa'])
    .analyze()
  const serious = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
  expect(serious.map(violationText), page.url()).toEqual([])
}

/** Fails if any rule of axe finds something, including best practices and rules that are off by default. */
export async function expectNoFindings(page: Page): Promise<void> {
  const rules = {
    'label-content-name-mismatch': { enabled: true },
    'css-orientation-lock': { enabled: true },
    'focus-order-semantics': { enabled: true },
    'p-as-heading': { enabled: true },
    'table-fake-caption': { enabled: true },
    'td-has-header': { enabled: true },
    'target-size': { enabled: true },
  }
  const axe = await axeOn(page)
  const { violations } = await axe.options({ resultTypes: ['violations'], rules }).analyze()
  expect(violations.map(violationText), page.url()).toEqual([])
}

/** The minified source: inserting the readable one, as the builder does at every check, took most of the time. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** In legacy mode axe opens no page of its own to collect results of frames; a page with one frame needs none. */
async function axeOn(page: Page): Promise<AxeBuilder> {
  if (page.frames().length > 1) return new AxeBuilder({ page, axeSource })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return new AxeBuilder({ page, axeSource: alreadyThere }).setLegacyMode()
}

/** An empty script in place of the source, for a page that has axe already. */
const alreadyThere = 'void 0'

function violationText({ id, nodes }: { id: string; nodes: { html: string }[] }): string {
  return `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`
}
