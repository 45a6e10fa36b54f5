/** What goes to the worker that prints signing reports. */
import type { Language } from '@kelisim/texts/languages.ts'
import type { SignedHead } from '../../transparency/heads.ts'
import type * as z from 'zod/mini'
import type { RequestEventView, SigningRequest } from '@kelisim/domain/requests/contract.ts'

export type ReportJob = {
  language: Language
  facts: ReportFacts
  /** The log as it was signed last, and the events told of with the proofs that they stand in it, as files. */
  log: { head: SignedHead; entries: Uint8Array; proofs: Uint8Array }
}

export type ReportFacts = {
  request: z.input<typeof SigningRequest>
  /** Points that are not for the viewer. */
  hidden: number
  /** From the first on, and how many there are in all. */
  events: (z.input<typeof RequestEventView> & { logIndex: number | null })[]
  eventsCount: number
  /** SHA-256 of each signature as it came, by its id. */
  digests: Record<string, string>
  link: string
  madeAt: Date
}
