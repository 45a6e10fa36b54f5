/** An e-mail as its author means it; how it looks as HTML and as plain text is decided in one place. */
export type Email = {
  /** Of the row that keeps it, where the author wants to know how it fared. */
  id?: string
  to: string
  /** Whom the reader answers, where that is not us. */
  replyTo?: string
  language: 'ru' | 'kk' | 'en'
  subject: string
  paragraphs: readonly string[]
  /** The one thing the reader is asked to do. */
  button?: { label: string; url: string }
  /** Several things in one letter, each with a way to it. */
  items?: readonly { text: string; url: string }[]
  /** For whoever chose to be told, and may choose otherwise. */
  choice?: { settingsUrl?: string; unsubscribeUrl: string }
}

const longestSubject = 150

/** One line that mail programs show whole, whatever people call their documents. */
export function subjectLine(text: string): string {
  const line = withoutLinks(text)
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= longestSubject ? line : `${characters.slice(0, longestSubject - 1).join('')}…`
}

/** A gap stays where something was taken out: what was apart does not come together to a link again. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/[a-z0-9+.-]{0,20}:\/\/|www\./gi, ' ')
}

/**
 * What people typed, on its way to people who may not know them: nothing in it becomes a link that looks like ours, and it
 * is no longer than a line or two.
 */
export function harmless(text: string, longest = 300): string {
  const line = withoutLinks(text).replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`
}
