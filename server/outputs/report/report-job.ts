/** What goes to the worker that prints signing reports. */
import type { Language } from '@kelisim/texts/languages.ts'
import type { SignedHead } from '../../transparency/heads.ts'
import type { ReportFacts } from './report-facts.ts'

export type ReportJob = {
  language: Language
  facts: ReportFacts
  /** The log as it was signed last, and the proofs against it as the bytes of a file. */
  log: { head: SignedHead; proofs: Uint8Array }
}
