/** Input and output of the worker that reads the texts of documents. */
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'

export type ReadJob = { path: string; size: number; format: DocumentFormat }

/** `words` as the index stores them; no page has a text if it is a scan. */
export type ReadResult = { pages: string[]; words: string[] }

/** Text beyond this length is not searched; a contract of a hundred pages has half as much. */
export const longestText = 500_000
export const mostPages = 2000
export const mostWords = 20_000

/** Cuts the pages to the limits, and removes characters that PostgreSQL cannot store. */
export function withinLimits(pages: readonly string[]): string[] {
  let left = longestText
  return pages.slice(0, mostPages).map((page) => {
    const text = page.replaceAll('\0', ' ').toWellFormed().replaceAll(/\s+/g, ' ').trim().slice(0, left)
    left -= text.length
    return text
  })
}
