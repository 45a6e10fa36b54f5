/** What goes to the worker that prints signing reports. */
import type { Language } from '@kelisim/texts/languages.ts'
import type { SignedHead } from '../../transparency/heads.ts'
import type { ReportFacts } from './report-facts.ts'

export type ReportJob = {
  language: Language
  facts: ReportFacts
  /** The log as it was signed last, and the events told of with the proofs that they stand in it, as files. */
  log: { head: SignedHead; entries: Uint8Array; proofs: Uint8Array }
}
