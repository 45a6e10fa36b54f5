/** What goes to the worker that reads and prints rich text, and what comes back. */
import type { Variable } from '@kelisim/domain/rich-text/rich-text.ts'

export type Work =
  /** Only cleaned: for a template that is kept. */
  | { task: 'clean'; html: string }
  /** Cleaned and printed; `mustBeFilled`: not while a variable has no value. */
  | { task: 'print'; html: string; title: string; mustBeFilled: boolean }

export type Done =
  | { html: string; variables: Variable[]; pdf: Uint8Array | null }
  | { problem: 'empty' }
  | { problem: 'too-large' }
  | { problem: 'unknown-signs'; signs: string[] }
  | { problem: 'not-filled'; names: string[] }
