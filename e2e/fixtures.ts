/** What every journey begins with: people of the demo with a browser of their own, their e-mails, and pages that fail the journey on faults. */
import {
  test as base,
  expect,
  type Browser,
  type BrowserContext,
  type Cookie,
  type Locator,
  type Page,
} from '@playwright/test'

export { expect }

/** The people of the demo (demo/people.ts), by what they are. */
export const people = {
  owner: 'Айгерім Серікова',
  inTwo: 'Данияр Омаров',
  pointsAdministrator: 'Гүлнар Оспанова',
  routesAdministrator: 'Ерлан Төлегенов',
  otherOwner: 'Нұрлан Жақсыбеков',
  otherEmployee: 'Мария Ли',
  individual: 'Әлихан Қасымов',
} as const

export const altynDala = 'ТОО «Алтын Дала»'
export const tulparTrade = '«Тұлпар Трейд» ЖШС'

type Options = {
  /** The page to begin at, instead of the incoming requests. */
  at?: string
  language?: 'ru' | 'kk' | 'en'
  width?: number
  /** What the browser says of itself, for pages that differ on a phone. */
  userAgent?: string
  greets?: boolean
  /** Things move as for most people: journeys are quicker without, but smooth scrolling is seen only with it. */
  hasMotion?: boolean
  /** Signs in as anybody would, for journeys about just that; otherwise a session from before is taken. */
  signsIn?: boolean
}

type Fixtures = {
  /** A browser of their own for a person of the demo, signed in. */
  pageOf: (person: string, options?: Options) => Promise<Page>
  /**
   * The same for whoever calls first and looks at a page of their choice only then: it begins on one that holds nothing
   * but the address of their organisation, and is a second faster.
   */
  callerOf: (person: string, options?: Options) => Promise<Page>
  /** A browser of nobody. */
  stranger: (options?: Options) => Promise<Page>
  /** The link in the newest e-mail to an address, or in the newest that says something. */
  linkInEmail: (recipient: string, subject: RegExp, saying?: string) => Promise<string>
}

/** Signing in takes a few pages: each worker does it once for each person. */
const sessions = new Map<string, Cookie>()
/** The organisation that each person of these begins in. */
const organizations = new Map<string, string>()

export const test = base.extend<Fixtures>({
  stranger: async ({ browser, baseURL }, use) => {
    const opened: BrowserContext[] = []
    await use(async (options = {}) => {
      const { context, page } = await openBrowser(browser, baseURL!, options)
      opened.push(context)
      return page
    })
    for (const context of opened) await context.close()
  },
  pageOf: async ({ stranger }, use) => {
    await use(async (person, options) => {
      const page = await stranger(options)
      const kept = options?.signsIn ? undefined : sessions.get(person)
      if (kept) await page.context().addCookies([kept])
      await page.goto(options?.at ?? '/signingRequests/incomings')
      if (!kept) {
        await page.getByRole('button', { name: person }).click()
        await page.waitForURL(({ pathname }) => !pathname.startsWith('/connect/'))
      }
      if (!options?.at) {
        await expect(page).toHaveURL(/organizationId=/)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        organizations.set(person, new URL(page.url()).searchParams.get('organizationId')!)
      }
      const session = (await page.context().cookies()).find(({ name }) => name === 'session')
      if (session && !options?.signsIn) sessions.set(person, session)
      return page
    })
  },
  callerOf: async ({ pageOf, stranger }, use) => {
    await use(async (person, options) => {
      const session = sessions.get(person)
      const organizationId = organizations.get(person)
      if (!session || organizationId === undefined) return pageOf(person, options)
      const page = await stranger(options)
      await page.context().addCookies([session])
      await page.goto(`/health/ready?organizationId=${organizationId}`)
      return page
    })
  },
  linkInEmail: async ({ request }, use) => {
    await use(async (recipient, subject, saying = '') => {
      let text = ''
      await expect(async () => {
        const list = await request.get(`/api/demo/mails/0/20?recipient=${encodeURIComponent(recipient)}`)
        const { items } = (await list.json()) as { items: { id: string; subject: string }[] }
        const found = items.filter((mail) => subject.test(mail.subject))
        // Only the newest, unless it must say something: other journeys write to the same address.
        const looked = saying === '' ? found.slice(0, 1) : found
        const texts = await Promise.all(
          looked.map(async ({ id }) => {
            const mail = await request.get(`/api/demo/mails/${id}`)
            return ((await mail.json()) as { text: string }).text
          }),
        )
        text = texts.find((one) => one.includes(saying)) ?? ''
        const there = items.map((mail) => mail.subject).join(', ')
        expect(text, `e-mails to ${recipient}: ${there}`).not.toBe('')
      }).toPass()
      return /https?:\/\/\S+/.exec(text)![0]
    })
  },
})

async function openBrowser(
  browser: Browser,
  baseURL: string,
  { language = 'ru', width = 1440, userAgent, greets, hasMotion = false }: Options,
) {
  const context = await browser.newContext({
    baseURL,
    locale: { ru: 'ru-RU', kk: 'kk-KZ', en: 'en-US' }[language],
    viewport: { width, height: width < 600 ? 800 : 900 },
    reducedMotion: hasMotion ? 'no-preference' : 'reduce',
    ...(userAgent !== undefined && { userAgent }),
  })
  // The greeting of a new version has its own test; elsewhere it stands in the way.
  if (!greets) {
    await context.addInitScript(() => {
      if (window === window.top) localStorage.setItem('app-version', '0.57.0')
    })
  }
  const page = await context.newPage()
  failOnFaults(page)
  return { context, page }
}

/** No journey may leave an exception or a breach of the content policy behind. */
function failOnFaults(page: Page): void {
  page.on('pageerror', (error) => {
    throw error
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) throw new Error(message.text())
  })
}

/** Waits for a page that is still adapting to its width: a script may follow the style sheet. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, page.url()).toBeLessThanOrEqual(0)
}

/** No button or link shows less than its whole text: a label that is cut off is wider than its box. */
export async function expectWholeLabels(dialog: Locator): Promise<void> {
  const cut = await dialog
    .locator('button, a')
    .evaluateAll((all) =>
      all.flatMap((one) =>
        [one, ...one.querySelectorAll('*')]
          .filter(
            (part) => part.scrollWidth > part.clientWidth && getComputedStyle(part).overflowX !== 'visible',
          )
          .map((part) => part.textContent),
      ),
    )
  expect(cut).toEqual([])
}
