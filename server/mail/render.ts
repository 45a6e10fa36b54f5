/** Renders every e-mail as HTML (tables and inline styles, which mail programs understand) and as plain text. */
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import { withoutLinks, type Email } from '@kelisim/domain/mail/email.ts'
import { textsOf } from '@kelisim/texts/server.ts'

/** Our own texts contain no links, so a link among them was typed by a user and must not become clickable. */
export function renderEmail(source: Email, publicUrl: URL): { text: string; html: string } {
  const email = {
    ...source,
    subject: withoutLinks(source.subject),
    paragraphs: source.paragraphs.map(withoutLinks),
    ...(source.items && { items: source.items.map(({ text, url }) => ({ text: withoutLinks(text), url })) }),
  }
  const texts = textsOf(email.language, 'mail')
  const footer = texts('footer', { address: publicUrl.host })
  return {
    text: [
      ...email.paragraphs,
      ...(email.items ?? []).map(({ text, url }) => `${text}\n${url}`),
      ...(email.button ? [`${email.button.label}: ${email.button.url}`] : []),
      [`— \n${footer}`, ...choicesOf(email).map(({ label, url }) => `${label}: ${url}`)].join('\n'),
    ].join('\n\n'),
    html: emailPage(email, footer),
  }
}

function choicesOf({ language, choice }: Email): { label: string; url: string }[] {
  if (!choice) return []
  const texts = textsOf(language, 'mail')
  return [
    ...(choice.settingsUrl === undefined ? [] : [{ label: texts('settings'), url: choice.settingsUrl }]),
    { label: texts('unsubscribe'), url: choice.unsubscribeUrl },
  ]
}

function emailPage(email: Email, footer: string): string {
  const { language, subject, paragraphs, items = [], button } = email
  const body = [
    ...paragraphs.map((p) => `<p style="margin:0 0 16px">${escapeHtml(p)}</p>`),
    ...items.map(
      ({ text, url }) =>
        `<p style="margin:0 0 12px"><a class="link" href="${escapeHtml(url)}" style="${linkStyle}">${escapeHtml(text)}</a></p>`,
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
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
  @media (prefers-color-scheme: dark) {
    body, .page { background: #12181b !important }
    .sheet { background: #1b2327 !important; color: #e6edf0 !important; border-color: #2c383e !important }
    .note { color: #93a5ad !important }
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

const sheetStyle =
  'max-width:560px;background:#ffffff;border:1px solid #e1e8eb;border-radius:10px;' +
  "color:#12232b;font:400 15px/1.5 'Golos Text',Arial,sans-serif"
const linkStyle = 'color:#00707f;font-weight:600'
const buttonStyle =
  'display:inline-block;padding:12px 24px;border-radius:10px;background:#00707f;color:#ffffff;' +
  'font-weight:600;text-decoration:none'
