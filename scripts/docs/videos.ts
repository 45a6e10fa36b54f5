/**
 * `npm run docs:videos`: records short journeys through the demo, without sound. The frames come from the browser
 * itself; captions come from `help/captions`, one file a language, and are timed by what happens on the screen.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { makePdf } from '../../demo/sample-files.ts'
import type { VideoName } from '../../domain/help/documents.ts'
import { signedFiles } from '../../e2e/signed-files.ts'
import { languages } from '../../texts/languages.ts'
import { openWindow, signIn, startDemo, type Demo } from './demo.ts'
import { toPoster, toWebm, type Frame } from './webm.ts'

const help = join(import.meta.dirname, '..', '..', 'help')
const folder = join(help, 'videos')
const owner = 'Айгерім Серікова'
const viewport = { width: 1440, height: 810 } as const

/** What a journey can use. */
type JourneyScene = {
  page: Page
  demo: Demo
  /** Starts the next caption. */
  say: () => Promise<void>
  press: (what: Locator) => Promise<void>
  type: (where: Locator, words: string) => Promise<void>
  /** Switches to another window. */
  look: (at: Page) => Promise<void>
  rest: (seconds: number) => Promise<void>
}

/** The poster is the frame at one of the captions. */
type Journey = { isSignedIn: boolean; poster: number; play: (scene: JourneyScene) => Promise<void> }

