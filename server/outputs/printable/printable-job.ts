/** Input and output of the worker that makes printable documents. */
import type { Standing } from '@kelisim/domain/outputs/output.ts'
import type { SealPlace } from '@kelisim/domain/requests/places/place.ts'
import type { Indication } from '@kelisim/domain/signatures/verdict.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { Language } from '@kelisim/texts/languages.ts'

/** Everything that the printable document contains: the same job always gives the same bytes. */
export type PrintableJob = {
  /** The document as it was sent. */
  originalPath: string
  /** The PDF with its signatures inside, which is attached instead of the original and of the signatures. */
  signedPath?: string | undefined
  /** Overwritten if it exists. */
  outPath: string
  language: Language
  facts: PrintableFacts
  /** Accepted signatures in any order; they are sorted by their timestamps. */
  signatures: readonly PrintableSignature[]
  codes: AccessCodes
}

export type PrintableFacts = {
  requestId: string
  name: string
  description: string
  /** Its number in the sender's journal and the day of registration; null: it has none. */
  registration: { number: string; registeredOn: string } | null
  /** The name of the original with its extension, under which it is attached. */
  fileName: string
  /** The date of the document as its parties see it: YYYY-MM-DD. */
  signingDate: string
  /** The sender, with BIN or IIN, and when its key proved them. */
  sender: { name: string; number: string; confirmedAt: Date | null }
  systemName: string
  /** The page of the request, in the QR codes at the left. */
  requestUrl: string
  /** The public check page. */
  verifyUrl: string
  /** The time of the facts rather than of printing, so that printing again gives the same bytes. */
  madeAt: Date
  /** Why the document is not in force although its signatures are valid; null: it is in force. */
  standing: Standing | null
  /** The organisation's isDateOfSignDisplayedInQrDocument. */
  areTimesShown: boolean
  /** The organisation's isSignatureSheetCompact. */
  isCompact: boolean
  /** The organisation's isFooterMarkPrinted. */
  hasFooterMark: boolean
}

export type PrintableSignature = {
  /** Detached, with timestamp and revocation values if there are any. */
  cms: Uint8Array
  /** Its name as an attachment, for example `1. ИВАНОВ ИВАН.cms`; null: it is inside the attached document. */
  fileName: string | null
  /** The time of receipt, shown if the signature has no timestamp. */
  acceptedAt: Date
  verdict: { indication: Indication; code: string | null; checkedAt: Date }
  /** Where the signature is shown on a page; signatures of one point share one seal. */
  seal?: { pointId: string; place: SealPlace } | null | undefined
}

/** Access codes for the holder of the printed document; all null: there are none. */
export type AccessCodes = {
  letters: string | null
  /** The address in the QR code. */
  link: string | null
  /** The last day of validity: YYYY-MM-DD. */
  validUntil: string | null
}

export type PrintWork =
  | { task: 'print'; job: PrintableJob }
  | { task: 'rehearse'; path: string }
  | { task: 'count'; path: string }
export type PrintDone = { size: number } | { pages: number } | { fault: PrintFault | null }
