/** Input of the worker that prints signing reports. */
import type { Language } from '@kelisim/texts/languages.ts'
import type { SignedHead } from '../../transparency/queries.ts'
import type * as z from 'zod/mini'
import type { RequestEventView, SigningRequest } from '@kelisim/domain/requests/contract.ts'

export type ReportJob = {
  language: Language
  facts: ReportFacts
  /** The latest signed head of the log, and files with the entries and the proofs of their inclusion. */
  log: { head: SignedHead; entries: Uint8Array; proofs: Uint8Array }
}

export type ReportFacts = {
  request: z.input<typeof SigningRequest>
  /** How many points the viewer must not see. */
  hidden: number
  /** The first events of the history, and the number of all events. */
  events: (z.input<typeof RequestEventView> & { logIndex: number | null })[]
  eventsCount: number
  /** SHA-256 of each signature, by its id. */
  digests: Record<string, string>
  link: string
  madeAt: Date
}
