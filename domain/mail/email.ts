import { defuse } from './defuse.ts'

/** Typed text, shown as a quotation; the label says who typed it. */
export type Quote = { label: string; text: string }

/** A fact that the service vouches for, with a remark in smaller type. */
export type Fact = { label: string; text: string; note?: string }

/** asks: the reader has something to do; done and stopped: how it ended; news: anything else. */
export const emailTones = ['asks', 'done', 'stopped', 'news'] as const
export type EmailTone = (typeof emailTones)[number]

/** The content of an e-mail; how it looks as HTML and as plain text is decided in one place. */
export type Email = {
  /** The id of the row of the e-mail, if the caller wants to track the delivery. */
  id?: string
  to: string
  /** Where replies go, if not to us. */
  replyTo?: string
  language: 'ru' | 'kk' | 'en'
  subject: string
  /** A coloured line above the heading: what this is about, in a word or two. */
  status?: { tone: EmailTone; text: string }
  /** The sentence in large type; the subject, if there is none. */
  heading?: string
  /** Our own text; rendering defuses it, so that mail programs make no links of names in it. */
  paragraphs: readonly string[]
  facts?: readonly Fact[]
  /** Texts that people typed. */
  quotes?: readonly Quote[]
  /** The one action the reader is asked for. */
  button?: { label: string; url: string }
  /** Several items in one e-mail, each with its link. */
  items?: readonly { text: string; url: string; quote?: Quote }[]
  /** The links by which readers of notifications change their choice. */
  choice?: { settingsUrl?: string; unsubscribeUrl: string }
}

const longestSubject = 150

/** One line that mail programs show in full. */
export function subjectLine(text: string): string {
  return harmless(text, longestSubject)
}

/** Defuses typed text for readers who may not know its author, and cuts it to a line or two. */
export function harmless(text: string, longest = 300): string {
  const characters = Array.from(defuse(text))
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}
