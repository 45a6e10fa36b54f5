/** What the page and its worker say to each other. Files go as references: nothing is copied, nothing leaves the browser. */
import type { Progress } from './check-files.ts'
import type { Report } from './report.ts'
import type { GivenFile } from '../reading/given-file.ts'

export type ToWorker =
  | { check: GivenFile[]; at: Date }
  /** What a PDF carries: the reader of PDF needs a page. */
  | { answerTo: number; attachments: GivenFile[] }

export type Failure = 'trust' | 'memory' | 'broken'

export type FromWorker =
  | { progress: Progress }
  | { ask: number; pdf: Blob }
  | { report: Report }
  | { failure: Failure }
