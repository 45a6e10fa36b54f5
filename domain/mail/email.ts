/** The content of an e-mail; how it looks as HTML and as plain text is decided in one place. */
export type Email = {
  /** The id of its row, where the author wants to track the delivery. */
  id?: string
  to: string
  /** Where replies go, if not to us. */
  replyTo?: string
  language: 'ru' | 'kk' | 'en'
  subject: string
  paragraphs: readonly string[]
  /** The one action the reader is asked for. */
  button?: { label: string; url: string }
  /** Several things in one e-mail, each with its link. */
  items?: readonly { text: string; url: string }[]
  /** For readers who chose to be notified, and may change that. */
  choice?: { settingsUrl?: string; unsubscribeUrl: string }
}

const longestSubject = 150

/** One line that mail programs show in full, whatever people call their documents. */
export function subjectLine(text: string): string {
  const line = withoutLinks(text)
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= longestSubject ? line : `${characters.slice(0, longestSubject - 1).join('')}…`
}

/** A space replaces what is removed, so that the rest does not join into a link again. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/[a-z0-9+.-]{0,20}:\/\/|www\./gi, ' ')
}

/**
 * Text typed by users, made safe for readers who may not know them: nothing in it becomes a link that looks like ours,
 * and it is no longer than a line or two.
 */
export function harmless(text: string, longest = 300): string {
  const line = withoutLinks(text).replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`
}
