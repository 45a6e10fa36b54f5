import { defuse } from './defuse.ts'

/** What somebody typed, shown as a quotation; the label says who typed it. */
export type Quote = { label: string; text: string }

/** The content of an e-mail; how it looks as HTML and as plain text is decided in one place. */
export type Email = {
  /** The id of its row, where the author wants to track the delivery. */
  id?: string
  to: string
  /** Where replies go, if not to us. */
  replyTo?: string
  language: 'ru' | 'kk' | 'en'
  subject: string
  /** Our own words; whatever a name in them looks like, no mail program finds a link there. */
  paragraphs: readonly string[]
  /** Texts that people typed. */
  quotes?: readonly Quote[]
  /** The one action the reader is asked for. */
  button?: { label: string; url: string }
  /** Several things in one e-mail, each with its link. */
  items?: readonly { text: string; url: string; quote?: Quote }[]
  /** For readers who chose to be notified, and may change that. */
  choice?: { settingsUrl?: string; unsubscribeUrl: string }
}

const longestSubject = 150

/** One line that mail programs show in full. */
export function subjectLine(text: string): string {
  return harmless(text, longestSubject)
}

/** Text typed by users, made safe for readers who may not know them, and no longer than a line or two. */
export function harmless(text: string, longest = 300): string {
  const characters = Array.from(defuse(text))
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}
