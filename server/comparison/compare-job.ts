/** Input and output of the worker that compares two documents. */
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import type { ComparedRow } from '@kelisim/domain/comparison/comparison.ts'

export type FileToCompare = {
  path: string
  size: number
  format: DocumentFormat
  /** The text that was recognised in a scan. */
  recognised: string[]
}

export type CompareJob = { before: FileToCompare; after: FileToCompare }

/** `rows` is empty if one of them has no text. */
export type CompareResult = {
  hasTextBefore: boolean
  hasTextAfter: boolean
  isCut: boolean
  rows: ComparedRow[]
}
