/** Input and output of the worker that parses and prints rich text. */
import type { Variable } from '@kelisim/domain/rich-text/rich-text.ts'

export type RichTextTask =
  /** Only cleaned, for a template. */
  | { task: 'clean'; html: string }
  /** Cleaned and printed; `mustBeFilled` refuses variables without a value. */
  | {
      task: 'print'
      html: string
      title: string
      mustBeFilled: boolean
      /** Values of variables by name, instead of those in the text. */
      values?: Record<string, string>
    }

export type Done =
  | { html: string; variables: Variable[]; pdf: Uint8Array | null }
  | { problem: 'empty' }
  | { problem: 'too-large' }
  | { problem: 'unknown-signs'; signs: string[] }
  | { problem: 'not-filled'; names: string[] }
