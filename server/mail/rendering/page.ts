/**
 * An e-mail as a page: tables and inline styles, which mail programs understand, no picture that has to be fetched, and
 * colours of their own in dark mode. The mark is drawn by borders, because most programs show no SVG.
 */
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import { emailTones, type Email, type EmailTone, type Fact, type Quote } from '@kelisim/domain/mail/email.ts'

export type ShownEmail = Pick<Email, 'language' | 'subject' | 'status' | 'paragraphs' | 'button'> & {
  heading: string
  facts: readonly Fact[]
  quotes: readonly Quote[]
  items: readonly { text: string; url: string; quotes: readonly Quote[] }[]
  footer: string
  choices: readonly { label: string; url: string }[]
}

export function emailPage(email: ShownEmail): string {
  const { language, subject, status, heading, paragraphs, facts, quotes, items, button } = email
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
  @media (prefers-color-scheme: dark) {
    body, .page { background: #10171a !important }
    .sheet { background: #172024 !important; color: #e6edf0 !important; border-color: #2a363c !important }
    .note { color: #93a7b0 !important }
    .facts { border-color: #2a363c !important }
    .quote { border-color: #5b6f79 !important }
    .link, .name { color: #37a9b7 !important }
    .ring { border-color: #37a9b7 !important }
${emailTones.map(darkTone).join('\n')}
  }
</style>
</head>
<body class="page" style="margin:0;background:#f4f7f8">
${preheader(email)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f4f7f8">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="sheet" style="${sheetStyle}">
<tr><td style="padding:24px 24px 0">${mark}</td></tr>
${status ? `<tr><td style="padding:20px 24px 0">${statusLine(status)}</td></tr>` : ''}
<tr><td style="padding:16px 24px 24px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.35;font-weight:600">${onOneLine(heading)}</h1>
${[
  ...paragraphs.map((text) => `<p style="margin:0 0 16px">${onOneLine(text)}</p>`),
  factsTable([...quotes.map(quoteFact), ...facts.map(factHtml)]),
  ...items.map(itemBlock),
  button ? buttonBlock(button) : '',
].join('')}
</td></tr>
<tr><td class="facts note" style="padding:16px 24px 20px;border-top:1px solid #e1e8eb;${noteStyle}">${footerOf(email)}</td></tr>
</table>
</td></tr></table>
</body>
</html>`
}

/** What inboxes show beside the subject; the blanks keep the rest of the e-mail out of that line. */
function preheader({ heading, subject, paragraphs, quotes, facts }: ShownEmail): string {
  const first = [
    ...(heading === subject ? [] : [heading]),
    ...quotes.map(({ text }) => text),
    ...facts.map(({ text }) => text),
    ...paragraphs,
  ]
  const words = Array.from(first.join(' · ')).slice(0, 140).join('')
  const hidden = 'display:none;max-height:0;overflow:hidden;opacity:0;mso-hide:all'
  return `<div style="${hidden}">${escapeHtml(words)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>`
}

/** A ring with the stroke of a pen in it, and the name. */
const mark =
  '<table role="presentation" cellpadding="0" cellspacing="0"><tr>' +
  '<td style="padding:0 10px 0 0"><div class="ring" style="width:20px;height:20px;border:3px solid #00707f;' +
  'border-radius:50%;text-align:center;line-height:20px;font-size:0">' +
  '<span style="display:inline-block;width:12px;height:3px;border-radius:2px;background:#b7791f;vertical-align:middle">' +
  '</span></div></td>' +
  '<td class="name" style="font-size:18px;font-weight:700;color:#00707f">Келісім</td>' +
  '</tr></table>'

/** The same colours as those of statuses on the pages. */
const toneColors: Record<
  EmailTone,
  { light: [ink: string, ground: string]; dark: [ink: string, ground: string] }
> = {
  asks: { light: ['#8f5b10', '#fdf3df'], dark: ['#e6b45c', '#3a2e16'] },
  done: { light: ['#17693f', '#e4f4ea'], dark: ['#6cc894', '#14331f'] },
  stopped: { light: ['#b3382c', '#fbe9e7'], dark: ['#ff8a7d', '#3f1d19'] },
  news: { light: ['#00707f', '#e3f3f4'], dark: ['#37a9b7', '#10343a'] },
}

function darkTone(tone: EmailTone): string {
  const [ink, ground] = toneColors[tone].dark
  return `    .tone-${tone} { color: ${ink} !important; background: ${ground} !important; border-color: ${ink} !important }`
}

function statusLine({ tone, text }: { tone: EmailTone; text: string }): string {
  const [ink, ground] = toneColors[tone].light
  const style = `padding:8px 12px;border-left:4px solid ${ink};background:${ground};color:${ink};font-weight:600`
  return `<div class="tone-${tone}" style="${style}">${escapeHtml(text)}</div>`
}

/** Label and value stand beside each other where there is room, and below each other on a phone. */
function factsTable(rows: readonly { label: string; value: string }[]): string {
  if (rows.length === 0) return ''
  const cells = rows.map(
    ({ label, value }) =>
      `<tr><td class="facts" style="padding:10px 0;border-bottom:1px solid #e1e8eb">` +
      `<div class="note" style="display:inline-block;vertical-align:top;width:100%;max-width:176px;box-sizing:border-box;padding-right:12px;${noteStyle}">${escapeHtml(label)}</div>` +
      `<div style="display:inline-block;vertical-align:top;width:100%;max-width:328px;overflow-wrap:anywhere">${value}</div>` +
      '</td></tr>',
  )
  return (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="facts" ' +
    `style="margin:0 0 8px;border-top:1px solid #e1e8eb">${cells.join('')}</table>`
  )
}

function factHtml({ label, text, note }: Fact): { label: string; value: string } {
  const remark = note === undefined ? '' : `<div class="note" style="${noteStyle}">${escapeHtml(note)}</div>`
  return { label, value: onOneLine(text) + remark }
}

/** The label and the bar distinguish what somebody typed from our own words. */
function quoteFact({ label, text }: Quote): { label: string; value: string } {
  return {
    label,
    value: `<blockquote class="quote" style="${quoteStyle}">${onOneLine(text)}</blockquote>`,
  }
}

/** Keeps the digit groups of a number, and the sign № with what follows it, on one line. */
function onOneLine(text: string): string {
  return escapeHtml(text.replaceAll(/(?<=\d) (?=\d{3}(?!\d))|(?<=№) /g, '\u00a0'))
}

function itemBlock({ text, url, quotes }: ShownEmail['items'][number]): string {
  const link = `<a class="link" href="${escapeHtml(url)}" style="${linkStyle}">${escapeHtml(text)}</a>`
  return `<p style="margin:0 0 12px">${link}</p>${factsTable(quotes.map(quoteFact))}`
}

function buttonBlock({ label, url }: { label: string; url: string }): string {
  return `<p style="margin:24px 0 0"><a href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(label)}</a></p>`
}

function footerOf({ footer, choices }: ShownEmail): string {
  const links = choices.map(
    ({ label, url }) =>
      `<a class="note" href="${escapeHtml(url)}" style="color:#5f747e">${escapeHtml(label)}</a>`,
  )
  return escapeHtml(footer) + (links.length === 0 ? '' : `<br>${links.join(' · ')}`)
}

const noteStyle = 'font-size:13px;line-height:1.5;color:#5f747e'
const quoteStyle = 'margin:0;padding:0 0 0 10px;border-left:3px solid #b9c7cd;overflow-wrap:anywhere'
const sheetStyle =
  'max-width:560px;background:#ffffff;border:1px solid #e1e8eb;border-radius:10px;' +
  "color:#12232b;font:400 15px/1.5 'Golos Text',Arial,sans-serif"
const linkStyle = 'color:#00707f;font-weight:600'
const buttonStyle =
  'display:inline-block;padding:13px 24px;border-radius:10px;background:#00707f;color:#ffffff;' +
  'font-weight:600;text-decoration:none'
