/** Input and output of the worker that reads the texts of documents. */
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'

export type ReadJob = { path: string; size: number; format: DocumentFormat }

/** `words` as the index stores them; no page has a text if it is a scan. */
export type ReadResult = { pages: string[]; words: string[] }

/** Whatever a document has beyond this is not searched; a contract of a hundred pages has half of it. */
export const longestText = 500_000
export const mostPages = 2000
export const mostWords = 20_000
