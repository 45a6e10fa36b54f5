/** Input and output of the worker that adds signatures and their evidence to PDFs. */
import { printFaults } from '@kelisim/pdf/incremental/original.ts'
import type { SignatureEvidence } from '@kelisim/pdf/incremental/evidence-increment.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'

/** Why nothing can be signed inside a PDF. */
export const signingFaults = [
  ...printFaults,
  /** A signature that is already there forbids others, or would no longer be valid. */
  'closed',
] as const
export type SigningFault = (typeof signingFaults)[number]

export type RevisionJob =
  /** Tries to sign, without a signature. */
  | { task: 'try'; path: string; room: number }
  /** Writes the bytes that the next signature covers to `outPath`. */
  | { task: 'prepare'; path: string; outPath: string; at: Date; room: number }
  /** Appends the evidence to the signed PDF at `path`. */
  | { task: 'prove'; path: string; evidence: SignatureEvidence }

export type RevisionResult = { gap: Gap } | { fault: SigningFault | null }
