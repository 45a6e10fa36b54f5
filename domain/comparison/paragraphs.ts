/** The paragraphs of a text that was read from a file. */
import type { Paragraph } from './comparison.ts'

/** A line shorter than this share of the longest line of its page ends a paragraph. */
const shortLine = 0.75

/** `hasPages`: each text is a page of printed lines; otherwise every line is a paragraph. */
export function paragraphsOf(texts: readonly string[], hasPages: boolean): Paragraph[] {
  return texts.flatMap((text, i) => {
    const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())
    const filled = lines.filter((line) => line !== '')
    const page = hasPages ? i + 1 : null
    const paragraphs = hasPages ? (filled.length === 1 ? sentencesOf(filled[0]!) : refilled(filled)) : filled
    return paragraphs.map((paragraph) => ({ text: paragraph, page }))
  })
}

/**
 * Sentences, for recognised scans, which have no lines. A period after a digit ends none: it belongs to a clause
 * number.
 */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[^\d\s][.;:!?]) (?=[\p{Lu}\d])/u)
}

/** The number of a clause, or the marker of a list item. */
const clause = /^(?:\d+(?:\.\d+)*[.)]|[–—•-]) /

/** Joins lines to paragraphs: one ends where a line ends a sentence or is short, or the next line begins a clause. */
function refilled(lines: readonly string[]): string[] {
  const longest = Math.max(...lines.map(({ length }) => length))
  const paragraphs: string[] = []
  let isOpen = false
  for (const line of lines) {
    if (isOpen && !clause.test(line)) paragraphs.push(`${paragraphs.pop()} ${line}`)
    else paragraphs.push(line)
    isOpen = line.length >= longest * shortLine && !/[.;:!?]$/.test(line)
  }
  return paragraphs
}