const scenes: Record<VideoName, Journey> = {
  send: {
    isSignedIn: false,
    poster: 4,
    async play({ page, say, press, type, rest }) {
      await page.goto('/signingRequests/incomings')
      await say()
      await press(page.getByRole('button', { name: owner }))
      await page.waitForURL(/organizationId=/)
      await say()
      await press(page.getByRole('button', { name: 'Новый документ' }))
      const dialog = page.getByRole('dialog')
      await dialog.locator('input[type="file"]').setInputFiles({
        name: 'Договор подряда № 31.pdf',
        mimeType: 'application/pdf',
        buffer: makePdf(['Contract No 31']),
      })
      await rest(1)
      await press(dialog.getByRole('button', { name: /^Загрузить/ }))
      await say()
      await page.keyboard.press('Escape')
      await press(page.getByRole('button', { name: 'Отправить на подписание: Договор подряда № 31.pdf' }))
      await say()
      await type(page.getByRole('combobox', { name: 'Выберите маршрут' }), 'Договор поставки с')
      await press(page.getByRole('option', { name: 'Договор поставки с «Тұлпар Трейд»' }))
      await page.getByText('Всё готово к отправке').waitFor()
      await say()
      await rest(3)
      await press(page.getByRole('button', { name: 'Отправить', exact: true }))
      await page.getByRole('heading', { level: 1, name: 'Договор подряда № 31' }).waitFor()
      await say()
    },
  },
  route: {
    isSignedIn: true,
    poster: 4,
    async play({ page, say, press, type, rest }) {
      await page.goto('/signaturePointsRoutes/add')
      await say()
      await type(page.getByLabel('Название'), 'Договор с подрядчиком')
      await press(page.getByRole('radio', { name: 'Все сотрудники' }))
      const next = page.getByRole('combobox', { name: /^(Первый|Следующий) шаг$/ })
      await say()
      await type(next, 'юрид')
      await press(page.getByRole('option', { name: /^Юридическая экспертиза / }))
      await say()
      await press(page.getByRole('button', { name: 'Добавить к шагу 1 параллельно' }))
      await type(page.getByRole('combobox', { name: 'Добавить к шагу 1 параллельно' }), 'бух')
      await press(page.getByRole('option', { name: /^Согласование бухгалтерии / }))
      await say()
      await type(next, 'директ')
      await press(page.getByRole('option', { name: /^Подпись директора / }))
      await type(next, 'Тұлпар')
      await press(page.getByRole('option', { name: /^«Тұлпар Трейд» подписывает / }))
      await say()
      await page.getByRole('list', { name: 'Как пойдёт документ' }).scrollIntoViewIfNeeded()
      await rest(3)
      await press(page.getByRole('button', { name: 'Создать маршрут' }))
      await page.waitForURL(/signaturePointsRoutes\/\w+\/[0-9a-f-]{36}|signaturePointsRoutes\/(my|public)/)
      await say()
    },
  },
  sign: {
    isSignedIn: true,
    poster: 2,
    async play({ page, demo, say, press, type, look, rest }) {
      await page.goto('/signingRequests/incomings')
      await say()
      await press(page.getByRole('row', { name: /Ждёт вашей подписи/ }).first())
      await page.locator('canvas').first().waitFor()
      await say()
      await rest(2)
      await press(page.getByRole('button', { name: 'Подписать ЭЦП', exact: true }))
      const dialog = page.getByRole('dialog', { name: /^Подписание/ })
      await say()
      await press(dialog.getByRole('button', { name: 'Выбрать ключ и подписать' }))
      await dialog.getByText('Выберите ключ и введите пароль в окне NCALayer').waitFor()
      const window = await page.context().newPage()
      await window.goto(`http://127.0.0.1:${Number(new URL(demo.url).port) + 2}/?lang=ru`)
      await look(window)
      await say()
      const pressHere = presserOn(window)
      await pressHere(window.getByRole('radio', { name: /СЕРІКОВА АЙГЕРІМ.*Алтын Дала/s }).first())
      await type(window.getByLabel('Пароль ключа'), 'Qwerty12')
      const isWritten = window.waitForEvent('load')
      await pressHere(window.getByRole('button', { name: 'Подписать' }))
      // Chromium opens no further page after one was closed while navigating.
      await isWritten
      await look(page)
      await window.close()
      await dialog.getByText('Документ подписан, подпись проверена.').waitFor()
      await say()
      await rest(2)
      await press(dialog.getByRole('button', { name: 'Закрыть', exact: true }).last())
      await say()
    },
  },
  'quick-send': {
    isSignedIn: true,
    poster: 3,
    async play({ page, say, press, type, rest }) {
      await page.goto('/documents/public')
      await say()
      await press(page.getByRole('button', { name: 'Быстрая отправка: Supply agreement 14-2026.pdf' }))
      await page.getByRole('combobox', { name: 'Ваша группа' }).waitFor()
      await say()
      await rest(1)
      await type(page.getByLabel('БИН/ИИН'), '240540017348')
      await page.getByText('«Тұлпар Трейд» ЖШС').first().waitFor()
      await say()
      await press(page.getByRole('combobox', { name: 'Электронная почта' }))
      await press(page.getByRole('option', { name: 'info@tulpar-trade.example' }))
      await page.keyboard.press('Escape')
      await say()
      await press(page.getByRole('button', { name: 'Отправить', exact: true }))
      await page.getByRole('heading', { level: 1, name: 'Supply agreement 14-2026' }).waitFor()
      await say()
    },
  },
  check: {
    isSignedIn: false,
    poster: 1,
    async play({ page, demo, say, press, rest }) {
      const files = await signedFiles(demo.dataDir)
      await page.goto('/verify')
      await say()
      await rest(2)
      await page.getByLabel('Файлы для проверки').setInputFiles([files.document, files.good])
      await page.getByRole('heading', { level: 2, name: 'Подпись действительна' }).waitFor()
      await say()
      await press(page.getByText('Подробности').first())
      await say()
      await page.mouse.wheel(0, 500)
      await rest(3)
      await page.mouse.wheel(0, -2000)
      await press(page.getByRole('button', { name: 'Проверить другие' }))
      await page.getByLabel('Файлы для проверки').setInputFiles([files.changed, files.good])
      await page.getByRole('heading', { level: 2, name: 'Подпись недействительна' }).waitFor()
      await say()
      await rest(2)
    },
  },
}

const captions = Object.fromEntries(
  languages.map((language) => [
    language,
    JSON.parse(readFileSync(join(help, 'captions', `${language}.json`), 'utf8')) as Record<
      VideoName,
      string[]
    >,
  ]),
)
const demo = await startDemo()
try {
  mkdirSync(folder, { recursive: true })
  const wanted = process.argv.slice(2)
  for (const [name, scene] of Object.entries(scenes) as [VideoName, Journey][]) {
    if (wanted.length === 0 || wanted.includes(name)) await record(name, scene)
  }
} finally {
  await demo.stop()
}

