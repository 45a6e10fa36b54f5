import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defuse } from '@kelisim/domain/mail/defuse.ts'
import { emailTones } from '@kelisim/domain/mail/email.ts'
import { renderEmail } from './render.ts'

type TextTree = { [key: string]: string | TextTree }

/** All texts of a file, or of one part of it. */
function ownTexts(language: string, file: string, part?: string): string[] {
  const path = new URL(`../../../texts/${language}/${file}.json`, import.meta.url)
  const tree = JSON.parse(readFileSync(path, 'utf8')) as TextTree
  return leavesOf(part === undefined ? tree : tree[part]!)
}

function leavesOf(tree: string | TextTree): string[] {
  return typeof tree === 'string' ? [tree] : Object.values(tree).flatMap(leavesOf)
}

const email = {
  to: 'a@example.kz',
  language: 'ru',
  subject: 'Тема <script>',
  paragraphs: ['Первый "абзац" & <b>другой</b>'],
  button: { label: 'Открыть', url: 'https://kelisim.kz/x?a=1&b="2' },
} as const

const { html, text } = renderEmail(email, new URL('https://kelisim.kz'))

test('HTML in texts of users is escaped', () => {
  expect(html).not.toContain('<script>')
  expect(html).toContain('Первый &quot;абзац&quot; &amp; &lt;b&gt;другой&lt;/b&gt;')
  expect(html).toContain('href="https://kelisim.kz/x?a=1&amp;b=&quot;2"')
  expect(text).toContain('Открыть: https://kelisim.kz/x?a=1&b="2')
})

test('attributes contain no unescaped quotes', () => {
  const attributes = [...html.matchAll(/<\w+((?:\s[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)]
  const tags = [...html.matchAll(/<(?!\/|!)\w+/g)]
  expect(attributes).toHaveLength(tags.length)
  expect(html).toMatch(/style="[^"]*font:400 15px\/1\.5 'Golos Text',Arial,sans-serif"/)
})

test('a digest links each item, and has links for settings and unsubscribing', () => {
  const choice = {
    settingsUrl: 'https://kelisim.kz/options/x',
    unsubscribeUrl: 'https://kelisim.kz/unsubscribe/t',
  }
  const items = [{ text: 'На подпись: «<Шарт>»', url: 'https://kelisim.kz/r/1' }]
  const digest = renderEmail({ ...email, language: 'kk', items, choice }, new URL('https://kelisim.kz'))
  expect(digest.html).toContain('&lt;Шарт&gt;')
  expect(digest.html).toContain('href="https://kelisim.kz/unsubscribe/t"')
  expect(digest.html).toContain('Мұндай хаттарды енді жібермеу')
  expect(digest.text).toContain('На подпись: «<Шарт>»\nhttps://kelisim.kz/r/1')
  expect(digest.text).toContain('https://kelisim.kz/options/x')
})

test('texts of users contain no links, and what they typed is quoted', () => {
  const typed = 'ТОО «Подтвердите вход: https://evil.example»'
  const named = renderEmail(
    {
      ...email,
      subject: typed,
      paragraphs: [typed],
      quotes: [{ label: 'Название, которое дал отправитель', text: typed }],
      items: [{ text: typed, url: 'https://kelisim.kz/r/1', quote: { label: 'Имя', text: typed } }],
    },
    new URL('https://kelisim.kz'),
  )
  for (const shown of [named.html, named.text]) expect(shown).not.toMatch(/https:\/\/evil|evil\.example/)
  expect(named.text).toContain('https://kelisim.kz/r/1')
  expect(named.text).toContain('Название, которое дал отправитель: «ТОО „Подтвердите вход: evil. example“»')
  expect(named.html).toContain('<blockquote')
})

const notice = {
  ...email,
  subject: 'На подпись: «Шарт»',
  status: { tone: 'asks', text: 'На подпись' },
  heading: 'Документ ждёт вашей подписи.',
  paragraphs: [],
  facts: [{ label: 'Отправитель', text: 'ТОО «Дала» <b>', note: 'Подтверждено 12.10.2026' }],
  quotes: [{ label: 'Название', text: 'Шарт' }],
} as const

test('a notice has status, sentence, table of facts and one button, and does not repeat the subject', () => {
  const shown = renderEmail(notice, new URL('https://kelisim.kz'))
  const body = shown.html.slice(shown.html.indexOf('<body'))
  expect(body).not.toContain('На подпись: «Шарт»')
  expect(body).toMatch(/class="tone-asks"[^>]*>На подпись</)
  expect(body).toMatch(/<h1[^>]*>Документ ждёт вашей подписи\.</)
  expect(body).toContain('ТОО «Дала» &lt;b&gt;')
  expect(body.match(/<a /g)).toHaveLength(1)
  expect(shown.text).toBe(
    [
      'НА ПОДПИСЬ',
      'Документ ждёт вашей подписи.',
      'Отправитель: ТОО «Дала» <b>\nПодтверждено 12.10.2026',
      'Название: «Шарт»',
      'Открыть: https://kelisim.kz/x?a=1&b="2',
      '— \nЭто письмо отправил Келісім (kelisim.kz). Если вы его не ждали, просто не отвечайте на него.',
    ].join('\n\n'),
  )
})

test('the preview text shows the sentence and the document beside the subject', () => {
  const shown = renderEmail(notice, new URL('https://kelisim.kz')).html
  expect(shown).toMatch(
    /<body[^>]*>\s*<div style="display:none[^>]*>Документ ждёт вашей подписи\. · «Шарт» · ТОО/,
  )
})

test.each(emailTones)('the status line of %s has its own colours in light and in dark mode', (tone) => {
  const shown = renderEmail(
    { ...notice, status: { tone, text: 'Состояние' } },
    new URL('https://kelisim.kz'),
  ).html
  const light = new RegExp(`class="tone-${tone}" style="[^"]*background:(#\\w+);color:(#\\w+)`).exec(shown)!
  const dark = new RegExp(`\\.tone-${tone} \\{ color: (#\\w+) !important; background: (#\\w+)`).exec(shown)!
  expect(contrast(light[1]!, light[2]!)).toBeGreaterThan(4.5)
  expect(contrast(dark[1]!, dark[2]!)).toBeGreaterThan(4.5)
})

/** WCAG contrast of two colours. */
function contrast(one: string, other: string): number {
  const [light, dark] = [one, other].map(luminance).toSorted((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

test.each(['ru', 'kk', 'en'] as const)('texts of the product in %s are not taken for links', (language) => {
  for (const text of [
    ...ownTexts(language, 'mail'),
    ...ownTexts(language, 'notifications', 'email'),
    ...ownTexts(language, 'sign-in', 'email'),
    ...ownTexts(language, 'landing-quick-send', 'email'),
  ]) {
    expect(defuse(text)).toBe(text)
  }
})
