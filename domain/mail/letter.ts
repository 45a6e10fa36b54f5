/** An e-mail as its author means it; how it looks as HTML and as plain text is decided in one place. */
export type Letter = {
  to: string
  language: 'ru' | 'kk' | 'en'
  subject: string
  paragraphs: readonly string[]
  /** The one thing the reader is asked to do. */
  button?: { label: string; url: string }
}