async function record(name: VideoName, { isSignedIn, poster, play }: Journey): Promise<void> {
  const { context, page } = await openWindow(demo, { language: 'ru', ...viewport })
  await context.addInitScript(showPointer)
  if (isSignedIn) await signIn(page, owner)
  const film = filmOf()
  const said: number[] = []
  await film.look(page)
  const press = presserOn(page)
  await play({
    page,
    demo,
    press,
    look: film.look,
    rest: (seconds) => pause(seconds * 1000),
    async say() {
      said.push(film.now())
      await pause(2200)
    },
    async type(where, words) {
      await where.click()
      await where.pressSequentially(words, { delay: 55 })
      await pause(700)
    },
  })
  await pause(2500)
  const length = await film.stop()
  await page.goto('/health/ready')
  const bytes = await toWebm(page, film.frames, length)
  writeFileSync(join(folder, `${name}.webm`), bytes)
  const still = film.frames.findLast(({ at }) => at <= said[poster]! + 1500)!
  writeFileSync(join(folder, `${name}.jpg`), await toPoster(page, still.jpeg))
  for (const language of languages) {
    const lines = captions[language]![name]
    if (lines.length !== said.length) {
      throw new Error(
        `${name}: ${said.length} captions are due, help/captions/${language}.json has ${lines.length}`,
      )
    }
    writeFileSync(join(folder, `${name}.${language}.vtt`), webVtt(lines, said, length))
  }
  process.stdout.write(`${name}: ${Math.round(length / 1000)} s, ${Math.round(bytes.length / 1024)} KB\n`)
  await context.close()
}

/** The frames of the browser, of one window after the other. */
function filmOf() {
  const frames: Frame[] = []
  let start = 0
  let session: CDPSession | null = null
  const now = () => (start === 0 ? 0 : performance.now() - start)
  const leave = async () => {
    await session?.send('Page.stopScreencast').catch(() => {})
    session = null
  }
  return {
    frames,
    now,
    look: async (at: Page) => {
      await leave()
      const own = await at.context().newCDPSession(at)
      session = own
      own.on('Page.screencastFrame', ({ data, sessionId }) => {
        void own.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
        if (own !== session) return
        if (start === 0) start = performance.now()
        const time = now()
        // Frames at the same time would collapse: times must grow.
        if (frames.length > 0 && time - frames.at(-1)!.at < 80) frames.pop()
        frames.push({ at: time, jpeg: data })
      })
      await at.bringToFront()
      await own.send('Page.startScreencast', { format: 'jpeg', quality: 85, maxWidth: 1440, maxHeight: 810 })
    },
    stop: async () => {
      await leave()
      return now()
    },
  }
}

/** Like a person: moves the pointer there, waits a moment and clicks. */
function presserOn(page: Page): (what: Locator) => Promise<void> {
  return async (what) => {
    await what.scrollIntoViewIfNeeded()
    const box = await what.boundingBox()
    if (box) {
      await page.mouse.move(box.x + Math.min(box.width / 2, 160), box.y + box.height / 2, { steps: 18 })
    }
    await pause(450)
    await what.click()
    await pause(900)
  }
}

/** The browser's frames have no pointer; this one follows the mouse. Runs in the page. */
function showPointer(): void {
  if (window !== window.top) return
  addEventListener('DOMContentLoaded', () => {
    const pointer = document.createElement('div')
    Object.assign(pointer.style, {
      position: 'fixed',
      left: '0',
      top: '0',
      width: '22px',
      height: '22px',
      margin: '-11px 0 0 -11px',
      borderRadius: '50%',
      background: 'rgb(230 165 20 / 55%)',
      border: '2px solid rgb(120 80 0 / 80%)',
      pointerEvents: 'none',
      zIndex: '2147483647',
      transform: 'translate(-40px, -40px)',
    })
    document.documentElement.append(pointer)
    addEventListener(
      'mousemove',
      ({ clientX, clientY }) => {
        pointer.style.transform = `translate(${clientX}px, ${clientY}px)`
      },
      true,
    )
  })
}

function webVtt(lines: readonly string[], said: readonly number[], length: number): string {
  const cues = lines.map((line, i) => `${clock(said[i]!)} --> ${clock(said[i + 1] ?? length)}\n${line}\n`)
  return `WEBVTT\n\n${cues.join('\n')}`
}

function clock(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(14, 23)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
