/** Renders every e-mail as HTML (tables and inline styles, which mail programs understand) and as plain text. */
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import { defuse } from '@kelisim/domain/mail/defuse.ts'
import { harmless, type Email, type Quote } from '@kelisim/domain/mail/email.ts'
import { textsOf } from '@kelisim/texts/server.ts'

/** Our own texts contain no addresses, so one among them was typed by a user and must not become a link. */
export function renderEmail(source: Email, publicUrl: URL): { text: string; html: string } {
  const email = {
    ...source,
    subject: defuse(source.subject),
    paragraphs: source.paragraphs.map(defuse),
    quotes: (source.quotes ?? []).map((quote) => shownQuote(quote, source.language)),
    items: (source.items ?? []).map(({ text, url, quote }) => ({
      text: defuse(text),
      url,
      quotes: quote ? [shownQuote(quote, source.language)] : [],
    })),
  }
  const texts = textsOf(email.language, 'mail')
  const footer = texts('footer', { address: publicUrl.host })
  return {
    text: [
      ...email.paragraphs,
      ...email.quotes.map(quoteLine),
      ...email.items.map(({ text, url, quotes }) => [text, ...quotes.map(quoteLine), url].join('\n')),
      ...(email.button ? [`${email.button.label}: ${email.button.url}`] : []),
      [`— \n${footer}`, ...choicesOf(email).map(({ label, url }) => `${label}: ${url}`)].join('\n'),
    ].join('\n\n'),
    html: emailPage(email, footer),
  }
}

type ShownEmail = Omit<Email, 'quotes' | 'items'> & {
  quotes: readonly Quote[]
  items: readonly { text: string; url: string; quotes: readonly Quote[] }[]
}

function shownQuote({ label, text }: Quote, language: Email['language']): Quote {
  const shown = harmless(text)
  return { label, text: language === 'en' ? `“${shown}”` : `«${shown}»` }
}

function quoteLine({ label, text }: Quote): string {
  return `${label}: ${text}`
}

function choicesOf({
  language,
  choice,
}: Pick<Email, 'language' | 'choice'>): { label: string; url: string }[] {
  if (!choice) return []
  const texts = textsOf(language, 'mail')
  return [
    ...(choice.settingsUrl === undefined ? [] : [{ label: texts('settings'), url: choice.settingsUrl }]),
    { label: texts('unsubscribe'), url: choice.unsubscribeUrl },
  ]
}

function emailPage(email: ShownEmail, footer: string): string {
  const { language, subject, paragraphs, quotes, items, button } = email
  const body = [
    ...paragraphs.map((p) => `<p style="margin:0 0 16px">${escapeHtml(p)}</p>`),
    ...quotes.map(quoteBlock),
    ...items.map(
      ({ text, url, quotes: inside }) =>
        `<p style="margin:0 0 12px"><a class="link" href="${escapeHtml(url)}" style="${linkStyle}">${escapeHtml(text)}</a></p>` +
        inside.map(quoteBlock).join(''),
    ),
  ].join('')
  const choices = choicesOf(email)
    .map(
      ({ label, url }) =>
        `<a class="note" href="${escapeHtml(url)}" style="color:#5b6f79">${escapeHtml(label)}</a>`,
    )
    .join(' · ')
  const action = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="${buttonStyle}">${escapeHtml(button.label)}</a></p>`
    : ''
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
    body, .page { background: #12181b !important }
    .sheet { background: #1b2327 !important; color: #e6edf0 !important; border-color: #2c383e !important }
    .note { color: #93a5ad !important }
    .quote { border-color: #3d4c53 !important }
    .link, .name { color: #4fc3d1 !important }
  }
</style>
</head>
<body class="page" style="margin:0;background:#f4f7f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f4f7f8">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="sheet" style="${sheetStyle}">
<tr><td style="padding:32px">
<p class="name" style="margin:0 0 24px;font-size:18px;font-weight:700;color:#00707f">Келісім</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${body}${action}
<p class="note" style="margin:24px 0 0;font-size:13px;color:#5b6f79">${escapeHtml(footer)}${choices && `<br>${choices}`}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>`
}

/** The label and a bar beside the text tell what somebody typed from what we say. */
function quoteBlock({ label, text }: Quote): string {
  return (
    `<p class="note" style="margin:0 0 4px;font-size:13px;color:#5b6f79">${escapeHtml(label)}:</p>` +
    `<blockquote class="quote" style="${quoteStyle}">${escapeHtml(text)}</blockquote>`
  )
}

const quoteStyle =
  'margin:0 0 16px;padding:4px 0 4px 12px;border-left:3px solid #c9d6db;overflow-wrap:anywhere'
const sheetStyle =
  'max-width:560px;background:#ffffff;border:1px solid #e1e8eb;border-radius:10px;' +
  "color:#12232b;font:400 15px/1.5 'Golos Text',Arial,sans-serif"
const linkStyle = 'color:#00707f;font-weight:600'
const buttonStyle =
  'display:inline-block;padding:12px 24px;border-radius:10px;background:#00707f;color:#ffffff;' +
  'font-weight:600;text-decoration:none'
