/** Input and output of the worker that reads the texts of documents. */
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'

export type ReadJob = { path: string; size: number; format: DocumentFormat }

/** `words` as the index stores them; no page has a text if it is a scan. */
export type ReadResult = { pages: string[]; words: string[] }

/** Whatever a document has beyond this is not searched; a contract of a hundred pages has half of it. */
export const longestText = 500_000
export const mostPages = 2000
export const mostWords = 20_000

/** Without what PostgreSQL cannot store. */
export function withinLimits(pages: readonly string[]): string[] {
  let left = longestText
  return pages.slice(0, mostPages).map((page) => {
    const text = page.replaceAll('\0', ' ').toWellFormed().replaceAll(/\s+/g, ' ').trim().slice(0, left)
    left -= text.length
    return text
  })
}
