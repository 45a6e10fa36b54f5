/** Messages between the page and its worker. Files are passed by reference: nothing is copied or leaves the browser. */
import type { Progress } from './check-files.ts'
import type { Report } from './report.ts'
import type { GivenFile } from '../reading/given-file.ts'

export type ToWorker =
  | { check: GivenFile[]; at: Date }
  /** Embedded files of a PDF, read by the page because the PDF reader needs a document. */
  | { answerTo: number; attachments: GivenFile[] }

export type Failure = 'trust' | 'memory' | 'broken'

export type FromWorker =
  | { progress: Progress }
  | { ask: number; pdf: Blob }
  | { report: Report }
  | { failure: Failure }
