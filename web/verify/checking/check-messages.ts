/**
 * Messages between the page and its worker. Files are passed by reference: nothing is copied or leaves the browser.
 */
import type { Progress } from '@kelisim/signature/container/group.ts'
import type { Report } from './report.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'

export type ToWorker =
  | { check: InputFile[]; at: Date }
  /** Only stores what a check without a network needs; the value is the present time. */
  | { remember: Date }
  /** The embedded files or the drawn pages of a PDF; made by the page, because the PDF reader needs a DOM. */
  | { answerTo: number; files: InputFile[] }

export type Failure = 'trust' | 'memory' | 'broken'

export type FromWorker =
  | { progress: Progress }
  | PageQuestion
  | { report: Report }
  | { remembered: true }
  | { failure: Failure }

export type PageQuestion = { ask: number; pdf: InputFile; wanted: 'attachments' | 'pages' }
