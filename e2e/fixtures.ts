/**
 * What every journey begins with: people of the demo, each in their own browser, their e-mails, and pages whose
 * faults fail the journey.
 */
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

/** The people of the demo (demo/people.ts), by their roles. */
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
  /** The user agent of the browser, for pages that differ on a phone. */
  userAgent?: string
  greets?: boolean
  /** Keeps animations, as most people see them: journeys are quicker without, but some test smooth scrolling. */
  hasMotion?: boolean
  /**
   * Signs in through the pages, for journeys about signing in; otherwise an earlier session of the person is used.
   */
  signsIn?: boolean
}

type Fixtures = {
  /** A browser of their own for a person of the demo, signed in. */
  pageOf: (person: string, options?: Options) => Promise<Page>
  /**
   * The same for a journey that first makes calls and only then opens a page: it begins on a page that holds nothing
   * but the address of the organisation, and is a second faster.
   */
  callerOf: (person: string, options?: Options) => Promise<Page>
  /** A browser in which nobody is signed in. */
  stranger: (options?: Options) => Promise<Page>
  /** A browser in which somebody has just created an account: they are asked to accept the agreement. */
  newcomer: () => Promise<{ page: Page; email: string; password: string }>
  /** The link in the newest e-mail to an address; with `saying`, in the newest one that contains this text. */
  linkInEmail: (recipient: string, subject: RegExp, saying?: string) => Promise<string>
}

/** Signing in takes a few pages: each worker does it once for each person. */
const sessions = new Map<string, Cookie>()
/** The organisation in which each of these people begins. */
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
  newcomer: async ({ stranger, linkInEmail }, use) => {
    await use(async () => {
      const page = await stranger()
      const email = `newcomer-${crypto.randomUUID()}@example.kz`
      const password = 'дала-жусан-2026'
      await page.goto('/connect/register')
      await page.getByLabel(/имя/i).fill('Гүлнар Әбенова')
      await page.getByLabel(/почт/i).fill(email)
      await page.getByRole('button', { name: /регистр/i }).click()
      await page.goto(await linkInEmail(email, /./))
      await page.getByLabel('Пароль').fill(password)
      await page.getByRole('button', { name: 'Создать учётную запись' }).click()
      await expect(page.getByRole('heading', { name: 'Соглашение об использовании' })).toBeVisible()
      return { page, email, password }
    })
  },
  linkInEmail: async ({ request }, use) => {
    await use(async (recipient, subject, saying = '') => {
      let text = ''
      await expect(async () => {
        const list = await request.get(`/api/demo/mails/0/20?recipient=${encodeURIComponent(recipient)}`)
        const { items } = (await list.json()) as { items: { id: string; subject: string }[] }
        const found = items.filter((mail) => subject.test(mail.subject))
        // Only the newest e-mail, unless a text is given: other journeys cause e-mails to the same address.
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
  // The greeting of a new version has its own test; elsewhere it would cover the page.
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

/**
 * Fails if the page is wider than the window; waits first, because a script may still adapt the page to its width.
 */
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
