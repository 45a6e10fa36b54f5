/** Input and output of the worker that checks uploaded files. */
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'

export type CheckJob = { path: string; size: number; format: DocumentFormat }

/** Why a file is refused; null if its content matches its format. */
export const faults = [
  'mismatch',
  'encrypted',
  'broken',
  'macros',
  'bomb',
  'two-formats',
  'too-much',
  /** Commands for other programs. */
  'dde',
  /** Something that is loaded from elsewhere when it is opened. */
  'external',
  /** Embedded objects of other programs. */
  'objects',
  /** Definitions of entities. */
  'entities',
  /** Scripts, commands or media of a PDF. */
  'scripts',
  /** Forms that some programs show instead of the pages. */
  'xfa',
] as const
export type Fault = (typeof faults)[number]
export type CheckResult = Fault | null
