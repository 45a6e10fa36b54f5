/** Renders every e-mail as HTML (page.ts) and as plain text that says the same. */
import { defuse } from '@kelisim/domain/mail/defuse.ts'
import { harmless, type Email, type Fact, type Quote } from '@kelisim/domain/mail/email.ts'
import { withInnerQuotes } from '@kelisim/texts/translate.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { emailPage, type ShownEmail } from './page.ts'

/** Our own texts contain no addresses, so one among them was typed by a user and must not become a link. */
export function renderEmail(source: Email, publicUrl: URL): { text: string; html: string } {
  const { language, button } = source
  const texts = textsOf(language, 'mail')
  const email: ShownEmail = {
    language,
    subject: defuse(source.subject),
    ...(source.status && { status: source.status }),
    heading: defuse(source.heading ?? source.subject),
    paragraphs: source.paragraphs.map(defuse),
    facts: (source.facts ?? []).map(shownFact),
    quotes: (source.quotes ?? []).map((quote) => shownQuote(quote, language)),
    items: (source.items ?? []).map(({ text, url, quote }) => ({
      text: defuse(text),
      url,
      quotes: quote ? [shownQuote(quote, language)] : [],
    })),
    ...(button && { button }),
    footer: texts('footer', { address: publicUrl.host }),
    choices: choicesOf(source),
  }
  return { text: plainText(email), html: emailPage(email) }
}

function plainText(email: ShownEmail): string {
  const { status, heading, subject, paragraphs, facts, quotes, items, button, footer, choices } = email
  return [
    ...(status ? [status.text.toUpperCase()] : []),
    ...(heading === subject ? [] : [heading]),
    ...paragraphs,
    ...facts.map(({ label, text, note }) =>
      [`${label}: ${text}`, ...(note === undefined ? [] : [note])].join('\n'),
    ),
    ...quotes.map(quoteLine),
    ...items.map(({ text, url, quotes: inside }) => [text, ...inside.map(quoteLine), url].join('\n')),
    ...(button ? [`${button.label}: ${button.url}`] : []),
    [`— \n${footer}`, ...choices.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ].join('\n\n')
}

/** Facts are our own words with proved names in them. */
function shownFact({ label, text, note }: Fact): Fact {
  return { label, text: defuse(text), ...(note !== undefined && { note: defuse(note) }) }
}

function shownQuote({ label, text }: Quote, language: Email['language']): Quote {
  const shown = harmless(text)
  return { label, text: language === 'en' ? `“${shown}”` : `«${withInnerQuotes(shown)}»` }
}

function quoteLine({ label, text }: Quote): string {
  return `${label}: ${text}`
}

function choicesOf({ language, choice }: Email): { label: string; url: string }[] {
  if (!choice) return []
  const texts = textsOf(language, 'mail')
  return [
    ...(choice.settingsUrl === undefined ? [] : [{ label: texts('settings'), url: choice.settingsUrl }]),
    { label: texts('unsubscribe'), url: choice.unsubscribeUrl },
  ]
}
