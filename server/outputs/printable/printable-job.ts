/** What goes to the worker that makes printable documents, and what comes back. */
import type { Standing } from '@kelisim/domain/outputs/output.ts'
import type { Indication } from '@kelisim/domain/signatures/verdict.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { Language } from '@kelisim/texts/languages.ts'

/** Everything that the printable document says: the same job always gives the same bytes. */
export type PrintableJob = {
  /** A PDF, byte for byte as it was signed. */
  originalPath: string
  /** Written anew, whatever was there. */
  outPath: string
  language: Language
  facts: PrintableFacts
  /** Those of the signing process that were accepted, in any order: they are set by their timestamps. */
  signatures: readonly PrintableSignature[]
  codes: AccessCodes
}

export type PrintableFacts = {
  requestId: string
  name: string
  description: string
  /** Of the original, with its ending; it is embedded under this name. */
  fileName: string
  /** The date that the document bears for its parties: YYYY-MM-DD. */
  signingDate: string
  /** Who sent it, with its BIN or IIN. */
  sender: { name: string; number: string }
  systemName: string
  /** Of the request's page, in the codes at the left. */
  requestUrl: string
  /** Of the public check page. */
  verifyUrl: string
  /** When what it tells of was complete; not when it is printed, so that it can be printed again. */
  madeAt: Date
  /** What keeps it from binding anybody though its signatures are good; null: nothing. */
  standing: Standing | null
  /** The organisation's isDateOfSignDisplayedInQrDocument. */
  areTimesShown: boolean
}

export type PrintableSignature = {
  /** Detached, with timestamp and revocation values where there are any. */
  cms: Uint8Array
  /** As it is embedded, for example `1. ИВАНОВ ИВАН.cms`. */
  fileName: string
  /** When it was taken in: shown where the signature has no timestamp. */
  acceptedAt: Date
  verdict: { indication: Indication; code: string | null; checkedAt: Date }
}

/** What lets the holder of the paper in; all null: nothing does. */
export type AccessCodes = {
  letters: string | null
  /** What the QR code opens. */
  link: string | null
  /** The last day: YYYY-MM-DD. */
  validUntil: string | null
}

export type PrintWork = { task: 'print'; job: PrintableJob } | { task: 'rehearse'; path: string }
export type PrintDone = { size: number } | { fault: PrintFault | null }
