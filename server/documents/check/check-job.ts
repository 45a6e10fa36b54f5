/** What goes to the worker that looks into uploaded files, and what comes back. */
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'

export type CheckJob = { path: string; size: number; format: DocumentFormat }

/** What keeps a file from being taken; null: it is what it says it is. */
export type Fault = 'mismatch' | 'encrypted' | 'broken' | 'macros' | 'bomb' | 'two-formats'
export type CheckResult = Fault | null
