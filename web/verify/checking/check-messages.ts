/** Messages between the page and its worker. Files are passed by reference: nothing is copied or leaves the browser. */
import type { Progress } from '@kelisim/signature/container/group.ts'
import type { Report } from './report.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'

export type ToWorker =
  | { check: InputFile[]; at: Date }
  /** Only keeps what a check without a network needs; the time of now. */
  | { remember: Date }
  /** Embedded files or drawn pages of a PDF: the page has them made, because the PDF reader needs a document. */
  | { answerTo: number; files: InputFile[] }

export type Failure = 'trust' | 'memory' | 'broken'

export type FromWorker =
  | { progress: Progress }
  | PageQuestion
  | { report: Report }
  | { remembered: true }
  | { failure: Failure }

export type PageQuestion = { ask: number; pdf: InputFile; wanted: 'attachments' | 'pages' }
